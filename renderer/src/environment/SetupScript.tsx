// The script: as it is edited now, or read only as it was when the shown run ran it. Lines lead to their place in the log.
import { Button, NumberInput, SegmentedControl } from '@mantine/core';
import { type MouseEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import type { EnvironmentPatch } from '../../../sandbox-engine/contract/calls.ts';
import type { SetupRun } from '../../../sandbox-engine/contract/model.ts';
import type { Editing } from '../store/actions.ts';
import { CodeField, type CodeFieldHandle } from '../ui/CodeField.tsx';
import { formatBytes } from '../ui/format.ts';
import { SetupWarnings } from './SetupWarnings.tsx';
import { applyAllFixes, applyFix, isSameScript, maxScriptBytes, scriptBytes } from './setup-script-text.ts';
import { maxTimeoutSeconds } from './setup-words.ts';
import { useSetupCheck } from './use-setup-check.ts';

const example =
  '# Bash, as the sandbox user, in /workspace. The first command that fails ends the run.\nsudo apt-get update\nsudo apt-get install -y jq';

/** The line to go to; a new object each time one is asked for. */
export interface LineWish {
  line: number;
}

interface SetupScriptProps {
  editing: Editing;
  run: SetupRun | null;
  /** The line that runs now. */
  currentLine: number | null;
  isShowingRun: boolean;
  onShowRun: (isShowing: boolean) => void;
  wish: LineWish | null;
  /** Where the cursor is, for the keys of the tab. */
  cursorLine: RefObject<number>;
  /** Mends the line with the cursor; for the keys of the tab. */
  fixAtCursor: RefObject<() => void>;
  onLineToLog: (line: number) => void;
}

type Setup = NonNullable<EnvironmentPatch['setup']>;

const ScriptSize = ({ script }: { script: string }) => {
  const bytes = scriptBytes(script);
  const isTooLarge = bytes > maxScriptBytes;
  return (
    <span
      className={isTooLarge ? 'num tone-bad' : 'num faint'}
      role={isTooLarge ? 'alert' : undefined}
      title={`${bytes} of ${maxScriptBytes} bytes`}
    >
      {formatBytes(bytes)} of 64 KiB{isTooLarge && ': too large to save'}
    </span>
  );
};

const ScriptHead = ({ setup, edit }: { setup: Setup | null; edit: (setup: Setup) => void }) => (
  <>
    <ScriptSize script={setup?.script ?? ''} />
    <span className="grow" />
    {/* biome-ignore lint/a11y/noLabelWithoutControl: the input is inside */}
    <label className="row dim">
      <span>Timeout</span>
      <NumberInput
        aria-label="Timeout in seconds, 10 to 3600"
        id="setup-timeout"
        w={96}
        min={10}
        max={maxTimeoutSeconds}
        step={60}
        allowDecimal={false}
        suffix=" s"
        disabled={!setup}
        value={setup?.timeout_seconds ?? 600}
        onBlur={() => setup && edit({ ...setup, timeout_seconds: Math.min(maxTimeoutSeconds, Math.max(10, setup.timeout_seconds ?? 600)) })}
        onChange={(value) => setup && typeof value === 'number' && edit({ ...setup, timeout_seconds: value })}
      />
    </label>
  </>
);

const gutterLine = (event: MouseEvent): number | null => {
  const cell = (event.target as HTMLElement).closest('.cm-lineNumbers .cm-gutterElement');
  return cell ? Number(cell.textContent) || null : null;
};

const marksOf = (run: SetupRun | null, currentLine: number | null) => {
  if (run?.failed_line != null) return [{ line: run.failed_line, tone: 'bad' as const }];
  return run?.status === 'running' && currentLine !== null ? [{ line: currentLine, tone: 'run' as const }] : [];
};

/** The pane. */
export const SetupScript = (props: SetupScriptProps) => {
  const { editing, run, currentLine, isShowingRun, onShowRun, wish, cursorLine, fixAtCursor, onLineToLog } = props;
  const { environment, patch, edit } = editing;
  const setup = patch.setup === undefined ? environment.setup : patch.setup;
  const script = setup?.script ?? '';
  const differs = run !== null && !isSameScript(run.script, script);
  const isRunShown = differs && isShowingRun;
  const warnings = useSetupCheck(script);
  const field = useRef<CodeFieldHandle>(null);

  const setScript = (text: string) =>
    edit({ setup: text.trim() === '' ? null : { script: text, timeout_seconds: setup?.timeout_seconds ?? 600 } });
  fixAtCursor.current = () => {
    const fixable = warnings.filter((warning) => warning.fix !== null);
    const found = fixable.find((warning) => warning.line === cursorLine.current) ?? fixable[0];
    if (!found || isRunShown) return;
    setScript(applyFix(script, found));
    requestAnimationFrame(() => field.current?.goTo(found.line));
  };

  const failedLine = run?.failed_line ?? null;
  const isMarked = isRunShown || !differs;
  const marks = useMemo(
    () => (isMarked ? marksOf(run, currentLine) : []),
    // Only what the marks are made of: a run is a new object with each of its changes.
    // biome-ignore lint/correctness/useExhaustiveDependencies: see above
    [isMarked, failedLine, run?.status, currentLine],
  );
  const problems = useMemo(
    () => warnings.map(({ line, reason }) => ({ line, column: 1, message: reason, severity: 'warning' as const })),
    [warnings],
  );

  useEffect(() => {
    if (!wish) return;
    const frame = requestAnimationFrame(() => field.current?.goTo(wish.line));
    return () => cancelAnimationFrame(frame);
  }, [wish]);

  const onGutter = (event: MouseEvent) => {
    const line = gutterLine(event);
    if (line !== null && run && isMarked) onLineToLog(line);
  };

  return (
    <section className="setup-script" aria-label="Setup script">
      <div className="setup-pane-head">
        {differs ? (
          <SegmentedControl
            aria-label="Which script to show"
            value={isRunShown ? 'run' : 'now'}
            onChange={(value) => onShowRun(value === 'run')}
            data={[
              { value: 'now', label: 'Script now' },
              { value: 'run', label: 'As it was run' },
            ]}
          />
        ) : (
          <h2 className="panel-title">Script</h2>
        )}
        {isRunShown ? <span className="faint clip">Read only</span> : <ScriptHead setup={setup} edit={(next) => edit({ setup: next })} />}
      </div>
      {differs && (
        <div className="setup-note" role="status">
          <span className="grow">
            {isRunShown
              ? 'This is the script that the shown run ran. The script was changed since.'
              : `The shown run ran another script${failedLine === null ? '' : `, so its failing line ${failedLine} is not marked here`}.`}
          </span>
          {!isRunShown && (
            <Button size="compact-xs" variant="default" onClick={() => onShowRun(true)}>
              Show that script
            </Button>
          )}
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Alt+J does the same from the keyboard */}
      <div className={run && isMarked ? 'setup-code has-log' : 'setup-code'} onClick={onGutter}>
        <CodeField
          key={isRunShown ? `run ${run.id}` : 'now'}
          label={isRunShown ? 'Setup script as it was run' : 'Setup script'}
          mode="shell"
          value={isRunShown ? run.script : script}
          isFilling
          hasLineNumbers
          marks={marks}
          placeholder={example}
          handle={field}
          onLine={(line) => {
            cursorLine.current = line;
          }}
          {...(!isRunShown && { onChange: setScript, problems })}
        />
      </div>
      {!isRunShown && (
        <SetupWarnings
          warnings={warnings}
          onGoTo={(line) => field.current?.goTo(line)}
          onFix={(warning) => setScript(applyFix(script, warning))}
          onFixAll={() => setScript(applyAllFixes(script, warnings))}
        />
      )}
    </section>
  );
};
