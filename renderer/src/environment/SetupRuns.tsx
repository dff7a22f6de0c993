// The last runs of an environment; one is looked at, and any other is compared with it.
import { Button } from '@mantine/core';
import type { SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { useStored } from '../store/store.ts';
import { Ago } from '../ui/Ago.tsx';
import { Elapsed } from '../ui/Elapsed.tsx';
import { Status } from '../ui/Status.tsx';
import { capital, kindWord, runDurationMs, runTones } from './setup-words.ts';

interface SetupRunsProps {
  runs: readonly SetupRun[];
  shown: SetupRun;
  onPick: (run: SetupRun) => void;
  onCompare: (run: SetupRun) => void;
}

/** A runtime by its name; its id when it is no longer known. */
export const RuntimeName = ({ id }: { id: string }) => {
  const kind = useStored((state) => state.runtimes.find((runtime) => runtime.id === id)?.kind);
  return <>{kind === undefined || kind === 'unknown' ? id : capital(kind)}</>;
};

/** How long a run took, or has taken so far. */
export const RunTime = ({ run }: { run: SetupRun }) => (
  <Elapsed startedAt={run.finished_at ? null : run.started_at} durationMs={runDurationMs(run)} />
);

const RunRow = ({ run, shown, onPick, onCompare }: { run: SetupRun } & Omit<SetupRunsProps, 'runs'>) => (
  <tr aria-current={run.id === shown.id} className={run.id === shown.id ? 'is-shown' : undefined}>
    <td>
      <button type="button" className="setup-run-pick" onClick={() => onPick(run)} aria-pressed={run.id === shown.id}>
        <Status tone={runTones[run.status]} label={capital(run.status)} isHollow={run.status === 'cancelled'} />
      </button>
    </td>
    <td>
      <Ago at={run.created_at} />
    </td>
    <td>
      <RunTime run={run} />
    </td>
    <td className="num">{run.failed_line === null ? <span className="faint">–</span> : `Line ${run.failed_line}`}</td>
    <td className="dim">
      <RuntimeName id={run.runtime} />
      {(run.kind !== 'manual' || run.observed) && <span className="faint"> · {kindWord(run)}</span>}
    </td>
    <td style={{ textAlign: 'right' }}>
      {run.id === shown.id ? (
        <span className="faint">shown</span>
      ) : (
        <Button size="compact-xs" variant="subtle" onClick={() => onCompare(run)}>
          Compare
        </Button>
      )}
    </td>
  </tr>
);

/** The list. */
export const SetupRuns = ({ runs, shown, onPick, onCompare }: SetupRunsProps) => (
  <div className="setup-view">
    <table className="grid-table" aria-label="Recent setup runs">
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col">When</th>
          <th scope="col">Time</th>
          <th scope="col">Failed at</th>
          <th scope="col">Runtime</th>
          <th scope="col">
            <span className="visually-hidden">Compare with the shown run</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} shown={shown} onPick={onPick} onCompare={onCompare} />
        ))}
      </tbody>
    </table>
  </div>
);
