// What may go wrong in the script, with the line, the reason and the fix. Advice: nothing here stops a run.
import { Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import type { SetupWarning } from '../../../sandbox-engine/contract/model.ts';
import { counted } from '../ui/format.ts';
import { Shortcut } from '../ui/Shortcut.tsx';
import { withCode } from '../ui/with-code.tsx';

interface SetupWarningsProps {
  warnings: readonly SetupWarning[];
  onGoTo: (line: number) => void;
  onFix: (warning: SetupWarning) => void;
  onFixAll: () => void;
}

const WarningRow = ({ warning, onGoTo, onFix }: { warning: SetupWarning } & Pick<SetupWarningsProps, 'onGoTo' | 'onFix'>) => (
  <li className="setup-warning">
    <button type="button" className="text-button setup-warning-text" onClick={() => onGoTo(warning.line)}>
      <span className="num setup-warning-line">Line {warning.line}</span>
      <span>{withCode(warning.reason)}</span>
      {warning.fix !== null && <code className="mono clip setup-warning-fix">{warning.fix.trim()}</code>}
    </button>
    {warning.fix !== null && (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Fix line ${warning.line}: ${warning.fix.trim()}`}
        onClick={() => onFix(warning)}
      >
        Fix
      </Button>
    )}
  </li>
);

/** The list; nothing when there is nothing to say. */
export const SetupWarnings = ({ warnings, onGoTo, onFix, onFixAll }: SetupWarningsProps) => {
  if (warnings.length === 0) return null;
  const fixable = warnings.filter((warning) => warning.fix !== null).length;
  return (
    <section className="setup-warnings" aria-label="Warnings about the script">
      <div className="setup-warnings-head">
        <strong className="tone-warn">{counted(warnings.length, 'warning')}</strong>
        <span className="grow" />
        {fixable > 0 && (
          <span className="row faint">
            <Shortcut keys={['Alt', 'F']} /> fixes the line with the cursor
          </span>
        )}
        {fixable > 1 && (
          <Button size="compact-xs" variant="subtle" leftSection={<IconWand size={13} />} onClick={onFixAll}>
            Fix all {fixable}
          </Button>
        )}
      </div>
      <ul>
        {warnings.map((warning) => (
          <WarningRow key={`${warning.line}:${warning.code}:${warning.text}`} warning={warning} onGoTo={onGoTo} onFix={onFix} />
        ))}
      </ul>
    </section>
  );
};
