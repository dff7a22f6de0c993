// A session's tape, for a screen: what there is, a terminal's frames from the first to the last, and the same as a file.
import { useEffect, useState } from 'react';
import type { CallInput } from '../../../sandbox-engine/contract/calls.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { Tape, TapeFrame } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from './actions.ts';
import type { Ask } from './store.ts';

/** The tape, read again when `look` is another number. */
export const useTape = (sessionId: string, look: number) => {
  const ask = useAsk();
  const [tape, setTape] = useState<Tape | null>(null);
  const [problem, setProblem] = useState<ErrorBody | null>(null);
  useEffect(() => {
    let isCurrent = true;
    // A new look is a new question.
    void look;
    void ask('tape.get', { session_id: sessionId }).then((reply) => {
      if (!isCurrent) return;
      setProblem(reply.ok ? null : reply.error);
      if (reply.ok) setTape(reply.value);
    });
    return () => {
      isCurrent = false;
    };
  }, [ask, sessionId, look]);
  return { tape, problem };
};

/** Reads all frames, page by page, as long as somebody wants them. */
const readFrames = async (ask: Ask, place: Omit<CallInput<'tape.frames'>, 'cursor'>, isWanted: () => boolean): Promise<TapeFrame[]> => {
  const all: TapeFrame[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && isWanted()) {
    const asked: CallInput<'tape.frames'> = cursor === undefined ? place : { ...place, cursor };
    const reply = await ask('tape.frames', asked);
    if (!reply.ok) break;
    all.push(...reply.value.frames);
    cursor = reply.value.next_cursor;
  }
  return all;
};

/** All frames of one terminal; null while they are on their way. */
export const useTapeFrames = (sessionId: string, terminalId: string, look: number): TapeFrame[] | null => {
  const ask = useAsk();
  const [frames, setFrames] = useState<TapeFrame[] | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void look;
    setFrames(null);
    void readFrames(ask, { session_id: sessionId, terminal_id: terminalId }, () => isCurrent).then((all) => isCurrent && setFrames(all));
    return () => {
      isCurrent = false;
    };
  }, [ask, sessionId, terminalId, look]);
  return frames;
};

/** The whole text of an asciicast; null when it could not be read. */
export const readCast = async (ask: Ask, sessionId: string, terminalId: string): Promise<string | null> => {
  const place = { session_id: sessionId, terminal_id: terminalId };
  const parts: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const asked: CallInput<'tape.cast'> = cursor === undefined ? place : { ...place, cursor };
    const reply = await ask('tape.cast', asked);
    if (!reply.ok) return null;
    parts.push(reply.value.text);
    cursor = reply.value.next_cursor;
  }
  return parts.join('');
};
