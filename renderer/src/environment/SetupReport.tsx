// What a run came to, in the order one should read it: hint and next action, failing line, exit code, end of stderr. Beside it the phases.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { CopyCommand, CopyText } from '../ui/Copy.tsx';
import { Facts } from '../ui/Facts.tsx';
import { formatBytes, formatDuration, shortDigest } from '../ui/format.ts';
import { StepList } from '../ui/StepList.tsx';
import { PackageButton } from './PackageButton.tsx';
import { RunBlocked } from './RunBlocked.tsx';
import { failedPhase, isInFlight, nextStep, phaseWord, runSteps, scriptLine, slowestFirst } from './setup-words.ts';

interface SetupReportProps {
  run: SetupRun;
  currentLine: number | null;
  onLine: (line: number) => void;
  onRaiseTimeout: (seconds: number) => void;
}

const failedTitle = (run: SetupRun): string => {
  const phase = failedPhase(run);
  if (phase === 'commit' && run.exit_code === 0) return 'Setup passed, but its reusable image failed.';
  if (phase !== 'setup') return `The run failed in “${phaseWord(phase)}”.`;
  return 'The script failed, and nothing we know explains it: read the end of its output.';
};

const NextButton = ({ run, onRaiseTimeout }: Pick<SetupReportProps, 'run' | 'onRaiseTimeout'>) => {
  const step = nextStep(run);
  const environment = useStored((state) => state.environments[run.environment_id]);
  if (step?.kind === 'package') return environment ? <PackageButton {...step} environment={environment} /> : null;
  if (step?.kind === 'tab')
    return (
      <Button component={Link} href={`/environments/${run.environment_id}/${step.tab}`} variant="default">
        {step.label}
      </Button>
    );
  if (step?.kind !== 'timeout') return null;
  return (
    <Button variant="default" onClick={() => onRaiseTimeout(step.seconds)}>
      Raise to {step.seconds} s
    </Button>
  );
};

const HintBanner = ({ run, onRaiseTimeout }: Pick<SetupReportProps, 'run' | 'onRaiseTimeout'>) => {
  const step = nextStep(run);
  return (
    <>
      <Banner
        isBar
        tone="bad"
        title={run.hint ?? failedTitle(run)}
        next={run.next_action}
        actions={<NextButton run={run} onRaiseTimeout={onRaiseTimeout} />}
      />
      {step?.kind === 'command' && (
        <div className="setup-command">
          <CopyCommand command={step.command} />
        </div>
      )}
    </>
  );
};

const LineButton = ({ line, onLine }: { line: number; onLine: (line: number) => void }) => (
  <button type="button" className="setup-line-link num" onClick={() => onLine(line)}>
    Line {line}
  </button>
);

type Fact = readonly [string, ReactNode];

const facts = (...items: (Fact | null)[]): Fact[] => items.filter((item) => item !== null);

const LineAndCommand = ({ line, command, onLine }: { line: number; command: string; onLine: (line: number) => void }) => (
  <span className="setup-at">
    <LineButton line={line} onLine={onLine} />
    {command !== '' && <code className="mono setup-command-text">{command}</code>}
  </span>
);

const FailureFacts = ({ run, onLine }: Pick<SetupReportProps, 'run' | 'onLine'>) => (
  <div className="setup-facts">
    <Facts
      items={facts(
        run.failed_line === null
          ? null
          : ['Failed at', <LineAndCommand key="line" line={run.failed_line} command={run.failed_command ?? ''} onLine={onLine} />],
        run.exit_code === null
          ? null
          : [
              'Exit code',
              <span key="code" className="mono">
                {run.exit_code}
              </span>,
            ],
      )}
    />
    {run.stderr_tail.trim() !== '' && (
      <section className="setup-said" aria-label="End of stderr">
        <div className="setup-tail-title">{run.failed_line === null ? 'End of stderr' : 'What the failing line said'}</div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls and must be reachable by keyboard */}
        <pre className="setup-tail" tabIndex={0}>
          {run.stderr_tail.trimEnd()}
        </pre>
      </section>
    )}
  </div>
);

const PreparedImage = ({ id, size }: { id: string; size: number | null }) => (
  <span className="row">
    <CopyText value={id} shown={shortDigest(id)} label="prepared image id" />
    {size !== null && <span className="dim num">{formatBytes(size)}</span>}
  </span>
);

const PassedFacts = ({ run, onLine }: Pick<SetupReportProps, 'run' | 'onLine'>) => {
  const slowest = slowestFirst(run)[0];
  return (
    <div className="setup-facts">
      <Facts
        items={facts(
          [
            'Lines run',
            <span key="lines" className="num">
              {run.line_times.length}
            </span>,
          ],
          slowest
            ? [
                'Slowest',
                <LineAndCommand key="slowest" line={slowest.line} command={formatDuration(slowest.duration_ms)} onLine={onLine} />,
              ]
            : null,
          run.prepared_image_id ? ['Image', <PreparedImage key="image" id={run.prepared_image_id} size={run.prepared_image_size} />] : null,
        )}
      />
    </div>
  );
};

const RunningFacts = ({ run, currentLine, onLine }: Pick<SetupReportProps, 'run' | 'currentLine' | 'onLine'>) => (
  <div className="setup-facts">
    {run.status === 'queued' && <span className="dim">Waiting for a free place.</span>}
    {run.status === 'running' && currentLine !== null && (
      <Facts items={[['Now at', <LineAndCommand key="now" line={currentLine} command={scriptLine(run, currentLine)} onLine={onLine} />]]} />
    )}
  </div>
);

/** The report. */
export const SetupReport = ({ run, currentLine, onLine, onRaiseTimeout }: SetupReportProps) => (
  <section aria-label="Result of the run" className="setup-report">
    {run.status === 'failed' && <HintBanner run={run} onRaiseTimeout={onRaiseTimeout} />}
    {!isInFlight(run) && <RunBlocked run={run} onLine={onLine} />}
    <div className="setup-report-panes">
      <StepList steps={runSteps(run)} label="Phases" />
      {isInFlight(run) && <RunningFacts run={run} currentLine={currentLine} onLine={onLine} />}
      {run.status === 'failed' && <FailureFacts run={run} onLine={onLine} />}
      {run.status === 'succeeded' && <PassedFacts run={run} onLine={onLine} />}
      {run.status === 'cancelled' && <div className="setup-facts dim">The run was cancelled: it says nothing about the environment.</div>}
    </div>
  </section>
);
