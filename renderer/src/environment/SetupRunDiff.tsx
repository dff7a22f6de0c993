// Two runs side by side: what each came to, what of the environment differed, and how the script was changed between them.
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { Ago } from '../ui/Ago.tsx';
import { showCodeDiff } from '../ui/code-diff.ts';
import { fieldWord } from '../ui/field-words.ts';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { Status } from '../ui/Status.tsx';
import { RunTime, RuntimeName } from './SetupRuns.tsx';
import { isSameScript } from './setup-script-text.ts';
import { phaseWord, runState } from './setup-words.ts';

interface SetupRunDiffProps {
  /** The older of the two. */
  before: SetupRun;
  after: SetupRun;
  onClose: () => void;
}

const phaseTime = (run: SetupRun, phase: SetupRun['phase']): number | null =>
  run.phases.find((candidate) => candidate.phase === phase)?.duration_ms ?? null;

const timeText = (milliseconds: number | null): string => (milliseconds === null ? '–' : formatDuration(milliseconds));

/** Names of what the verdict depends on and that differs between two runs, the script left out: it is shown as a whole. */
const changedFields = (before: SetupRun, after: SetupRun): string[] =>
  (Object.keys(after.verdict_key) as (keyof SetupRun['verdict_key'])[]).filter(
    (field) => field !== 'setup' && before.verdict_key[field] !== after.verdict_key[field],
  );

const timedPhases = ['provision', 'setup', 'commit'] as const;

const rows: { name: string; text: (run: SetupRun) => string; show?: (run: SetupRun) => ReactNode }[] = [
  { name: 'Result', text: (run) => run.status, show: (run) => <Status {...runState(run)} /> },
  { name: 'Exit code', text: (run) => String(run.exit_code ?? '–') },
  {
    name: 'Failed at',
    text: (run) => (run.failed_line === null ? '–' : `Line ${run.failed_line}: ${run.failed_command ?? ''}`),
  },
  { name: 'Hint', text: (run) => run.hint ?? '–' },
  { name: 'Whole time', text: (run) => run.id, show: (run) => <RunTime run={run} /> },
  ...timedPhases.map((phase) => ({ name: phaseWord(phase), text: (run: SetupRun) => timeText(phaseTime(run, phase)) })),
  { name: 'Timeout', text: (run) => `${run.timeout_seconds} s` },
  { name: 'Image', text: (run) => (run.prepared_image_size === null ? '–' : formatBytes(run.prepared_image_size)) },
  { name: 'Runtime', text: (run) => run.runtime, show: (run) => <RuntimeName id={run.runtime} /> },
];

/** The result always, all else only where it differs. */
const isTold =
  (before: SetupRun, after: SetupRun) =>
  ({ name, text }: (typeof rows)[number]): boolean =>
    name === 'Result' || text(before) !== text(after);

const ResultTable = ({ before, after }: Pick<SetupRunDiffProps, 'before' | 'after'>) => (
  <table className="grid-table setup-diff-table" aria-label="Results of the two runs">
    <thead>
      <tr>
        <th scope="col">
          <span className="visually-hidden">What</span>
        </th>
        {[before, after].map((run) => (
          <th scope="col" key={run.id}>
            Run of <Ago at={run.created_at} />
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.filter(isTold(before, after)).map(({ name, text, show = text }) => (
        <tr key={name} className={text(before) === text(after) ? undefined : 'is-different'}>
          <th scope="row">{name}</th>
          <td>{show(before)}</td>
          <td>{show(after)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const ScriptDiff = ({ before, after }: { before: string; after: string }) => {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(
    () => (parent.current ? showCodeDiff(parent.current, before, after, 'Changes of the setup script between the two runs') : undefined),
    [before, after],
  );
  return <div className="code-field setup-diff-code" ref={parent} />;
};

/** The comparison. */
export const SetupRunDiff = ({ before, after, onClose }: SetupRunDiffProps) => {
  const fields = changedFields(before, after);
  return (
    <div className="setup-view">
      <div className="setup-pane-head">
        <strong>Two runs compared</strong>
        <span className="grow" />
        <Button size="compact-xs" variant="default" onClick={onClose}>
          Back to the list
        </Button>
      </div>
      <ResultTable before={before} after={after} />
      <p className="setup-nothing">
        {fields.length === 0
          ? 'Everything else that a verdict depends on was the same.'
          : `Also changed: ${fields.map(fieldWord).join(', ')}.`}
      </p>
      {isSameScript(before.script, after.script) ? (
        <p className="setup-nothing">Both ran the same script.</p>
      ) : (
        <ScriptDiff before={before.script} after={after.script} />
      )}
    </div>
  );
};
