// What a person reads of how long a session is kept, and of what replacing it costs.
import type { CallOutput } from '../../sandbox-engine/contract/calls.ts';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import { counted } from '../../sandbox-engine/index.ts';
import { toSize } from './print.ts';

/** Until when it is kept; nothing for one that is not going anywhere. */
export const keptText = ({ status, delete_at, deleted_at, keep_forever, idle_stop_at }: Session): string | null => {
  if (deleted_at) return `deleted; undo is possible until ${delete_at}`;
  if (keep_forever === true) return 'kept until it is deleted by hand';
  if (delete_at) return `until ${delete_at}, then sandbox and workspace are deleted, which can be undone for a day`;
  if (idle_stop_at) return `idle: it is stopped at ${idle_stop_at} unless something happens in it`;
  return status === 'stopped' ? 'until it is deleted by hand' : null;
};

type Replacement = CallOutput<'sessions.replacement'>;

const filesText = ({ changed_files, changed_examples }: Replacement): string => {
  if (changed_files === null) return 'Files outside of /workspace: the runtime did not say how many.';
  if (changed_files === 0) return 'Files outside of /workspace: none were changed.';
  const more = changed_files > changed_examples.length ? ', …' : '';
  return `Files outside of /workspace: ${changed_files} ${changed_files === 1 ? 'was' : 'were'} made, changed or removed (${changed_examples.join(', ')}${more}).`;
};

/** Says what is lost and what stays, a line each. */
export const replacementText = (found: Replacement): string => {
  const { terminals, commands, listening, workspace_bytes, setup_left_out } = found;
  const servers = (listening ?? []).map(({ port, process }) => `${process ?? 'a program'} at port ${port}`);
  const lost = [
    'all processes',
    ...(terminals.length === 0 ? [] : [counted(terminals.length, 'open terminal')]),
    ...(commands === 0 ? [] : [counted(commands, 'running command')]),
    ...servers,
  ];
  const size = workspace_bytes === null ? '' : ` (${toSize(workspace_bytes)})`;
  return [
    found.from === found.to ? `A new sandbox of "${found.to}", as it is now.` : `From "${found.from}" to "${found.to}".`,
    ...found.changes.map((change) => `Changes: ${change}.`),
    `Lost: ${lost.join(', ')}, and what was installed by hand.`,
    `  ${filesText(found)}`,
    `Kept: /workspace${size} as it is, the session with its name, secrets and history.`,
    ...(setup_left_out
      ? ['  What setup put in /workspace does not come along, unless it is empty: run those lines in a terminal afterwards.']
      : []),
  ].join('\n');
};
