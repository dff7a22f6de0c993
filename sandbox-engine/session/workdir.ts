// Where what is started in a session begins: in its repository, where it has one. Pure.
// Source: SPEC.md 7.
import { workspace } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';

/** The folder; it may not be there, yet or any more. Sessions from before say only how their workspace began. */
export const workdirOf = ({ workdir, workspace_start: start }: Pick<Session, 'workdir' | 'workspace_start'>): string =>
  workdir ?? (start?.kind === 'repository' ? start.root : workspace);

/** Whether it is still to come, so that whoever goes there is there when it comes. */
export const isStillComing = ({ steps }: Pick<Session, 'steps'>): boolean =>
  steps.some(({ name, status }) => name === 'repository' && status === 'running');

/** The command as it is run in that folder, or where it is gone in the one that it is started in. */
export const commandIn = (folder: string, command: readonly string[]): string[] =>
  folder === workspace ? [...command] : ['/bin/sh', '-c', 'cd -- "$1" 2>/dev/null; shift; exec "$@"', 'sandlot-exec', folder, ...command];
