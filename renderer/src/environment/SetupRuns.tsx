// The runs of an environment; one is looked at, and any other is compared with it.
import { Button } from '@mantine/core';
import { useCallback } from 'react';
import type { SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { usePages } from '../store/use-pages.ts';
import { Ago } from '../ui/Ago.tsx';
import { Banner } from '../ui/Banner.tsx';
import { Elapsed } from '../ui/Elapsed.tsx';
import { type RowFocus, RowList, type RowListColumn } from '../ui/RowList.tsx';
import { Status } from '../ui/Status.tsx';
import { capital, kindWord, runDurationMs, runState } from './setup-words.ts';

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

const RunPick = ({
  run,
  focus,
  isShown,
  onPick,
}: {
  run: SetupRun;
  focus: RowFocus;
  isShown: boolean;
  onPick: (run: SetupRun) => void;
}) => (
  <button type="button" className="setup-run-pick" {...focus} onClick={() => onPick(run)} aria-pressed={isShown}>
    <Status {...runState(run)} isHollow={run.status === 'cancelled'} />
  </button>
);

const plainColumns: readonly RowListColumn<SetupRun>[] = [
  { name: 'When', cell: ({ created_at: at }) => <Ago at={at} /> },
  { name: 'Time', cell: (run) => <RunTime run={run} /> },
  {
    name: 'Failed at',
    cell: ({ failed_line: line }) => (line === null ? <span className="faint">–</span> : <span className="num">Line {line}</span>),
  },
  {
    name: 'Runtime',
    cell: (run) => (
      <span className="dim">
        <RuntimeName id={run.runtime} />
        {(run.kind !== 'manual' || run.observed) && <span className="faint"> · {kindWord(run)}</span>}
      </span>
    ),
  },
];

/** The list; older runs are read as one scrolls. */
export const SetupRuns = ({ runs, shown, onPick, onCompare }: SetupRunsProps) => {
  const ask = useAsk();
  const environmentId = shown.environment_id;
  const load = useCallback(
    (cursor: { cursor?: string }) => ask('setup_runs.list', { environment_id: environmentId, limit: 50, ...cursor }),
    [ask, environmentId],
  );
  const { hasMore, problem, loadMore } = usePages(load);
  return (
    <div className="setup-view is-list">
      {problem && <Banner isBar tone="bad" title={problem.message} next={problem.next_action} />}
      <RowList
        label="Recent setup runs"
        layout="is-setup-runs"
        rows={runs}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Run',
            cell: (run, focus) => <RunPick run={run} focus={focus} isShown={run.id === shown.id} onPick={onPick} />,
          },
          ...plainColumns,
          {
            name: 'Compare with the shown run',
            isNameHidden: true,
            isNumber: true,
            cell: (run, _focus, part) =>
              run.id === shown.id ? (
                <span className="faint">shown</span>
              ) : (
                <Button {...part} size="compact-xs" variant="subtle" onClick={() => onCompare(run)}>
                  Compare
                </Button>
              ),
          },
        ]}
        chosen={shown.id}
        onEnd={hasMore ? loadMore : undefined}
      />
    </div>
  );
};
