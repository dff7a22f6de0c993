// What a session has changed since it began: writes down the beginning, compares, commits. Everything is done inside, as the sandbox user,
// by changes-scripts.ts; nothing that a repository holds is run on this machine.
import { SandlotError } from '../base/errors.ts';
import { workspace } from '../container/sandbox-spec.ts';
import type { CallArguments, CallOutput } from '../contract/calls.ts';
import type { Changes, Session, WorkspaceStart } from '../contract/model.ts';
import { askInside, type InsideAnswer, type InsidePlace } from './ask-inside.ts';
import { readChanges } from './changes-output.ts';
import { commitScript, listScript, plainGit, showScript, startScript } from './changes-scripts.ts';
import { gitWords } from './clone-repo.ts';

const limitSeconds = 40;
const mostListBytes = 16_777_216;
const mostPatchBytes = 524_288;

const refused = (what: string, { exitCode, stderr, isCut }: InsideAnswer): SandlotError => {
  if (isCut)
    return new SandlotError('too_large', `${what}: git printed more than can be read.`, {
      nextAction: 'Look at them by git in a terminal.',
    });
  if (exitCode === null) {
    return new SandlotError('timeout', `${what}: that took more than ${limitSeconds} seconds.`, {
      nextAction: 'Let the repository ignore folders of very many files, or look at it by git in a terminal.',
    });
  }
  const words = gitWords(stderr) || `exit code ${exitCode}`;
  const isExpected = exitCode === 8;
  return new SandlotError(isExpected ? 'invalid_request' : 'runtime_error', isExpected ? words : `${what}: ${words}`, {
    ...(isExpected ? {} : { nextAction: 'Look at the repository by git in a terminal of the session.' }),
  });
};

const isId = (text: string | undefined): text is string => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text ?? '');

/** Writes down how the workspace begins: that of the repository at the path, or of all that is there. Null when it cannot be. */
export const recordStart = async (place: InsidePlace, path: string): Promise<WorkspaceStart | null> => {
  const answer = await askInside(place, { script: startScript, args: [path], env: plainGit, limitSeconds: 120 });
  const [kind, commit, head] = answer.stdout.toString('utf8').split('\n');
  if (answer.exitCode !== 0 || !isId(commit) || (kind !== 'repository' && kind !== 'folder')) return null;
  return { root: kind === 'repository' ? path : workspace, kind, commit, head: isId(head) ? head : null };
};

/** What is said while the beginning is still to be written down. */
export const stillFilling = (): SandlotError =>
  new SandlotError('invalid_request', 'The workspace is still being filled, so there is nothing to compare yet.', {
    nextAction: 'Ask again in a moment.',
  });

/** What the scripts are told first. @throws invalid_request when there is nothing to compare with */
export const startOf = (session: Session): { start: WorkspaceStart; args: string[] } => {
  const start = session.workspace_start;
  if (start !== undefined) return { start, args: [start.root, start.kind, start.commit, start.head ?? '-'] };
  throw new SandlotError(
    'invalid_request',
    `How the workspace of "${session.name}" began was not written down, so its changes are not known.`,
    {
      nextAction: 'Sessions that are launched from now on have it; look at this one by git in a terminal.',
    },
  );
};

const patchOf = async (
  place: InsidePlace,
  args: readonly string[],
  redact: (text: string) => string,
): Promise<Pick<Changes, 'patch' | 'is_patch_whole'>> => {
  const answer = await askInside(place, { script: showScript, args, env: plainGit, limitSeconds, mostBytes: mostPatchBytes });
  if (answer.exitCode !== 0 && !answer.isCut) throw refused('The patch was not made', answer);
  const text = answer.stdout.toString('utf8');
  return { patch: redact(answer.isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text), is_patch_whole: !answer.isCut };
};

/** The changes. @throws timeout @throws runtime_error with git's words */
export const readDiff = async (
  place: InsidePlace,
  session: Session,
  asked: Omit<CallArguments<'sessions.diff'>, 'session_id'>,
  redact: (text: string) => string,
): Promise<Changes> => {
  const { start, args: begin } = startOf(session);
  const args = [...begin, ...(asked.files ?? [])];
  const answer = await askInside(place, { script: listScript, args, env: plainGit, limitSeconds, mostBytes: mostListBytes });
  if (answer.exitCode !== 0 || answer.isCut) throw refused('The changes were not read', answer);
  const listed = readChanges(answer.stdout.toString('utf8'));
  const none = { patch: null, is_patch_whole: false };
  const patch = asked.patch === true ? await patchOf(place, args, redact) : none;
  return { root: start.root, kind: start.kind, start: start.commit, ...listed, ...patch };
};

/** Commits everything. @throws invalid_request when there is nothing, or no repository */
export const commitAll = async (
  place: InsidePlace,
  session: Session,
  { message, author }: Omit<CallArguments<'sessions.commit'>, 'session_id'>,
): Promise<CallOutput<'sessions.commit'>> => {
  const { start } = startOf(session);
  if (start.kind === 'folder') {
    throw new SandlotError('invalid_request', 'This workspace is no git repository, so nothing can be committed.', {
      nextAction: `Save its changes as a patch: sandlot session patch ${session.id} > changes.patch`,
    });
  }
  const args = [start.root, message, author?.name ?? '', author?.email ?? ''];
  const answer = await askInside(place, {
    script: commitScript,
    args,
    env: ['GIT_TERMINAL_PROMPT=0', 'LC_ALL=C.UTF-8'],
    limitSeconds: 120,
  });
  if (answer.exitCode !== 0) throw refused('The commit was not made', answer);
  const [commit = '', subject = '', files = ''] = answer.stdout.toString('utf8').split('\n');
  return { commit: commit.slice(0, 64), subject: subject.slice(0, 1_000), files: Number(files.trim()) || 0 };
};
