// Calls about the screen of a session: the desktop of an environment with `computer_use`. The bytes are those of the RFB protocol (RFC 6143)
// between a viewer and the sandbox; nobody in between reads or keeps them.
import { z } from 'zod';
import { screenId, sessionId } from '../model.ts';
import { bySession, done } from './input.ts';

const byScreen = z.strictObject({ screen_id: screenId });
const coordinate = z.number().int().min(0).max(32_767);

/** One thing that a person could do at the screen. */
export const screenAction = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('move'), x: coordinate, y: coordinate }),
  z.strictObject({
    do: z.literal('click'),
    x: coordinate,
    y: coordinate,
    button: z.enum(['left', 'middle', 'right']).optional(),
    times: z.number().int().min(1).max(3).optional(),
  }),
  z.strictObject({ do: z.literal('scroll'), x: coordinate, y: coordinate, by: z.number().int().min(-50).max(50) }),
  z.strictObject({ do: z.literal('type'), text: z.string().min(1).max(10_000) }),
  /** Names of keys as X has them, joined by `+`: `ctrl+l`, `Return`, `alt+F4`. */
  z.strictObject({
    do: z.literal('key'),
    keys: z
      .string()
      .regex(/^[A-Za-z0-9_]+(\+[A-Za-z0-9_]+)*$/)
      .max(100),
  }),
]);
export type ScreenAction = z.infer<typeof screenAction>;

export const screenCalls = {
  /** Connects to the screen, and starts the desktop where it does not run. Who does not read for a minute is let go of. */
  'screen.open': { input: bySession, output: z.strictObject({ screen_id: screenId }) },
  /** Waits until something has come, at most `wait_ms` (20 s unless said). `data` is base64; `ended`: nothing will come any more. */
  'screen.read': {
    input: byScreen.extend({
      wait_ms: z.number().int().min(0).max(20_000).optional(),
      max_bytes: z.number().int().min(1).max(1_048_576).optional(),
    }),
    output: z.strictObject({ data: z.string(), ended: z.boolean() }),
  },
  /** `data` is base64; the answer comes when the sandbox has room for more. */
  'screen.write': { input: byScreen.extend({ data: z.string() }), output: done },
  'screen.close': { input: byScreen, output: done },
  /** What is on the screen now, as a PNG in base64. It may show secrets: nobody can mask a picture. */
  'screen.screenshot': {
    input: bySession,
    output: z.strictObject({
      width: z.number().int().positive(),
      height: z.number().int().positive(),
      size: z.number().int().positive(),
      data: z.string(),
    }),
  },
  /** Does these things one after the other, as the mouse and the keyboard would. */
  'screen.act': { input: z.strictObject({ session_id: sessionId, actions: z.array(screenAction).min(1).max(50) }), output: done },
} as const;
