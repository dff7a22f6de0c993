// Fills the workspace of a session that starts: its repository, how it began, and what it offers. The session lives on without any of it.
import { SandlotError } from '../base/errors.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';
import type { InsidePlace } from './ask-inside.ts';
import { holdsStart, isKeptInside, lostStartWords } from './carry-start.ts';
import { recordStart } from './changes.ts';
import { findOffered } from './offered-file.ts';
import { packFolder } from './pack-folder.ts';
import { bringRepo } from './repo.ts';
import { runInside } from './run-inside.ts';
import { secretVariables } from './secret-variables.ts';
import type { SessionBook } from './session-book.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';
import { createOwnerOf } from './workspace-owner.ts';

export interface Filling {
  deps: SessionDeps;
  book: SessionBook;
  plan: Pick<LaunchPlan, 'environment' | 'keepsWorkspace' | 'isRepoCut'>;
  session: Session;
  containerId: string;
}

const lookScript = '[ -e "$1" ] || exit 1; found=$(ls -A "$1") || exit 2; [ -n "$found" ]';
const asideScript = 'aside="$1.incomplete-$(date +%s)"; mv -T -- "$1" "$aside" && printf %s "$aside"';
const shortMs = 10_000;

const inShell = async ({ runtime, containerId }: InsidePlace, script: string, path: string) => {
  const command = ['/bin/sh', '-c', script, 'sandlot-look', path];
  return await runInside(runtime, containerId, { command, user: sandboxUser, workdir: '/' }, shortMs);
};

/** What a look into the repository's place has found. Anything but a plain answer must not lead to work being cloned over.
 *  Pure. @throws runtime_error */
export const isThere = (exitCode: number | null): boolean => {
  if (exitCode === 0 || exitCode === 1) return exitCode === 0;
  throw new SandlotError('runtime_error', 'It could not be seen whether the repository is there, so it was left as it was.', {
    nextAction: 'Look at it in a terminal, or replace the sandbox once more.',
  });
};

/** Whether a sandbox that went away before it said how its workspace began may have left half a repository in it. Pure. */
export const isRepoCut = ({ workspace_start, steps }: Pick<Session, 'workspace_start' | 'steps'>): boolean =>
  workspace_start === undefined && !steps.some(({ name, status }) => name === 'repository' && status === 'succeeded');

/** Moves what is left of a repository out of the way. Answers where it is now. @throws runtime_error */
const moveAside = async (place: InsidePlace, path: string): Promise<string> => {
  const { exitCode, output } = await inShell(place, asideScript, path);
  if (exitCode === 0) return `The repository had not been brought whole: what was there is in ${output} now.`;
  throw new SandlotError('runtime_error', `What is in ${path} was not brought whole, and it could not be moved aside: ${output.trim()}`, {
    nextAction: 'Move it by hand in a terminal, and replace the sandbox once more.',
  });
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
  if (repo === null) return null;
  const isKept = plan.keepsWorkspace === true && isThere((await inShell(place, lookScript, repo.path)).exitCode);
  if (isKept && (plan.isRepoCut !== true || repo.path === workspace)) return null;
  const aside = isKept ? await moveAside(place, repo.path) : null;
  const secrets = (await secretVariables(deps, session)).env;
  const note = await bringRepo({
    ...place,
    repo,
    environment: plan.environment.slug,
    secrets,
    sessionBranch: sessionBranchOf(session),
    pack: deps.packer?.pack ?? packFolder,
    // What a workspace was kept from may have been another image.
    owner: () =>
      (deps.ownerOf ?? createOwnerOf())(place.runtime, place.containerId, plan.keepsWorkspace === true ? null : session.image_id),
    say,
  });
  return aside === null || note === null ? (aside ?? note) : `${aside}\n${note}`;
};

/** Writes down how the workspace begins, and whether its repository brought an environment file. Answers whether the repository is there,
 *  with its commits. Never fails: the session is told without. */
export const recordWorkspace = async (filling: Filling): Promise<boolean> => {
  const { book, plan, session } = filling;
  const place = placeIn(filling);
  const folder = plan.environment.repo?.path ?? workspace;
  const before = plan.keepsWorkspace === true ? (await book.get(session.id)).workspace_start : undefined;
  const isLost = isKeptInside(before) && !(await holdsStart(place, before).catch(() => true));
  if (before !== undefined && !isLost) return before.kind === 'repository';
  const [start, offered] = await Promise.all([
    recordStart(place, folder).catch(() => null),
    folder === workspace ? null : findOffered(place, folder).catch(() => null),
  ]);
  if (start === null) return false;
  await book.change(session.id, {
    workspace_start: start,
    ...(offered === null ? {} : { offered_file: offered }),
    ...(isLost ? { message: lostStartWords } : {}),
  });
  return start.kind === 'repository';
};
