// What can be done to a session, with what it costs said before.
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { confirm } from '../ui/confirm.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';

/** Stop or resume as a button, the rest in a menu. */
export const SessionActions = ({ session }: { session: Session }) => {
  const ask = useAsk();
  const [, go] = useLocation();
  const { isBusy, run } = useBusy(`“${session.name}” was not changed`);
  const byId = { session_id: session.id };

  const stop = () =>
    confirm({
      title: `Stop “${session.name}”?`,
      body: 'Its programs and terminals end. The workspace stays, and Resume brings the sandbox back with everything that is in its file system.',
      confirm: 'Stop session',
      onConfirm: () => void run(ask('sessions.stop', byId)),
    });
  const restart = () =>
    confirm({
      title: `Restart “${session.name}”?`,
      body: 'Its programs and terminals end, then the same sandbox starts again and runs its start script. The workspace stays.',
      confirm: 'Restart session',
      onConfirm: () => void run(ask('sessions.restart', byId)),
    });
  const remove = async () => {
    if (!(await run(ask('sessions.delete', byId)))) return;
    notifyDone(`“${session.name}” is deleted.`);
    go('/sessions');
  };
  const askToRemove = () =>
    confirm({
      title: `Delete “${session.name}” and its workspace?`,
      body: 'The sandbox and everything in /workspace are gone for good. Copy out or push what you still need first.',
      confirm: 'Delete session',
      isDangerous: true,
      onConfirm: () => void remove(),
    });

  return (
    <div className="row" style={{ gap: 4 }}>
      {session.status === 'running' && (
        <Button variant="default" loading={isBusy} leftSection={<IconPlayerStop size={14} />} onClick={stop}>
          Stop
        </Button>
      )}
      {session.status === 'stopped' && (
        <Button loading={isBusy} leftSection={<IconPlayerPlay size={14} />} onClick={() => void run(ask('sessions.resume', byId))}>
          Resume
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label="More for this session">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconRefresh size={14} />} disabled={session.status !== 'running'} onClick={restart}>
            Restart…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="var(--bad)" leftSection={<IconTrash size={14} />} onClick={askToRemove}>
            Delete with workspace…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
};
