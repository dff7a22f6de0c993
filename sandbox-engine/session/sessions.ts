// The sessions of one host: launch, stop, resume, remove, terminals, commands, and being put right. Only puts the parts together.

import { setTimeout as delay } from 'node:timers/promises';
import { repoFolder } from '../base/repo-folder.ts';
import type { Environment, Exec, Session, Terminal } from '../contract/model.ts';
import { adapt } from './adapt.ts';
import { createExecs } from './execs.ts';
import { createLaunches } from './launch.ts';
import { createPacker } from './pack-folder.ts';
import { removeOrphans, settle, tidyReplacements } from './recover.ts';
import { checkReplace } from './replace.ts';
import { createScreens, type Screens } from './screens.ts';
import { renewSecretFiles } from './secret-files.ts';
import { createSessionBook } from './session-book.ts';
import { createSessionLife, type SessionLife } from './session-life.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';
import { createSessionState } from './session-state.ts';
import { retryStartScript, settleStartScripts } from './start-script.ts';
import { createTerminals } from './terminals.ts';
import { createWarmSandboxes, type WarmSandboxes } from './warm-sandboxes.ts';
import { type ContainerWatch, watchContainers } from './watch-containers.ts';
import { createWorkspace, type WorkspaceCalls } from './workspace.ts';
import { createOwnerOf } from './workspace-owner.ts';

export interface Sessions extends ContainerWatch {
  /** Answers as soon as the row exists. @throws network_policy_not_supported @throws forbidden */
  launch: (plan: LaunchPlan) => Promise<Session>;
  /** Waits until the session runs, or does not. */
  launched: (id: string) => Promise<Session>;
  stop: (id: string) => Promise<Session>;
  resume: (id: string) => Promise<Session>;
  restart: (id: string) => Promise<Session>;
  /** The rules decide again. @throws gate_failed */
  endObservation: (id: string) => Promise<Session>;
  /** For good: container, workspace, output and row. */
  remove: (id: string) => Promise<void>;
  get: (id: string) => Promise<Session>;
  list: (environmentId?: string) => Promise<Session[]>;
  /** Waits for a session that is starting. @throws session_not_running */
  openTerminal: (sessionId: string, size: { cols: number; rows: number; title?: string }) => Promise<Terminal>;
  /** @throws terminal_closed */
  writeTerminal: (id: string, bytes: Uint8Array) => Promise<void>;
  resizeTerminal: (id: string, cols: number, rows: number) => Promise<void>;
  closeTerminal: (id: string) => Promise<void>;
  startExec: (sessionId: string, request: { command: string[]; workdir?: string }) => Promise<Exec>;
  getExec: (id: string, waitSeconds: number) => Promise<Exec>;
  killExec: (id: string) => Promise<void>;
  /** The sandboxes that stand ready. */
  warm: WarmSandboxes;
  /** The screens of sessions with a desktop. */
  screens: Screens;
  /** Runs the environment's start script once more. @throws session_not_running @throws start_script_running @throws invalid_request */
  retryStartScript: (id: string, environment: Environment) => Promise<Session>;
  /** Running sessions that have this secret as a file get its value as it is now. */
  secretChanged: (name: string) => Promise<void>;
  /** Moves it to a sandbox of this plan; the workspace stays. @throws runtime_differs @throws session_not_running, and as a launch fails */
  replace: (id: string, plan: LaunchPlan) => Promise<Session>;
  /** Refuses a replacement that cannot be. @throws runtime_differs @throws session_not_running */
  checkReplace: (session: Session, plan: LaunchPlan) => void;
  /** Writes down how large its workspace is; null where that is not known. */
  measured: (id: string, bytes: number | null) => Promise<Session>;
  /** Gives a running sandbox what of a newer plan needs no other sandbox; the rules of its network are the caller's. */
  adapt: (id: string, plan: LaunchPlan) => Promise<Session>;
  /** Writes down what else goes with it. */
  keep: (id: string, patch: Partial<Pick<Session, 'forwards' | 'tape_stream_id' | 'name'>>) => Promise<Session>;
  /** Puts a sentence on it that a person should read. */
  say: (id: string, message: string) => Promise<Session>;
  /** One handler a call about what is in the workspaces. */
  workspaceCalls: WorkspaceCalls;
  /** How long sessions go on and are kept. */
  life: SessionLife;
  /** Once, when the host starts: `runtimeIds` are the runtimes to look for left-overs in besides those of known sessions. */
  recover: (runtimeIds?: string[]) => Promise<void>;
  runtimeReconnected: (runtimeId: string) => Promise<void>;
  close: (options: { stop: boolean }) => Promise<void>;
}

/** How long a start waits for the terminals that go on. */
const terminalsMs = 3_000;

/** How long the first word of a shell goes before all that can wait. */
const promptMs = 2_000;

const toldToo = (deps: SessionDeps, tell: (session: Session) => void): SessionDeps => ({
  ...deps,
  emit: {
    ...deps.emit,
    session: (session) => {
      deps.emit.session(session);
      tell(session);
    },
  },
});

/** The parts over one book. */
const createParts = (deps: SessionDeps) => {
  // Only called once all is made.
  const tellTerminals = (session: Session): void => terminals.sessionChanged(session);
  const touch = (id: string): void => life.touch(id);
  const sandboxEnds = (id: string): void => terminals.sandboxEnds(id);
  const touching = { ...deps, touch, sandboxEnds };
  const book = createSessionBook(toldToo(deps, tellTerminals));
  const warm = createWarmSandboxes(deps);
  const launches = createLaunches(deps, book, warm);
  const terminals = createTerminals(touching, book.get);
  const execs = createExecs(touching);
  const state = createSessionState(touching, book, launches);
  const life: SessionLife = createSessionLife(deps, book, {
    stop: state.calls.stop,
    removeIf: state.removeIf,
    inTurn: state.inTurn,
    abandon: state.abandon,
    stopNow: state.stopNow,
    isAtWork: ({ id, start_script }) => start_script.status === 'running' || execs.isRunning(id) || state.isBusy(id),
  });
  return {
    book,
    warm,
    launches,
    terminals,
    execs,
    state,
    life,
    screens: createScreens(deps),
    workspaces: createWorkspace(touching, { find: book.get, over: launches.over }),
  };
};

type Parts = ReturnType<typeof createParts>;

const putRight = async (deps: SessionDeps, { book, state, terminals, warm, launches }: Parts, runtimeIds: string[]): Promise<void> => {
  const sessions = (await book.list()).filter(({ runtime }) => runtimeIds.includes(runtime));
  // A runtime that is away now is looked at again when it comes back.
  const isBusy = (id: string): boolean => state.isBusy(id) || launches.isBusy(id);
  const quiet = sessions.filter(({ id }) => !isBusy(id));
  // One that is away throws at once: it is looked at again when it comes back, and holds up neither the others nor the host.
  await Promise.allSettled(runtimeIds.map(async (id) => await tidyReplacements(deps, deps.runtimeOf(id), quiet)));
  await Promise.allSettled(quiet.map((session) => settle(deps, book, session, launches.carry)));
  // A launch under way may have lost its sandbox all the same: that is looked at when it is over.
  const settleLater = async ({ id }: Session): Promise<void> => {
    await launches.over(id);
    if (!state.isBusy(id)) await settle(deps, book, await book.get(id));
  };
  for (const session of sessions) if (launches.isBusy(session.id)) settleLater(session).catch(() => undefined);
  settleStartScripts(deps, book, runtimeIds);
  // A sandbox that does not answer must not hold up the host.
  await Promise.race([terminals.recover(), delay(terminalsMs, undefined, { ref: false })]);
  await Promise.allSettled(
    runtimeIds.map(async (id) => {
      await removeOrphans(deps, deps.runtimeOf(id), warm.ids());
      await deps.networks.removeOrphans(id);
    }),
  );
};

/** Read when the next host is there. */
const quitWords = 'Stopped because Sandlot was ended with its sessions.';

const close = async ({ book, launches, warm, state, terminals, execs, workspaces, screens }: Parts, stop: boolean): Promise<void> => {
  await launches.abandonAll();
  await warm.drop(() => true);
  if (stop)
    await Promise.allSettled(
      (await book.list()).filter(({ status }) => status === 'running').map(({ id }) => state.calls.stop(id, quitWords)),
    );
  terminals.disconnect();
  execs.disconnect();
  workspaces.close();
  screens.disconnect();
};

/** Makes the sessions of one host; `recover` is to be called before anything else. */
export const createSessions = (given: SessionDeps): Sessions => {
  const packer = createPacker();
  const deps = { ...given, packer, ownerOf: createOwnerOf() };
  const parts = createParts(deps);
  const { book, warm, launches, terminals, execs, state, life, screens, workspaces } = parts;
  const promptOf = ({ stream_id }: Terminal) => deps.streams.waitForGrowth(stream_id, 0, promptMs);
  return {
    launch: (plan) => {
      if (repoFolder(plan.environment.repo) !== null) packer.prepare();
      return launches.launch(plan);
    },
    launched: launches.launched,
    ...state.calls,
    life,
    checkReplace,
    measured: (id, bytes) => book.change(id, { workspace_bytes: bytes, workspace_measured_at: deps.clock.iso() }),
    adapt: (id, plan) => adapt(deps, book, id, plan),
    keep: book.change,
    say: (id, message) => book.change(id, { message }),
    warm,
    screens,
    workspaceCalls: workspaces.calls,
    get: book.get,
    list: book.list,
    openTerminal: (id, size) => launches.useFirst(id, (session) => terminals.open(session, size), promptOf),
    writeTerminal: terminals.write,
    resizeTerminal: terminals.resize,
    closeTerminal: terminals.close,
    startExec: (id, request) => launches.useFirst(id, (session) => execs.start(session, request)),
    getExec: execs.get,
    killExec: (id) => execs.kill(id, book.get),
    retryStartScript: (id, environment) => retryStartScript(deps, book, id, environment),
    secretChanged: (name) => renewSecretFiles(deps, book, { name }),
    recover: async (ids = []) => putRight(deps, parts, [...new Set([...ids, ...(await book.list()).map(({ runtime }) => runtime)])]),
    runtimeReconnected: (runtimeId) => putRight(deps, parts, [runtimeId]),
    ...watchContainers(deps, book, state.isBusy),
    close: async ({ stop }) => {
      await close(parts, stop);
      packer.close();
    },
  };
};
