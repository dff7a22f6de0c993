// The setup script and its proof: edit on the left, test runs on the right, joined line by line.
import { Button, NumberInput, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChecklist, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SetupRun, SetupWarning } from '../../../sandbox-engine/contract/model.ts';
import { type Editing, useAsk } from '../store/actions.ts';
import { setupRunsOf } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { CodeField, type CodeFieldHandle } from '../ui/CodeField.tsx';
import type { CodeMark } from '../ui/code-marks.ts';
import { Empty } from '../ui/Empty.tsx';
import { formatAgo } from '../ui/format.ts';
import type { StreamViewHandle } from '../ui/StreamView.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { Verdict } from '../ui/Verdict.tsx';
import { isUnderWay, SetupRunView } from './SetupRunView.tsx';

const useWarnings = (script: string): SetupWarning[] => {
  const ask = useAsk();
  const [checked] = useDebouncedValue(script, 300);
  const [warnings, setWarnings] = useState<SetupWarning[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void ask('setup.check', { script: checked }).then((reply) => isCurrent && setWarnings(reply.ok ? reply.value.warnings : []));
    return () => {
      isCurrent = false;
    };
  }, [ask, checked]);
  return warnings;
};

/** The script with the line of a warning replaced by its fix. */
export const withFix = (script: string, warning: SetupWarning): string =>
  script
    .split('\n')
    .map((line, index) => (index + 1 === warning.line && warning.fix !== null ? warning.fix : line))
    .join('\n');

interface WarningListProps {
  warnings: readonly SetupWarning[];
  onLine: (line: number) => void;
  onFix: (warning: SetupWarning) => void;
}

const WarningList = ({ warnings, onLine, onFix }: WarningListProps) => {
  if (warnings.length === 0) return null;
  return (
    <section className="problems" aria-label="Advice about the script">
      {warnings.map((warning) => (
        <div className="row" key={`${warning.line} ${warning.code}`} style={{ paddingRight: 10 }}>
          <button type="button" className="problem" onClick={() => onLine(warning.line)}>
            <span className="num">line {warning.line}</span>
            <span>{warning.reason}</span>
          </button>
          {warning.fix !== null && (
            <Button size="compact-xs" variant="default" title={warning.fix} onClick={() => onFix(warning)}>
              Fix
            </Button>
          )}
        </div>
      ))}
    </section>
  );
};

const marksOf = (run: SetupRun | undefined, script: string, warnings: readonly SetupWarning[]): CodeMark[] => {
  const advice: CodeMark[] = warnings.map(({ line }) => ({ line, tone: 'warn' }));
  // Lines of a run belong to the script as it was run; after an edit they would point elsewhere.
  if (!run?.failed_line || run.script.trimEnd() !== script.trimEnd()) return advice;
  return [...advice.filter(({ line }) => line !== run.failed_line), { line: run.failed_line, tone: 'bad' }];
};

const runLabel = (run: SetupRun, now: number): string =>
  `${run.status}${run.failed_line ? ` at line ${run.failed_line}` : ''} · ${formatAgo(run.created_at, now)}${run.kind === 'manual' ? '' : ` · ${run.kind}`}`;

const useStart = (editing: Editing) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The setup run did not start');
  const start = async () => {
    const saved = await run(editing.save());
    if (!saved) return null;
    return await run(ask('setup_runs.create', { environment_id: saved.id, idempotency_key: crypto.randomUUID() }));
  };
  return { isBusy, start };
};

/** The tab. */
export const SetupTab = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const setup = patch.setup === undefined ? environment.setup : patch.setup;
  const script = setup?.script ?? '';
  const timeout = setup?.timeout_seconds ?? 600;
  const runs = useStored((state) => setupRunsOf(state, environment.id));
  const [picked, setPicked] = useState<string | null>(null);
  const shown = runs.find((candidate) => candidate.id === picked) ?? runs[0];
  const warnings = useWarnings(script);
  const field = useRef<CodeFieldHandle>(null);
  const log = useRef<StreamViewHandle>(null);
  const { isBusy, start } = useStart(editing);
  const marks = useMemo(() => marksOf(shown, script, warnings), [shown, script, warnings]);
  const problems = useMemo(
    () => warnings.map(({ line, reason }) => ({ line, column: 1, message: reason, severity: 'warning' as const })),
    [warnings],
  );
  const put = (text: string) => edit({ setup: text.trim() === '' ? null : { script: text, timeout_seconds: timeout } });
  const goTo = (line: number) => field.current?.goTo(line);
  const isRunning = runs.some(isUnderWay);

  return (
    <>
      <div className="tool-bar">
        <Verdict verification={environment.setup_verification} />
        <span className="faint clip">{environment.setup_verification.message}</span>
        <span className="grow" />
        {runs.length > 1 && (
          <Select
            aria-label="Which run to show"
            w={230}
            allowDeselect={false}
            data={runs.map((run) => ({ value: run.id, label: runLabel(run, Date.now()) }))}
            value={shown?.id ?? null}
            onChange={setPicked}
          />
        )}
        <NumberInput
          aria-label="Time limit of the script in seconds"
          w={110}
          min={10}
          max={3600}
          suffix=" s limit"
          value={timeout}
          disabled={!setup}
          onChange={(value) => setup && edit({ setup: { script, timeout_seconds: Number(value) || timeout } })}
        />
        <Button
          loading={isBusy}
          disabled={!setup || isRunning}
          leftSection={<IconPlayerPlay size={14} />}
          onClick={() => void start().then((run) => run && setPicked(run.id))}
        >
          {editing.isDirty ? 'Save & test' : 'Test setup'}
        </Button>
      </div>
      <div className="recipe-split is-both">
        <div className="recipe-code">
          <CodeField
            label="Setup script"
            mode="shell"
            value={script}
            onChange={put}
            problems={problems}
            marks={marks}
            onLine={(line) => log.current?.scrollToMark(line)}
            placeholder={
              '# Runs once in a fresh sandbox, with set -eo pipefail.\n# What it leaves behind is what every session starts from.'
            }
            isFilling
            hasLineNumbers
            handle={field}
          />
          <WarningList warnings={warnings} onLine={goTo} onFix={(warning) => put(withFix(script, warning))} />
        </div>
        <div className="recipe-code" style={{ background: 'var(--surface)' }}>
          {shown ? (
            <SetupRunView key={shown.id} run={shown} log={log} onLine={goTo} />
          ) : (
            <Empty icon={<IconChecklist size={20} />} title="Not tested yet">
              A test runs the script in a fresh sandbox, line by line. When it passes, its file system becomes the image that sessions start
              from; when it fails, you see the line, the reason and what to do.
            </Empty>
          )}
        </div>
      </div>
    </>
  );
};
