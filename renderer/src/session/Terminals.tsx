// The terminals of a session: one in front, or two side by side; the launch while there is none yet.
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconTerminal2 } from '@tabler/icons-react';
import { type CSSProperties, useRef } from 'react';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { Empty } from '../ui/Empty.tsx';
import { Panel } from '../ui/Panel.tsx';
import { usePageDeeds } from '../ui/page-deeds.tsx';
import { StepList } from '../ui/StepList.tsx';
import { launchSteps } from './SessionSide.tsx';
import { SplitHandle } from './SplitHandle.tsx';
import { TerminalPane } from './TerminalPane.tsx';
import { TerminalTabs } from './TerminalTabs.tsx';
import { useTerminals } from './use-terminals.ts';
import { wayBackWords } from './way-back.ts';

const Launching = ({ session }: { session: Session }) => (
  <div className="launching">
    <Panel title={session.status === 'failed' ? 'The launch failed' : 'Launching'} note={session.environment_name} isFlush>
      <StepList steps={launchSteps(session)} label="Launch steps" />
    </Panel>
  </div>
);

/** The tabs and what they show. */
export const Terminals = ({ session }: { session: Session }) => {
  const room = useRef<HTMLDivElement>(null);
  const tabs = useTerminals(session, room);
  const { terminals, active, beside, share, isBusy, open, close, split, join, setShare, pick, titleOf, rename } = tabs;
  const isRunning = session.status === 'running';
  const divide = () => {
    if (beside !== null) join();
    else if (isRunning && terminals.length > 0) void split();
  };
  useHotkeys(
    [
      ['mod+shift+T', () => void (isRunning && open())],
      ['mod+shift+Digit5', divide, { usePhysicalKeys: true }],
    ],
    [],
  );
  usePageDeeds([isRunning && beside === null && terminals.length > 0 && { label: 'Split the terminals', run: divide }]);
  const placeOf = (id: string) => (id === beside ? 'right' : id !== active ? null : beside === null ? 'all' : 'left');
  return (
    <div className="session-main">
      <TerminalTabs
        terminals={terminals}
        earlier={tabs.earlier}
        titleOf={titleOf}
        active={active}
        beside={beside}
        canOpen={isRunning}
        onPick={pick}
        onOpen={() => void open()}
        onReopen={tabs.reopen}
        onSplit={() => void split()}
        onJoin={join}
        onClose={(terminal) => void close(terminal)}
        onRename={rename}
      />
      <div className="term-room" ref={room} style={{ '--split': `${share}%` } as CSSProperties}>
        {terminals.map((terminal) => (
          <TerminalPane key={terminal.id} terminal={terminal} place={placeOf(terminal.id)} />
        ))}
        {beside !== null && <SplitHandle share={share} onShare={setShare} />}
        {terminals.length === 0 && !isBusy && (session.status === 'starting' || session.status === 'failed') && (
          <Launching session={session} />
        )}
        {terminals.length === 0 && isRunning && !isBusy && (
          <Empty
            icon={<IconTerminal2 size={20} />}
            title="No terminal open"
            actions={
              <Button variant="default" onClick={() => void open()}>
                New terminal
              </Button>
            }
          >
            The session goes on running without one.
          </Empty>
        )}
        {terminals.length === 0 && (session.status === 'stopped' || session.status === 'ended') && (
          <Empty icon={<IconTerminal2 size={20} />} title="No terminal was left open">
            {session.status === 'stopped' ? `${wayBackWords(session)} to open one.` : 'There is no output to read.'}
          </Empty>
        )}
      </div>
    </div>
  );
};
