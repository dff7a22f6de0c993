// Brings into a session that has just started what is no part of its image: files, repository, desktop, and then its start script. Off the
// way to the prompt; what goes wrong is said on the session.
import { SandlotError } from '../base/errors.ts';
import { workspace } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';
import { bringDesktop } from './desktop.ts';
import { fillRepo, recordWorkspace } from './fill-workspace.ts';
import { carriedFiles, inject } from './inject.ts';
import { linkMcp } from './link-mcp.ts';
import type { SessionBook } from './session-book.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';
import { runStartScript } from './start-script.ts';

/** What failed and what to do about it. */
const failureText = (thrown: unknown): string => {
  const { message } = thrown as Error;
  return thrown instanceof SandlotError && thrown.nextAction !== null ? `${message}\n${thrown.nextAction}` : message;
};

/** Brings in what is not part of the image, side by side; where nothing is brought, once it is calm. Answers where the work begins. */
const bringIn = async (
  deps: SessionDeps,
  book: SessionBook,
  plan: LaunchPlan,
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
    hasFiles ? attempt('files', () => inject(runtime, containerId, environment)) : null,
    repo === null ? null : attempt('repository', bring),
  ]);
  const words = [...failures, ...(note === null ? [] : [note])];
  if (words.length > 0) await book.change(session.id, { message: words.join('\n') });
  if (repo === null) await calm;
  const isBrought = await recordWorkspace(filling);
  const workdir = repo !== null && (isBrought || failures.length === 0) ? repo.path : workspace;
  if (Object.keys(environment.mcp_servers).length > 0) await attempt('MCP servers', () => linkMcp({ runtime, containerId }, workdir));
  return workdir;
};

interface Started {
  plan: LaunchPlan;
  session: Session;
  containerId: string;
  calm?: Promise<void>;
}

/** Brings it in, and then runs the start script. `broughtIn` hears it when only the script is left. */
export const carryIn = async (
  deps: SessionDeps,
  book: SessionBook,
  { plan, session, containerId, calm }: Started,
  broughtIn: () => void = () => undefined,
): Promise<void> => {
  const workdir = await bringIn(deps, book, plan, session, containerId, calm).finally(broughtIn);
  await runStartScript(deps, book, { session, containerId, steps: plan.environment.session_start, workdir });
};

/** What is being brought into sessions that have just started, by their ids. */
export const createCarrying = (deps: SessionDeps, book: SessionBook) => {
  const carrying = new Map<string, Promise<void>>();
  return {
    has: (id: string): boolean => carrying.has(id),
    /** `launch`: what comes before it. */
    over: async (id: string, launch: Promise<void> = Promise.resolve()): Promise<void> => {
      await launch;
      await carrying.get(id);
    },
    begin: (started: Started, failed: (thrown: unknown) => void): void => {
      const { id } = started.session;
      const broughtIn = new Promise<void>((resolve) => {
        carryIn(deps, book, started, resolve).catch(failed);
      });
      carrying.set(
        id,
        broughtIn.then(() => void carrying.delete(id)),
      );
    },
  };
};
