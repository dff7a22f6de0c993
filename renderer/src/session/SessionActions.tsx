// What can be done to a session, with what it costs said before.
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconPlayerStop, IconRefresh, IconReplace, IconTrash } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { confirm } from '../ui/confirm.tsx';
import { formatBytes } from '../ui/format.ts';
import { notifyDone, notifyUndo } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { openReplace } from './ReplaceDialog.tsx';

/** For so long a deletion can be taken back. */
const undoSeconds = 600;

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
      body: 'Its programs and terminals end, then the same sandbox starts again. The workspace stays; the start script runs when you press Run again.',
      confirm: 'Restart session',
      onConfirm: () => void run(ask('sessions.restart', byId)),
    });
  const undelete = () => void run(ask('sessions.undelete', byId));
  const remove = async (seconds: number) => {
    if (!(await run(ask('sessions.delete', { ...byId, undo_seconds: seconds })))) return;
    if (seconds > 0) notifyUndo(`“${session.name}” is deleted. For ten minutes that can be undone.`, undelete);
    else notifyDone(`“${session.name}” is deleted for good.`);
    go('/sessions');
  };
  const size = session.workspace_bytes == null ? '' : ` (${formatBytes(session.workspace_bytes)})`;
  const askToRemove = () =>
    confirm({
      title: `Delete “${session.name}” and its workspace${size}?`,
      body: 'Its programs and terminals end now. Sandbox and workspace are kept for ten minutes, in which you can undo this; then they are gone for good.',
      confirm: 'Delete session',
      isDangerous: true,
      onConfirm: () => void remove(undoSeconds),
    });
  const askToRemoveNow = () =>
    confirm({
      title: `Delete “${session.name}” for good, now?`,
      body: `The sandbox and everything in /workspace${size} are gone at once, and nothing brings them back.`,
      confirm: 'Delete now',
      isDangerous: true,
      onConfirm: () => void remove(0),
    });
  const canReplace = ['running', 'stopped'].includes(session.status) && !session.deleted_at && !session.observed;

  return (
    <div className="row" style={{ gap: 4 }}>
      {session.status === 'running' && (
        <Button variant="default" loading={isBusy} leftSection={<IconPlayerStop size={14} />} onClick={stop}>
          Stop
        </Button>
      )}
      {session.status === 'stopped' && !session.deleted_at && (
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
          <Menu.Item leftSection={<IconReplace size={14} />} disabled={!canReplace} onClick={() => openReplace(session)}>
            Replace sandbox…
          </Menu.Item>
          <Menu.Divider />
          {session.deleted_at ? (
            <Menu.Item color="var(--bad)" leftSection={<IconTrash size={14} />} onClick={askToRemoveNow}>
              Delete for good now…
            </Menu.Item>
          ) : (
            <Menu.Item color="var(--bad)" leftSection={<IconTrash size={14} />} onClick={askToRemove}>
              Delete with workspace…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
};
