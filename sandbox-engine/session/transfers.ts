// Bytes on their way into or out of a sandbox. A program inside sends or takes them; nothing is kept here but the piece that is underway, and
// who reads slowly slows the sandbox down. A transfer that nobody cares for is ended after a minute.
import { SandlotError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { ExecHandle } from '../container/container-runtime.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';
import type { CallOutput } from '../contract/calls.ts';
import type { Transfer } from '../contract/model.ts';
import { type InsidePlace, type InsideQuestion, insideCommand } from './ask-inside.ts';
import { finishTransfer, hear, type OpenTransfer, outputOf, readHead, readTransfer, writeTransfer } from './open-transfer.ts';
import { createOutcomes, idleMs, over } from './transfer-outcomes.ts';

const mostOpen = 32;
const usualPiece = 524_288;

type Question = Omit<InsideQuestion, 'limitSeconds'>;

export interface Transfers {
  /** Starts a program that sends; `hasHead`: its first line says kind and size. */
  send: (place: InsidePlace, question: Question, given: { name: string; hasHead: boolean }) => Promise<Transfer>;
  /** Starts a program that takes pieces with their length before them. */
  take: (place: InsidePlace, question: Question, given: Pick<Transfer, 'name' | 'kind'>) => Promise<Transfer>;
  read: (id: string, maxBytes?: number) => Promise<{ bytes: Buffer; ended: boolean; note: string | null }>;
  write: (id: string, bytes: Buffer) => Promise<void>;
  /** Answers what the program says at its end: where it put it. */
  finish: (id: string) => Promise<string>;
  /** How far it is, or how it ended. @throws why it failed @throws not_found */
  get: (id: string) => CallOutput<'transfers.get'>;
  cancel: (id: string) => void;
  close: () => void;
}

const beginning = (transfer: Transfer, place: InsidePlace, handle: ExecHandle): Omit<OpenTransfer, 'timer'> => {
  const said = { stderr: '', stdout: '' };
  return {
    ...{ transfer, place, handle, said, left: Buffer.alloc(0), remaining: Number.POSITIVE_INFINITY },
    ...{ turn: Promise.resolve(), moved: 0, over: null, isOver: false, chunks: outputOf(handle, said) },
  };
};

const tooMany = (): SandlotError =>
  new SandlotError('invalid_request', `${mostOpen} transfers are under way already.`, { nextAction: 'Wait until one has ended.' });

const startInside = async ({ runtime, containerId }: InsidePlace, question: Question, stdin: boolean): Promise<ExecHandle> => {
  const command = insideCommand({ ...question, limitSeconds: Number.POSITIVE_INFINITY });
  return await runtime.exec(containerId, { command, env: [...(question.env ?? [])], user: sandboxUser, workdir: '/', stdin });
};

/** The transfers that are under way, each used by one at a time. */
const createDesk = (newId: NewId) => {
  const all = new Map<string, OpenTransfer>();
  const outcomes = createOutcomes();
  const drop = (open: OpenTransfer): void => {
    clearTimeout(open.timer);
    all.delete(open.transfer.id);
    open.handle.close();
  };
  /** Nobody cares for it, perhaps since its sandbox is gone: then nobody hears what is to be said, but what it left is cleared away. */
  const forget = (open: OpenTransfer): void => {
    drop(open);
    open.place.explain?.(null).catch(() => undefined);
  };
  const start = async (place: InsidePlace, question: Question, given: Omit<Transfer, 'id'>, stdin: boolean): Promise<OpenTransfer> => {
    if (all.size >= mostOpen) throw tooMany();
    const handle = await startInside(place, question, stdin);
    const open: OpenTransfer = {
      ...beginning({ id: newId('xfr'), ...given }, place, handle),
      timer: setTimeout(() => forget(open), idleMs).unref(),
    };
    all.set(open.transfer.id, open);
    return open;
  };
  const inTurn = async <T>(id: string, run: (open: OpenTransfer) => Promise<T>): Promise<T> => {
    const open = all.get(id);
    if (open === undefined) throw over();
    const turn = open.turn.catch(() => undefined).then(() => run(open));
    open.turn = turn;
    open.timer.refresh();
    open.place.touch?.();
    try {
      return await turn;
    } catch (thrown) {
      const told = all.has(id) && open.place.explain !== undefined ? await open.place.explain(thrown) : thrown;
      // One that was given up has no failure to tell.
      if (all.has(id)) outcomes.keep(open, { failure: told });
      drop(open);
      throw told;
    }
  };
  const end = (open: OpenTransfer, note: string | null): void => {
    outcomes.keep(open, { note });
    drop(open);
  };
  const get = (id: string): CallOutput<'transfers.get'> => {
    const open = all.get(id);
    if (open === undefined) return outcomes.get(id);
    open.timer.refresh();
    return { ...open.transfer, moved: open.moved, ended: false, note: null };
  };
  return { all, drop, end, get, start, inTurn };
};

/** Makes the transfers of one host. */
export const createTransfers = (newId: NewId): Transfers => {
  const { all, drop, end, get, start, inTurn } = createDesk(newId);
  return {
    send: async (place, question, { name, hasHead }) => {
      const open = await start(place, question, { name, kind: 'file', size: null }, false);
      try {
        if (hasHead) await readHead(open);
        return { ...open.transfer };
      } catch (thrown) {
        drop(open);
        throw thrown;
      }
    },
    take: async (place, question, given) => {
      const open = await start(place, question, { ...given, size: null }, true);
      open.over = hear(open);
      return { ...open.transfer };
    },
    read: (id, maxBytes = usualPiece) =>
      inTurn(id, async (open) => {
        const answer = await readTransfer(open, maxBytes);
        if (answer.ended) end(open, answer.note);
        return answer;
      }),
    write: (id, bytes) => inTurn(id, (open) => writeTransfer(open, bytes)),
    finish: (id) =>
      inTurn(id, async (open) => {
        const where = await finishTransfer(open);
        end(open, null);
        return where;
      }),
    get,
    cancel: (id) => {
      const open = all.get(id);
      if (open !== undefined) drop(open);
    },
    close: () => {
      for (const open of all.values()) drop(open);
    },
  };
};
