// The calls about the screens of sessions.
import { createScreenActions } from '../session/screen-actions.ts';
import type { HandlersOf, House } from './house.ts';

const done = { ok: true } as const;
const defaultWaitMs = 20_000;
const defaultBytes = 262_144;

/** Makes the handlers of `screen.*`. */
export const createScreenCalls = (house: Pick<House, 'sessions' | 'runtimeOf'>): HandlersOf<'screen'> => {
  const { sessions } = house;
  const { screens } = sessions;
  const screenActions = createScreenActions(house);
  return {
    'screen.open': async ({ session_id }) => ({ screen_id: await screens.open(await sessions.launched(session_id)) }),
    'screen.read': async ({ screen_id, wait_ms = defaultWaitMs, max_bytes = defaultBytes }) => {
      const { bytes, ended } = await screens.read(screen_id, { waitMs: wait_ms, maxBytes: max_bytes });
      return { data: bytes.toString('base64'), ended };
    },
    'screen.write': async ({ screen_id, data }) => {
      await screens.write(screen_id, Buffer.from(data, 'base64'));
      return done;
    },
    'screen.close': async ({ screen_id }) => {
      screens.close(screen_id);
      return done;
    },
    'screen.screenshot': async ({ session_id }) => {
      const { width, height, png } = await screenActions.screenshot(await sessions.launched(session_id));
      return { width, height, size: png.length, data: png.toString('base64') };
    },
    'screen.act': async ({ session_id, actions }) => {
      await screenActions.act(await sessions.launched(session_id), actions);
      return done;
    },
  };
};
