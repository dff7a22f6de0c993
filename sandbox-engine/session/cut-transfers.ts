// Transfers whose sandbox went while they were under way: what is to be said then, and what of an upload is left in the workspace is cleared
// away: at once where another sandbox has the workspace, else when somebody next looks into it.
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { Session } from '../contract/model.ts';
import { askInside, type InsidePlace, placeOf } from './ask-inside.ts';
import { sweepProgram } from './files-programs.ts';
import { wayBack } from './running-container.ts';
import type { SessionDeps } from './session-parts.ts';

export interface Moved {
  sessionId: string;
  /** The sandbox that it went into, or out of. */
  containerId: string;
  name: string;
  /** Where parts of it may be left; none of a download. */
  folders: readonly string[];
}

export interface CutTransfers {
  /** What to say of a transfer that failed: as it was thrown while its sandbox is there. */
  explain: (moved: Moved, thrown: unknown) => Promise<unknown>;
  /** Clears away what was left in a workspace that can be reached now. */
  clear: (sessionId: string, place: InsidePlace) => Promise<void>;
}

/** What a program of ours refused has nothing to do with the end of its sandbox. */
const refusals: readonly string[] = ['forbidden', 'not_found', 'invalid_request', 'disk_full'];
const looks = 20;
const lookEveryMs = 100;
const clearSeconds = 10;

const wordsOf = ({ name, containerId }: Moved, session: Session): SandlotError => {
  const isReplaced = session.container_id !== containerId && session.status === 'running';
  const what = isReplaced ? 'was replaced' : 'ended';
  return new SandlotError(
    'stream_broken',
    `The sandbox of "${session.name}" ${what} while "${name}" was on its way: it did not come whole.`,
    {
      nextAction: isReplaced ? 'Copy it again.' : `${wayBack(session)}, then copy it again.`,
    },
  );
};

/** Over the sessions as `find` knows them. */
export const createCutTransfers = (
  { runtimeOf }: Pick<SessionDeps, 'runtimeOf'>,
  find: (id: string) => Promise<Session | null>,
): CutTransfers => {
  const left = new Map<string, Set<string>>();

  const clear: CutTransfers['clear'] = async (sessionId, place) => {
    const folders = left.get(sessionId);
    if (folders === undefined) return;
    left.delete(sessionId);
    const question = { script: sweepProgram, args: [...folders], by: 'perl', limitSeconds: clearSeconds } as const;
    await askInside(place, question).catch(() => left.set(sessionId, folders));
  };

  /** Its end is known to the runtime a moment before the session says so, or after. */
  const isGone = async ({ runtime, container_id, status }: Session, containerId: string): Promise<boolean> => {
    if (status !== 'running' || container_id !== containerId) return true;
    const found = await runtimeOf(runtime).inspectContainer(containerId);
    return found?.status !== 'running';
  };

  const lookAgain = async (moved: Moved): Promise<Session | null> => {
    for (let look = 0; look < looks; look += 1) {
      const session = await find(moved.sessionId);
      if (session === null) return null;
      if (await isGone(session, moved.containerId)) return session;
      await delay(lookEveryMs);
    }
    return null;
  };

  return {
    clear,
    explain: async (moved, thrown) => {
      if (thrown instanceof SandlotError && refusals.includes(thrown.code)) return thrown;
      const session = await lookAgain(moved).catch(() => null);
      if (session === null) return thrown;
      if (moved.folders.length > 0) left.set(session.id, new Set([...(left.get(session.id) ?? []), ...moved.folders]));
      const isOther = session.status === 'running' && session.container_id !== moved.containerId;
      if (isOther) await clear(session.id, placeOf(session, runtimeOf));
      return wordsOf(moved, session);
    },
  };
};
