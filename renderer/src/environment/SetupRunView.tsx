// One setup run: hint first, then the failing line, the phases with their times, and the log.
import { Button } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { type RefObject, useMemo } from 'react';
import type { SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { formatBytes } from '../ui/format.ts';
import { StepList } from '../ui/StepList.tsx';
import { StreamView, type StreamViewHandle } from '../ui/StreamView.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { setupLogFeed } from './setup-log.ts';

const phaseNames = {
  provision: 'Start sandbox',
  gpu_check: 'Look for GPU',
  setup: 'Run script',
  profile: 'Read profile',
  commit: 'Save image',
  cleanup: 'Clean up',
};

/** Whether a run goes on. */
export const isUnderWay = (run: SetupRun): boolean => run.status === 'queued' || run.status === 'provisioning' || run.status === 'running';

const failureTitle = (run: SetupRun): string => {
  if (run.phase === 'commit' && run.failed_line === null) return 'Setup passed, but its reusable image failed.';
  if (run.hint) return run.hint;
  return run.failed_line ? `Line ${run.failed_line} failed.` : 'The setup run failed.';
};

const Result = ({ run, onLine }: { run: SetupRun; onLine: (line: number) => void }) => {
  if (run.status === 'cancelled') return <Banner isBar tone="plain" title="Cancelled" next="A cancelled run records no verdict." />;
  if (run.status === 'succeeded')
    return (
      <Banner
        isBar
        tone="ok"
        title="Setup passed"
        next={`Sessions start from what it prepared${run.prepared_image_size === null ? '' : ` (${formatBytes(run.prepared_image_size)})`} and repeat none of it.`}
      />
    );
  if (run.status !== 'failed') return null;
  const { failed_line: line } = run;
  return (
    <>
      <Banner
        isBar
        tone="bad"
        title={failureTitle(run)}
        next={
          <>
            {line !== null && (
              <div className="mono">
                line {line}: {run.failed_command} {run.exit_code !== null && `(exit code ${run.exit_code})`}
              </div>
            )}
            {run.next_action}
          </>
        }
        actions={
          line !== null && (
            <Button variant="default" onClick={() => onLine(line)}>
              Go to line {line}
            </Button>
          )
        }
      />
    </>
  );
};

interface SetupRunViewProps {
  run: SetupRun;
  log: RefObject<StreamViewHandle | null>;
  /** A line of the script was asked for, in the result or in the log. */
  onLine: (line: number) => void;
}

/** The run. */
export const SetupRunView = ({ run, log, onLine }: SetupRunViewProps) => {
  const ask = useAsk();
  const { isBusy, run: call } = useBusy('The run was not cancelled');
  const feed = useMemo(() => setupLogFeed(ask, run.id), [ask, run.id]);
  const phases = run.phases.map((phase) => ({
    name: phaseNames[phase.phase],
    status: phase.status,
    startedAt: phase.started_at,
    durationMs: phase.duration_ms,
  }));
  return (
    <section className="setup-run" aria-label="Setup run">
      <Result run={run} onLine={onLine} />
      <div className="row" style={{ alignItems: 'flex-start', borderBottom: '1px solid var(--line)' }}>
        <div className="grow">
          <StepList steps={phases} label="Phases of the run" />
        </div>
        {isUnderWay(run) && (
          <Button
            variant="default"
            m={8}
            loading={isBusy}
            leftSection={<IconPlayerStop size={14} />}
            onClick={() => void call(ask('setup_runs.cancel', { setup_run_id: run.id }))}
          >
            Cancel run
          </Button>
        )}
      </div>
      <div className="grow" style={{ minHeight: 0 }}>
        <StreamView label="Setup log" feed={feed} handle={log} onPickMark={onLine} />
      </div>
    </section>
  );
};
