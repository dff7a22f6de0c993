// The questions before a session is stopped or deleted, wherever that is done.
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { confirm } from './confirm.tsx';
import { formatBytes } from './format.ts';
import { notifyDone, notifyUndo } from './notify.tsx';

/** For so long a deletion can be taken back. */
export const undoSeconds = 600;

/** How large the workspace was when it was last measured, in brackets; nothing before that. */
export const workspaceSize = ({ workspace_bytes: bytes }: Session): string => (bytes == null ? '' : ` (${formatBytes(bytes)})`);

/** What a notice says after it. */
export const deletedWords = ({ name }: Session): string => `“${name}” is deleted. For ten minutes that can be undone.`;

const stateBack = ({ status, container_id: sandbox }: Session): string => {
  if (status === 'stopped')
    return sandbox === null ? ', and stopped: its sandbox is gone, its workspace is there.' : ', and stopped. Resume starts it again.';
  return status === 'running' ? ', and runs.' : ' as it was.';
};

/** What a notice says when a deletion was taken back: deleting has stopped it. Pure. */
export const backWords = (session: Session): string => `“${session.name}” is back${stateBack(session)}`;

/** Says so, with the way to it. */
export const tellBack = (session: Session): void => notifyDone(backWords(session), { label: 'Show', href: `/sessions/${session.id}` });

/** How a session is deleted from a list: at once, and said with the way back. */
export const sessionDeletion = {
  undoSeconds,
  tell: (session: Session, undo: () => void): void => void notifyUndo(deletedWords(session), undo, session.id),
  tellBack,
};

/** Asks before it is stopped. */
export const askStopSession = ({ name }: Session, onConfirm: () => void): void =>
  confirm({
    title: `Stop “${name}”?`,
    body: 'Its programs and terminals end. The workspace stays, and Resume brings the sandbox back with everything that is in its file system.',
    confirm: 'Stop session',
    onConfirm,
  });

/** Asks before it is deleted with an undo. */
export const askDeleteSession = (session: Session, onConfirm: () => void): void =>
  confirm({
    title: `Delete “${session.name}” and its workspace${workspaceSize(session)}?`,
    body: 'Its programs and terminals end now. Sandbox and workspace are kept for ten minutes, in which you can undo this; then they are gone for good.',
    confirm: 'Delete session',
    isDangerous: true,
    onConfirm,
  });
