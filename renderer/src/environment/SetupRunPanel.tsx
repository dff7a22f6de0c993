// The Setup test panel: one run with its phases and its result, and below it the log, the times, other runs, other runtimes.
import './setup-diff.css';
import './setup-run.css';
import './setup-run-low.css';
import { Button, SegmentedControl } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useState } from 'react';
import type { NetworkPolicy, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { Ago } from '../ui/Ago.tsx';
import { Shortcut } from '../ui/Shortcut.tsx';
import { Status } from '../ui/Status.tsx';
import { ObservedRun } from './ObservedRun.tsx';
import { SetupLines } from './SetupLines.tsx';
import { SetupLog } from './SetupLog.tsx';
import { type Parity, SetupParity } from './SetupParity.tsx';
import { SetupReport } from './SetupReport.tsx';
import { SetupRunDiff } from './SetupRunDiff.tsx';
import { RunTime, RuntimeName, SetupRuns } from './SetupRuns.tsx';
import type { LineWish } from './SetupScript.tsx';
import type { LogNews, LogPlaces } from './setup-log-feed.ts';
import { isInFlight, kindWord, runState } from './setup-words.ts';

export const runViews = ['log', 'lines', 'runs', 'parity'] as const;

export type RunView = (typeof runViews)[number];

interface SetupRunPanelProps {
  /** What stands over all of it. */
  note: ReactNode;
  run: SetupRun;
  runs: readonly SetupRun[];
  view: RunView;
  onView: (view: RunView) => void;
  places: RefObject<LogPlaces>;
  currentLine: number | null;
  logWish: LineWish | null;
  onNews: (news: LogNews) => void;
  onPick: (run: SetupRun) => void;
  onCancel: (runId: string) => Promise<void>;
  onToScript: (line: number) => void;
  onToLog: (line: number) => void;
  onRaiseTimeout: (seconds: number) => void;
  onEnforce: (policy: NetworkPolicy) => void;
  obstacle: string | null;
  isDirty: boolean;
}

const CancelButton = ({ run, onCancel }: Pick<SetupRunPanelProps, 'run' | 'onCancel'>) => {
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    await onCancel(run.id);
    setBusy(false);
  };
  return (
    <Button variant="default" loading={isBusy} leftSection={<IconPlayerStop size={14} />} onClick={() => void cancel()}>
      Cancel run
    </Button>
  );
};

const RunHead = ({ run, onCancel }: Pick<SetupRunPanelProps, 'run' | 'onCancel'>) => (
  <div className="setup-pane-head">
    <span role="status">
      <Status {...runState(run)} isHollow={run.status === 'cancelled'} />
    </span>
    <span className="num" title="From the start of the run to its end">
      <RunTime run={run} />
    </span>
    <span className="faint clip">
      {/* The state of an observed run says what it was. */}
      {kindWord(run) !== runState(run).label && `${kindWord(run)} · `}
      <RuntimeName id={run.runtime} /> · <Ago at={run.created_at} />
    </span>
    <span className="grow" />
    {isInFlight(run) && run.kind !== 'session' && <CancelButton key={run.id} run={run} onCancel={onCancel} />}
  </div>
);

const views = (runs: number) => [
  { value: 'log', label: 'Log' },
  { value: 'lines', label: 'Line times' },
  { value: 'runs', label: `Runs ${runs}` },
  { value: 'parity', label: 'Runtimes' },
];

const RunsView = ({ run, runs, onPick }: Pick<SetupRunPanelProps, 'run' | 'runs' | 'onPick'>) => {
  const [other, setOther] = useState<string | null>(null);
  const compared = runs.find((candidate) => candidate.id === other && candidate.id !== run.id);
  if (!compared) return <SetupRuns runs={runs} shown={run} onPick={onPick} onCompare={({ id }) => setOther(id)} />;
  const [before, after] = compared.created_at < run.created_at ? [compared, run] : [run, compared];
  return <SetupRunDiff before={before} after={after} onClose={() => setOther(null)} />;
};

/** The panel. */
export const SetupRunPanel = (props: SetupRunPanelProps) => {
  const { run, runs, view, onView, places, currentLine, logWish, onNews, onToScript, onToLog } = props;
  const [parity, setParity] = useState<Parity | null>(null);
  return (
    <section className="setup-run" aria-label="Setup test">
      {props.note}
      <RunHead run={run} onCancel={props.onCancel} />
      <ObservedRun run={run} onEnforce={props.onEnforce} />
      <SetupReport run={run} currentLine={currentLine} onLine={onToScript} onRaiseTimeout={props.onRaiseTimeout} />
      <div className="setup-views">
        <SegmentedControl
          aria-label="What to show of the run"
          value={view}
          onChange={(value) => onView(value as RunView)}
          data={views(runs.length)}
        />
        <span className="grow" />
        <span className="row faint setup-key" title="Goes between the line with the cursor and its place in the log">
          <Shortcut keys={['Alt', 'J']} /> script ↔ log
        </span>
      </div>
      {view === 'log' && <SetupLog key={run.id} runId={run.id} places={places} wish={logWish} onPickLine={onToScript} onNews={onNews} />}
      {view === 'lines' && <SetupLines run={run} onToScript={onToScript} onToLog={onToLog} />}
      {view === 'runs' && <RunsView run={run} runs={runs} onPick={props.onPick} />}
      {view === 'parity' && (
        <SetupParity
          environmentId={run.environment_id}
          obstacle={props.obstacle}
          isDirty={props.isDirty}
          parity={parity}
          onParity={setParity}
        />
      )}
    </section>
  );
};
