import type { SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { formatDuration } from '../ui/format.ts';
import { scriptLine, slowestFirst } from './setup-words.ts';

interface SetupLinesProps {
  run: SetupRun;
  onToScript: (line: number) => void;
  onToLog: (line: number) => void;
}

/** Where the time of a run went, the slowest line first; each line leads to the script and to the log. */
export const SetupLines = ({ run, onToScript, onToLog }: SetupLinesProps) => {
  const lines = slowestFirst(run);
  const longest = Math.max(1, lines[0]?.duration_ms ?? 1);
  if (lines.length === 0) return <p className="setup-nothing">No line of this run has a time {run.finished_at ? '' : 'yet'}.</p>;
  return (
    <div className="setup-view">
      <table className="grid-table setup-lines">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Time</th>
            <th scope="col">Command</th>
            <th scope="col">
              <span className="visually-hidden">Show</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ line, duration_ms, count }) => (
            <tr key={line} className={line === run.failed_line ? 'is-failed' : undefined}>
              <td className="num">{line}</td>
              <td className="num setup-lines-time">
                <span className="setup-lines-bar" style={{ width: `${(duration_ms / longest) * 100}%` }} aria-hidden="true" />
                {formatDuration(duration_ms)}
                {count > 1 && <span className="faint"> · {count}×</span>}
              </td>
              <td className="mono clip setup-lines-text" title={scriptLine(run, line)}>
                {scriptLine(run, line)}
              </td>
              <td className="setup-lines-links">
                <button
                  type="button"
                  className="setup-line-link"
                  aria-label={`Line ${line} in the script`}
                  onClick={() => onToScript(line)}
                >
                  Script
                </button>
                <button type="button" className="setup-line-link" aria-label={`Line ${line} in the log`} onClick={() => onToLog(line)}>
                  Log
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
