// The script: as it is edited now, or read only as it was when the shown run ran it. Lines lead to their place in the log.
import { Button, NumberInput, SegmentedControl } from '@mantine/core';
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import type { EnvironmentPatch } from '../../../sandbox-engine/contract/calls.ts';
import type { SetupRun } from '../../../sandbox-engine/contract/model.ts';
import type { Editing } from '../store/actions.ts';
import { CodeField, type CodeFieldHandle } from '../ui/CodeField.tsx';
import type { CodeMark } from '../ui/code-marks.ts';
import { formatBytes } from '../ui/format.ts';
import { SetupWarnings } from './SetupWarnings.tsx';
import { applyAllFixes, applyFix, isSameScript, maxScriptBytes, scriptBytes } from './setup-script-text.ts';
import { maxTimeoutSeconds } from './setup-words.ts';
import { useSetupCheck } from './use-setup-check.ts';

/** One line, as it is numbered; it promises no command that a closed network would refuse. */
const example = '# Bash in /workspace. What fails ends the run.';

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
      {formatBytes(bytes)}
      {bytes > maxScriptBytes / 2 && ' of 64 KiB'}
      {isTooLarge && ': too large to save'}
    </span>
  );
};

const ScriptHead = ({ setup, edit }: { setup: Setup | null; edit: (setup: Setup) => void }) => (
  <>
    <ScriptSize script={setup?.script ?? ''} />
    <span className="grow" />
    {/* biome-ignore lint/a11y/noLabelWithoutControl: the input is inside */}
    <label className="row dim setup-timeout">
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

/** The failing line, or the one that runs now; only where the shown script is the one that was run. */
const useMarks = (run: SetupRun | null, currentLine: number | null, isMarked: boolean): CodeMark[] => {
  const failed = run?.failed_line ?? null;
  const running = run?.status === 'running' ? currentLine : null;
  return useMemo(() => {
    if (!isMarked) return [];
    if (failed !== null) return [{ line: failed, tone: 'bad' }];
    return running === null ? [] : [{ line: running, tone: 'run' }];
  }, [isMarked, failed, running]);
};

/** The script that is edited, and whether the shown run ran another one. */
const useScript = ({ editing, run, isShowingRun }: Pick<SetupScriptProps, 'editing' | 'run' | 'isShowingRun'>) => {
  const { environment, patch, edit } = editing;
  const setup = patch.setup === undefined ? environment.setup : patch.setup;
  const script = setup?.script ?? '';
  const warnings = useSetupCheck(script);
  const differs = run !== null && !isSameScript(run.script, script);
  const setScript = (text: string) =>
    edit({ setup: text.trim() === '' ? null : { script: text, timeout_seconds: setup?.timeout_seconds ?? 600 } });
  const problems = useMemo(
    () => warnings.map(({ line, reason }) => ({ line, column: 1, message: reason, severity: 'warning' as const })),
    [warnings],
  );
  return { setup, script, setScript, warnings, problems, differs, runShown: differs && isShowingRun ? run : null };
};

const OtherScriptNote = ({ run, isRunShown, onShowRun }: { run: SetupRun; isRunShown: boolean; onShowRun: () => void }) => {
  const missing = run.failed_line === null ? '' : `, so its failing line ${run.failed_line} is not marked here`;
  if (isRunShown) return <NoteBar text="This is the script that the shown run ran. The script was changed since." />;
  return (
    <NoteBar text={`The shown run ran another script${missing}.`}>
      <Button size="compact-xs" variant="default" onClick={onShowRun}>
        Show that script
      </Button>
    </NoteBar>
  );
};

const NoteBar = ({ text, children }: { text: string; children?: ReactNode }) => (
  <div className="setup-note" role="status">
    <span className="grow">{text}</span>
    {children}
  </div>
);

const WhichScript = ({ isRunShown, onShowRun }: { isRunShown: boolean; onShowRun: (isShowing: boolean) => void }) => (
  <SegmentedControl
    aria-label="Which script to show"
    value={isRunShown ? 'run' : 'now'}
    onChange={(value) => onShowRun(value === 'run')}
    data={[
      { value: 'now', label: 'Script now' },
      { value: 'run', label: 'As it was run' },
    ]}
  />
);

interface ScriptCodeProps extends Pick<SetupScriptProps, 'run' | 'currentLine' | 'cursorLine' | 'onLineToLog'> {
  shown: ReturnType<typeof useScript>;
  handle: RefObject<CodeFieldHandle | null>;
}

const ScriptCode = ({ shown, run, currentLine, cursorLine, onLineToLog, handle }: ScriptCodeProps) => {
  const { runShown, script, setScript, problems } = shown;
  const isMarked = run !== null && (runShown !== null || !shown.differs);
  const marks = useMarks(run, currentLine, isMarked);
  const onGutter = (event: MouseEvent) => {
    const line = gutterLine(event);
    if (line !== null && isMarked) onLineToLog(line);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Alt+J does the same from the keyboard
    <div className={`code-pane setup-code${isMarked ? ' has-log' : ''}`} onClick={onGutter}>
      <CodeField
        key={runShown?.id ?? 'now'}
        label={runShown ? 'Setup script as it was run' : 'Setup script'}
        mode="shell"
        value={runShown ? runShown.script : script}
        isFilling
        hasLineNumbers
        marks={marks}
        placeholder={example}
        handle={handle}
        onLine={(line) => {
          cursorLine.current = line;
        }}
        {...(!runShown && { onChange: setScript, problems })}
      />
    </div>
  );
};

/** The pane. */
export const SetupScript = (props: SetupScriptProps) => {
  const { editing, run, onShowRun, wish, cursorLine, fixAtCursor } = props;
  const shown = useScript(props);
  const { setup, script, setScript, warnings, differs } = shown;
  const isRunShown = shown.runShown !== null;
  const field = useRef<CodeFieldHandle>(null);

  fixAtCursor.current = () => {
    const fixable = warnings.filter((warning) => warning.fix !== null);
    const found = fixable.find((warning) => warning.line === cursorLine.current) ?? fixable[0];
    if (!found || isRunShown) return;
    setScript(applyFix(script, found));
    requestAnimationFrame(() => field.current?.goTo(found.line));
  };

  useEffect(() => {
    if (!wish) return;
    const frame = requestAnimationFrame(() => field.current?.goTo(wish.line));
    return () => cancelAnimationFrame(frame);
  }, [wish]);

  return (
    <section className="setup-script" aria-label="Setup script">
      <div className="setup-pane-head">
        {differs ? <WhichScript isRunShown={isRunShown} onShowRun={onShowRun} /> : <h2 className="panel-title">Script</h2>}
        {isRunShown ? (
          <span className="faint clip">Read only</span>
        ) : (
          <ScriptHead setup={setup} edit={(next) => editing.edit({ setup: next })} />
        )}
      </div>
      <ScriptCode {...props} shown={shown} handle={field} />
      {/* Below the script: it comes with the first key that is typed, and must not move what is typed in. */}
      {run && differs && <OtherScriptNote run={run} isRunShown={isRunShown} onShowRun={() => onShowRun(true)} />}
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
