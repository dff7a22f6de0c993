// Fills the workspace of a session that starts: its repository, how it began, and what it offers. The session lives on without any of it.
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';
import type { InsidePlace } from './ask-inside.ts';
import { recordStart } from './changes.ts';
import { findOffered } from './offered-file.ts';
import { bringRepo } from './repo.ts';
import { runInside } from './run-inside.ts';
import { secretVariables } from './secret-variables.ts';
import type { SessionBook } from './session-book.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';

export interface Filling {
  deps: SessionDeps;
  book: SessionBook;
  plan: LaunchPlan;
  session: Session;
  containerId: string;
}

/** Whether something is in the place where the repository goes. */
const hasRepo = async ({ runtime, containerId }: InsidePlace, path: string): Promise<boolean> => {
  const command = ['/bin/sh', '-c', '[ -n "$(ls -A "$1" 2>/dev/null)" ]', 'sandlot-look', path];
  return (await runInside(runtime, containerId, { command, user: sandboxUser, workdir: '/' }, 10_000)).exitCode === 0;
};

const placeIn = ({ deps, session, containerId }: Filling): InsidePlace => ({ runtime: deps.runtimeOf(session.runtime), containerId });

/** The branch that a worktree gets: named after the session, and like no other. Pure. */
export const sessionBranchOf = ({ id, name }: Pick<Session, 'id' | 'name'>): string => {
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `sandlot/${word === '' ? '' : `${word}-`}${id.slice(-6)}`;
};

/** Brings the environment's repository, unless the workspace was kept and has it. Answers a note for the person, or null. */
export const fillRepo = async (filling: Filling, say: (line: string) => void): Promise<string | null> => {
  const { deps, plan, session } = filling;
  const { repo } = plan.environment;
  const place = placeIn(filling);
  if (repo === null || (plan.keepsWorkspace === true && (await hasRepo(place, repo.path)))) return null;
  const secrets = (await secretVariables(deps, session)).env;
  return await bringRepo({ ...place, repo, secrets, sessionBranch: sessionBranchOf(session), say });
};

/** Writes down how the workspace begins, and whether its repository brought an environment file. Answers whether the repository is there,
 *  with its commits. Never fails: the session is told without. */
export const recordWorkspace = async (filling: Filling): Promise<boolean> => {
  const { book, plan, session } = filling;
  const place = placeIn(filling);
  const folder = plan.environment.repo?.path ?? workspace;
  const before = (await book.get(session.id)).workspace_start;
  if (plan.keepsWorkspace === true && before !== undefined) return before.kind === 'repository';
  const [start, offered] = await Promise.all([
    recordStart(place, folder).catch(() => null),
    folder === workspace ? null : findOffered(place, folder).catch(() => null),
  ]);
  if (start === null) return false;
  await book.change(session.id, { workspace_start: start, ...(offered === null ? {} : { offered_file: offered }) });
  return start.kind === 'repository';
};
