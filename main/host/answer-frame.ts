// One frame of the JSON protocol that the web socket and the unix socket share: `{id, name, input}` in, `{id, reply}` out.
import type { Reply } from '../../sandbox-engine/contract/bridge.ts';
import { SandlotError, toErrorBody } from '../../sandbox-engine/index.ts';
import type { Dispatch } from './dispatch.ts';
import { newRequestId } from './request-id.ts';

/** A frame may have this many characters; a call in a bigger one is answered `too_large`. */
const maxFrameCharacters = 1_048_576 + 65_536;

export type FrameId = number | string | null;

const refusal = (error: SandlotError): Reply<never> => ({ ok: false, error: toErrorBody(error, newRequestId()) });

/** Reads a frame as an object; null when it is not one. */
export const readFrame = (text: string): Record<string, unknown> | null => {
  try {
    const frame: unknown = JSON.parse(text);
    return frame !== null && typeof frame === 'object' && !Array.isArray(frame) ? (frame as Record<string, unknown>) : null;
  } catch {
    // What is not JSON is answered like any other frame that nobody understands.
    return null;
  }
};

/** The id that the answer must carry; null when the frame has none. */
export const frameId = (frame: Record<string, unknown> | null): FrameId => {
  const id = frame?.['id'];
  return typeof id === 'number' || typeof id === 'string' ? id : null;
};

/** The answer to a frame that is not understood. */
export const refuseFrame = (id: FrameId, message: string): string =>
  JSON.stringify({
    id,
    reply: refusal(new SandlotError('invalid_request', message, { nextAction: 'Send {"id": 1, "name": "CALL", "input": {}}.' })),
  });

/** Answers one call frame as text; never rejects. */
export const answerFrame = async (dispatch: Dispatch, text: string): Promise<string> => {
  const frame = readFrame(text);
  const id = frameId(frame);
  if (text.length > maxFrameCharacters) {
    return JSON.stringify({
      id,
      reply: refusal(new SandlotError('too_large', `A frame may have ${maxFrameCharacters} characters, this one has ${text.length}.`)),
    });
  }
  if (frame === null) return refuseFrame(id, 'The frame is not a JSON object.');
  if (id === null) return refuseFrame(id, 'The frame has no "id": give a number or a text.');
  if (typeof frame['name'] !== 'string') return refuseFrame(id, 'The frame has no "name": give the name of a call.');
  return JSON.stringify({ id, reply: await dispatch(frame['name'], frame['input'] ?? {}) });
};
