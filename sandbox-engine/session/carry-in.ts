// Brings into a session that has just started what is no part of its image: files, repository, desktop, and then its start script. Off the
// way to the prompt; what goes wrong is said on the session.
import { workspace } from '../container/sandbox-spec.ts';
import type { Environment, Session } from '../contract/model.ts';
import { bringDesktop } from './desktop.ts';
import { failureText } from './failure-text.ts';
import { fillRepo, recordWorkspace } from './fill-workspace.ts';
import { carriedFiles, inject } from './inject.ts';
import { linkMcp } from './link-mcp.ts';
import type { SessionBook } from './session-book.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';
import { runStartScript } from './start-script.ts';

const stepNames = { files: 'files', repository: 'repository', mcp: 'MCP servers' } as const;

const hasServers = ({ mcp_servers }: Environment): boolean => Object.keys(mcp_servers).length > 0;

/** The steps that are still to come when a sandbox of this environment begins to run: written down together with that, so that a host which
 *  is killed between the two leaves none of them untold. Pure. */
export const stepsToCome = (environment: Environment, at: string): Session['steps'] => {
  const names = [
    ...(carriedFiles(environment).length > 0 ? [stepNames.files] : []),
    ...(environment.repo === null ? [] : [stepNames.repository]),
    ...(hasServers(environment) ? [stepNames.mcp] : []),
  ];
  return names.map((name) => ({ name, status: 'running', started_at: at, duration_ms: null }));
};

/** Whether what was cut off when a host was killed can be brought in by the next one: into a sandbox that had only just been started, but not
 *  where a repository was half there, because its git may still be at work, nor where a replacement was cut off, because the sandbox before
 *  it has everything. Pure. */
export const canCarryAgain = ({ status, steps }: Pick<Session, 'status' | 'steps'>): boolean => {
  const cut = steps.filter((step) => step.status === 'running').map(({ name }) => name);
  if (status === 'starting') return true;
  return cut.length > 0 && cut.every((name) => name === stepNames.files || name === stepNames.mcp);
};

/** Brings in what is not part of the image, side by side; where nothing is brought, once it is calm. Answers where the work begins. */
const bringIn = async (
  deps: SessionDeps,
  book: SessionBook,
  plan: Started['plan'],
  session: Session,
  containerId: string,
  calm: Promise<void> = Promise.resolve(),
): Promise<string> => {
  const { environment } = plan;
  const runtime = deps.runtimeOf(plan.runtimeId);
  const { repo } = environment;
  const filling = { deps, book, plan, session, containerId };
  const failures: string[] = [];
  let note: string | null = null;
  bringDesktop(deps, book, session, containerId);
  const attempt = (name: string, run: (say: (line: string) => void) => Promise<void>) =>
    book.step(session.id, name, run).catch((thrown: unknown) => failures.push(failureText(thrown)));
  const bring = async (say: (line: string) => void): Promise<void> => {
    note = await fillRepo(filling, say);
  };
  const hasFiles = carriedFiles(environment).length > 0;
  await Promise.all([
    hasFiles ? attempt(stepNames.files, () => inject(runtime, containerId, environment)) : null,
    repo === null ? null : attempt(stepNames.repository, bring),
  ]);
  const told = async (): Promise<void> => {
    const words = [...failures, ...(note === null ? [] : [note])];
    if (words.length > 0) await book.change(session.id, { message: words.join('\n') });
  };
  await told();
  if (repo === null) await calm;
  const isBrought = await recordWorkspace(filling);
  const workdir = repo !== null && (isBrought || failures.length === 0) ? repo.path : workspace;
  if (hasServers(environment)) {
    const before = failures.length;
    await attempt(stepNames.mcp, () => linkMcp({ runtime, containerId }, workdir));
    if (failures.length > before) await told();
  }
  return workdir;
};

/** A sandbox that has just started, and when what can wait is to be done. */
export interface Started {
  plan: Pick<LaunchPlan, 'environment' | 'runtimeId' | 'keepsWorkspace' | 'isRepoCut'>;
  session: Session;
  containerId: string;
  calm?: Promise<void>;
}

/** Brings it in, and then runs the start script. `broughtIn` hears it when only the script is left. */
const carryIn = async (
  deps: SessionDeps,
  book: SessionBook,
  { plan, session, containerId, calm }: Started,
  broughtIn: () => void,
): Promise<void> => {
  const workdir = await bringIn(deps, book, plan, session, containerId, calm).finally(broughtIn);
  await runStartScript(deps, book, { session, containerId, steps: plan.environment.session_start, workdir });
};

/** What is being brought into sessions that have just started, by their ids. */
export interface Carrying {
  has: (id: string) => boolean;
  /** `launch`: what comes before it. */
  over: (id: string, launch?: Promise<void>) => Promise<void>;
  begin: (started: Started, failed: (thrown: unknown) => void) => void;
}

/** Makes it, empty. */
export const createCarrying = (deps: SessionDeps, book: SessionBook): Carrying => {
  const carrying = new Map<string, Promise<void>>();
  return {
    has: (id) => carrying.has(id),
    over: async (id, launch = Promise.resolve()) => {
      await launch;
      await carrying.get(id);
    },
    begin: (started, failed) => {
      const { id } = started.session;
      const broughtIn = new Promise<void>((resolve) => {
        carryIn(deps, book, started, resolve).catch(failed);
      });
      const over: Promise<void> = broughtIn.then(() => void (carrying.get(id) === over && carrying.delete(id)));
      carrying.set(id, over);
    },
  };
};
