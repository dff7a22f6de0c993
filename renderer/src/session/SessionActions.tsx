// What can be done to a session, with what it costs said before.
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconPlayerPlay, IconPlayerStop, IconRefresh, IconReplace, IconTrash } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { askDeleteSession, askStopSession, deletedWords, tellBack, undoSeconds, workspaceSize } from '../ui/ask-session.ts';
import { confirm } from '../ui/confirm.tsx';
import { confirmTyped } from '../ui/confirm-typed.tsx';
import { notifyDone, notifyUndo } from '../ui/notify.tsx';
import { usePageDeeds } from '../ui/page-deeds.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { openReplace } from './ReplaceDialog.tsx';
import { renameSession } from './rename-session.tsx';
import { wayBack } from './way-back.ts';

interface SessionActionsProps {
  session: Session;
  /** Its deletion is under way. */
  isLeaving: boolean;
  onLeaving: (isLeaving: boolean) => void;
}

/** Stop or resume as a button, the rest in a menu. */
export const SessionActions = ({ session, isLeaving, onLeaving }: SessionActionsProps) => {
  const ask = useAsk();
  const [, go] = useLocation();
  const { isBusy, run } = useBusy(`“${session.name}” was not changed`);
  const byId = { session_id: session.id };

  const stop = () => askStopSession(session, () => void run(ask('sessions.stop', byId)));
  const restart = () =>
    confirm({
      title: `Restart “${session.name}”?`,
      body: 'Its programs and terminals end, then the same sandbox starts again. The workspace stays, and the start script runs again.',
      confirm: 'Restart session',
      onConfirm: () => void run(ask('sessions.restart', byId)),
    });
  const undelete = async () => {
    const back = await run(ask('sessions.undelete', byId));
    if (back) tellBack(back);
  };
  const remove = async (seconds: number) => {
    onLeaving(true);
    const done = await run(ask('sessions.delete', { ...byId, undo_seconds: seconds }));
    onLeaving(false);
    if (!done) return;
    if (seconds > 0) notifyUndo(deletedWords(session), () => void undelete(), session.id);
    else notifyDone(`“${session.name}” is deleted for good.`);
    go('/sessions');
  };
  const askToRemove = () => askDeleteSession(session, () => void remove(undoSeconds));
  const askToRemoveNow = () =>
    confirmTyped({
      title: `Delete “${session.name}” for good, now?`,
      body: `The sandbox and everything in /workspace${workspaceSize(session)} are gone at once, and nothing brings them back.`,
      word: session.name,
      confirm: 'Delete now',
      onConfirm: () => void remove(0),
    });
  const canReplace = ['running', 'stopped'].includes(session.status) && !session.deleted_at && !session.observed;
  const back = wayBack(session);
  const resume = () => void run(ask('sessions.resume', byId));
  usePageDeeds([
    session.status === 'running' && { label: 'Stop this session…', run: stop },
    session.status === 'running' && { label: 'Restart this session…', run: restart },
    back === 'resume' && { label: 'Resume this session', run: resume },
    { label: 'Rename this session…', run: () => renameSession(session, ask) },
    canReplace && { label: 'Replace its sandbox…', run: () => openReplace(session) },
    session.deleted_at
      ? { label: 'Take the deletion back', run: () => void undelete() }
      : { label: 'Delete this session with its workspace…', run: askToRemove },
  ]);

  return (
    <div className="row" style={{ gap: 4 }}>
      {session.status === 'running' && !isLeaving && (
        <Button variant="default" loading={isBusy} leftSection={<IconPlayerStop size={14} />} onClick={stop}>
          Stop
        </Button>
      )}
      {back === 'resume' && (
        <Button loading={isBusy} leftSection={<IconPlayerPlay size={14} />} onClick={resume}>
          Resume
        </Button>
      )}
      {back === 'replace' && canReplace && (
        <Button leftSection={<IconReplace size={14} />} onClick={() => openReplace(session)}>
          Replace sandbox…
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label="More for this session">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => renameSession(session, ask)}>
            Rename…
          </Menu.Item>
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
