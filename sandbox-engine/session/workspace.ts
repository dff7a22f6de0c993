// What can be asked of a session's workspace while it runs: changes, files, artifacts, and bytes on their way. Only puts the parts together.
import { posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallArguments, CallName, CallOutput } from '../contract/calls.ts';
import type { Session } from '../contract/model.ts';
import { type InsidePlace, placeOf } from './ask-inside.ts';
import { commitAll, readDiff, startOf, stillFilling } from './changes.ts';
import { patchScripts, plainGit } from './changes-scripts.ts';
import { type CutTransfers, createCutTransfers } from './cut-transfers.ts';
import { insidePath, listArtifacts, listFolder, readPiece } from './files.ts';
import { sendProgram, takeProgram } from './files-programs.ts';
import { readOffered } from './offered-file.ts';
import { patchNameOf } from './patch-name.ts';
import type { SessionDeps } from './session-parts.ts';
import { createTransfers, type Transfers } from './transfers.ts';

type Named = 'sessions.diff' | 'sessions.commit' | 'sessions.patch' | 'sessions.offered_file';
type WorkspaceCall = Named | Extract<CallName, `files.${string}` | `artifacts.${string}` | `transfers.${string}`>;

/** One handler a call about the workspace. */
export type WorkspaceCalls = { [N in WorkspaceCall]: (asked: CallArguments<N>) => Promise<CallOutput<N>> };

export interface Workspace {
  calls: WorkspaceCalls;
  close: () => void;
}

const usualPiece = 262_144;
const done = { ok: true } as const;

/** What a transfer is called: never more than a name. */
const nameOf = (path: string): string => posix.basename(path).replace(/[\u0000-\u001f\u007f/\\]/g, '_') || 'files';

type CallsOf<Prefix extends string> = Pick<WorkspaceCalls, Extract<WorkspaceCall, `${Prefix}.${string}`>>;

interface Desk {
  deps: SessionDeps;
  transfers: Transfers;
  explain: CutTransfers['explain'];
  enter: (id: string) => Promise<{ session: Session; place: InsidePlace }>;
  /** What is shown is masked, so every secret must be known before. */
  enterToShow: Desk['enter'];
  /** Waits a while for a beginning that is still being written down. @throws invalid_request */
  begun: (id: string) => Promise<void>;
}

const changeCalls = ({ deps, transfers, enter, enterToShow, begun }: Desk): CallsOf<'sessions'> => ({
  'sessions.diff': async ({ session_id, ...asked }) => {
    await begun(session_id);
    const { session, place } = await enterToShow(session_id);
    return await readDiff(place, session, asked, deps.secrets.redactText);
  },
  'sessions.commit': async ({ session_id, ...asked }) => {
    await begun(session_id);
    const { session, place } = await enterToShow(session_id);
    const { subject, ...made } = await commitAll(place, session, asked);
    return { ...made, subject: deps.secrets.redactText(subject) };
  },
  'sessions.patch': async ({ session_id, format = 'diff' }) => {
    await begun(session_id);
    const { session, place } = await enter(session_id);
    const question = { script: patchScripts[format], args: startOf(session).args, env: plainGit };
    return await transfers.send(place, question, { name: patchNameOf(session.name, format), hasHead: false });
  },
  'sessions.offered_file': async ({ session_id }) => {
    const { session, place } = await enterToShow(session_id);
    return { file: await readOffered(place, session) };
  },
});

const fileCalls = ({ deps, transfers, explain, enter, enterToShow }: Desk): CallsOf<'files' | 'artifacts'> => {
  const take = async ({ session_id, path, kind, name = '', executable = false }: CallArguments<'files.upload'>) => {
    const { place } = await enter(session_id);
    const called = nameOf(name || path);
    const inside = path.endsWith('/') ? `${insidePath(path)}/` : insidePath(path);
    const args = [kind, inside, name, executable ? '0755' : '0644'];
    const folders = kind === 'file' ? [insidePath(path), posix.dirname(insidePath(path))] : [];
    const moved = { sessionId: session_id, containerId: place.containerId, name: called, folders };
    const told = { ...place, explain: (thrown: unknown) => explain(moved, thrown) };
    return await transfers.take(told, { script: takeProgram, args, by: 'perl' }, { name: called, kind });
  };
  return {
    'files.list': async ({ session_id, path }) => await listFolder((await enter(session_id)).place, path),
    'files.read': async ({ session_id, path, from = 0, max_bytes: maxBytes = usualPiece }) =>
      await readPiece((await enterToShow(session_id)).place, { path, from, maxBytes }, deps.secrets.redactText),
    'files.write': async ({ session_id, path, content, encoding = 'utf8' }) => {
      const { id } = await take({ session_id, path, kind: 'file' });
      const bytes = Buffer.from(content, encoding);
      if (bytes.length > 0) await transfers.write(id, bytes);
      await transfers.finish(id);
      return done;
    },
    'files.download': async ({ session_id, path }) => {
      const { place } = await enter(session_id);
      const inside = insidePath(path);
      const moved = { sessionId: session_id, containerId: place.containerId, name: nameOf(inside), folders: [] };
      const told = { ...place, explain: (thrown: unknown) => explain(moved, thrown) };
      return await transfers.send(told, { script: sendProgram, args: [inside], by: 'perl' }, { name: nameOf(inside), hasHead: true });
    },
    'files.upload': take,
    'artifacts.list': async ({ session_id }) => await listArtifacts((await enter(session_id)).place),
  };
};

const transferCalls = ({ transfers }: Desk): CallsOf<'transfers'> => ({
  'transfers.read': async ({ transfer_id, max_bytes }) => {
    const { bytes, ...rest } = await transfers.read(transfer_id, max_bytes);
    return { data: bytes.toString('base64'), ...rest };
  },
  'transfers.write': async ({ transfer_id, data }) => {
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length > 0) await transfers.write(transfer_id, bytes);
    return done;
  },
  'transfers.finish': async ({ transfer_id }) => ({ path: await transfers.finish(transfer_id) }),
  'transfers.get': async ({ transfer_id }) => transfers.get(transfer_id),
  'transfers.cancel': async ({ transfer_id }) => {
    transfers.cancel(transfer_id);
    return done;
  },
});

/** The sessions: where they are found, and when one has been launched and filled. */
interface WorkspaceSessions {
  find: (id: string) => Promise<Session>;
  over: (id: string) => Promise<void>;
}

const fillingMs = 10_000;

/** Makes the calls over the sessions. */
export const createWorkspace = (deps: SessionDeps, { find, over }: WorkspaceSessions): Workspace => {
  const transfers = createTransfers(deps.newId);
  const cuts = createCutTransfers(deps, find);
  const enter: Desk['enter'] = async (id) => {
    const session = await find(id);
    const touch = () => deps.touch?.(id);
    touch();
    const place = { ...placeOf(session, deps.runtimeOf), touch };
    await cuts.clear(id, place);
    return { session, place };
  };
  const enterToShow: Desk['enter'] = async (id) => {
    await deps.secrets.ready();
    return await enter(id);
  };
  const begun: Desk['begun'] = async (id) => {
    await find(id);
    const given = new AbortController();
    const isOver = await Promise.race([over(id).then(() => true), delay(fillingMs, false, { signal: given.signal, ref: false })]);
    given.abort();
    if (!isOver && (await find(id)).workspace_start === undefined) throw stillFilling();
  };
  const desk: Desk = { deps, transfers, explain: cuts.explain, enter, enterToShow, begun };
  return { calls: { ...changeCalls(desk), ...fileCalls(desk), ...transferCalls(desk) }, close: transfers.close };
};
