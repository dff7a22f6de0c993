// The head of the tab: what the setup runs prove now, what to do next, and the button that tests.
import { Button, Tooltip } from '@mantine/core';
import { IconEye, IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { SetupVerification } from '../../../sandbox-engine/contract/model.ts';
import { Shortcut } from '../ui/Shortcut.tsx';
import { Verdict } from '../ui/Verdict.tsx';
import { withCode } from '../ui/with-code.tsx';
import { verdictNext } from './setup-words.ts';

interface SetupVerdictProps {
  environmentId: string;
  verification: SetupVerification;
  isDirty: boolean;
  /** A script was typed where there is none yet. */
  isFirstScript: boolean;
  /** The run that it is about is reported below, with the reason and what to do. */
  isReported: boolean;
  /** Testing is what to do now. */
  isNext: boolean;
  isBusy: boolean;
  /** Why setup cannot be tested now. */
  obstacle: string | null;
  /** A privileged sandbox could lift whatever holds its network. */
  isPrivileged: boolean;
  onTest: () => void;
  /** Asks, then runs with an open network. */
  onObserve: () => void;
  /** What is shown below, where there is no room for all. */
  sides?: ReactNode;
}

const observeText = 'Runs the script with an open network to see what it reaches, then proposes the smallest rules. It proves nothing';

const ObserveButton = ({ isBusy, obstacle, isPrivileged, onObserve }: Omit<SetupVerdictProps, 'verification'>) => {
  const why = obstacle ?? (isPrivileged ? 'A privileged sandbox could lift whatever holds its network, so it cannot be observed.' : null);
  return (
    <Tooltip label={why ?? observeText} multiline maw={280}>
      <Button
        variant="default"
        aria-disabled={why !== null || isBusy}
        {...((why !== null || isBusy) && { 'data-disabled': true })}
        leftSection={<IconEye size={14} />}
        onClick={(event) => (why === null && !isBusy ? onObserve() : event.preventDefault())}
      >
        Observe
      </Button>
    </Tooltip>
  );
};

const TestButton = ({ isDirty, isNext, isBusy, obstacle, onTest }: Omit<SetupVerdictProps, 'verification'>) => {
  // Whoever has pressed it knows what it does, and looks at what is around it while it runs.
  const [isPressed, setPressed] = useState(false);
  const label = obstacle ?? 'Runs the script in a fresh sandbox, as a session would';
  return (
    <Tooltip label={label} disabled={isPressed} multiline maw={280}>
      <Button
        onMouseLeave={() => setPressed(false)}
        onBlur={() => setPressed(false)}
        variant={isNext ? 'filled' : 'default'}
        loading={isBusy}
        // Not `disabled`: a button that says why it does nothing must be reachable by keyboard.
        aria-disabled={obstacle !== null}
        {...(obstacle !== null && { 'data-disabled': true })}
        aria-describedby={obstacle === null ? undefined : 'setup-obstacle'}
        aria-keyshortcuts="Control+Enter"
        leftSection={<IconPlayerPlay size={14} />}
        rightSection={<Shortcut keys={['mod', '↵']} />}
        onClick={(event) => {
          if (obstacle !== null) return event.preventDefault();
          setPressed(true);
          onTest();
        }}
      >
        {isDirty ? 'Save and test setup' : 'Test setup'}
      </Button>
    </Tooltip>
  );
};

const newScript = { message: 'This script is not saved yet.', next: 'Save and test it: sessions then start from what it made.' };

/** The head. */
export const SetupVerdict = (props: SetupVerdictProps) => {
  const { verification, obstacle, environmentId, sides, isFirstScript, isReported } = props;
  const { message, next } = isFirstScript ? newScript : { message: verification.message, next: verdictNext(verification) };
  return (
    <section className="setup-verdict" aria-label="Setup verdict">
      <strong role="status">
        <Verdict verification={verification} environmentId={environmentId} />
      </strong>
      {sides}
      <div className="setup-verdict-text">
        <span>{message}</span> {!isReported && <span className="faint">{withCode(next)}</span>}
      </div>
      {obstacle !== null && (
        <span id="setup-obstacle" className="visually-hidden">
          {obstacle}
        </span>
      )}
      <ObserveButton {...props} />
      <TestButton {...props} />
    </section>
  );
};
