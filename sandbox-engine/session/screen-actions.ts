// What a program does at the screen of a session, where a person has eyes and hands: takes a picture, moves the mouse, types. Each is a
// short command inside, as the sandbox user. A picture may be anything that the sandbox likes: it is measured, and nothing else is believed.
// Source: scrot(1); xdotool(1); PNG, third edition, 5.2 and 11.2.1.
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ExecSpec } from '../container/container-runtime.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';
import type { ScreenAction } from '../contract/calls/screen.ts';
import type { Session } from '../contract/model.ts';
import { displayVariables, startDesktop } from './desktop.ts';
import { screenOf } from './screens.ts';
import type { SessionDeps } from './session-parts.ts';

export interface Screenshot {
  width: number;
  height: number;
  png: Buffer;
}

export interface ScreenActions {
  /** @throws session_not_running @throws not_found @throws runtime_error @throws too_large */
  screenshot: (session: Session) => Promise<Screenshot>;
  /** One after the other, to the first that fails. @throws session_not_running @throws not_found @throws runtime_error */
  act: (session: Session, actions: readonly ScreenAction[]) => Promise<void>;
}

interface Place {
  runtime: ContainerRuntime;
  containerId: string;
}

const mostBytes = 8_388_608;
const limitMs = 20_000;

const specOf = (command: string[], stdin = false): ExecSpec => ({
  command,
  env: Object.entries(displayVariables).map(([name, value]) => `${name}=${value}`),
  user: sandboxUser,
  workdir: '/',
  stdin,
});

interface Answer {
  exitCode: number | null;
  stdout: Buffer;
  stderr: string;
}

/** Runs a command to its end with this input. What takes too long or says too much is let go of. @throws too_large @throws timeout */
const run = async ({ runtime, containerId }: Place, command: string[], input?: string): Promise<Answer> => {
  const handle = await runtime.exec(containerId, specOf(command, input !== undefined));
  const parts: Buffer[] = [];
  let size = 0;
  let stderr = '';
  const read = async (): Promise<number | null> => {
    for await (const { stream, bytes } of handle.output) {
      if (stream === 'stderr') stderr = (stderr + bytes.toString('utf8')).slice(-500);
      else parts.push(bytes);
      size += bytes.length;
      if (size > mostBytes) throw new SandlotError('too_large', `${command[0]} in the sandbox answered more than ${mostBytes} bytes.`);
    }
    return await handle.exitCode();
  };
  const over = new AbortController();
  const late = delay(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new SandlotError('timeout', `The screen did not answer in ${limitMs / 1000} seconds.`, {
      nextAction: 'Try again, or restart the session.',
    });
  });
  late.catch(() => undefined);
  try {
    if (input !== undefined) handle.stdin.end(input);
    const exitCode = await Promise.race([read(), late]);
    return { exitCode, stdout: Buffer.concat(parts), stderr };
  } finally {
    over.abort();
    handle.close();
  }
};

const failed = (what: string, { exitCode, stderr }: Answer): SandlotError =>
  exitCode === 127 || exitCode === 126
    ? new SandlotError('not_found', `The image of this session cannot ${what}: its tools are missing.`, {
        nextAction: 'Base the recipe on "browser-desktop".',
      })
    : new SandlotError(
        'runtime_error',
        `The sandbox did not ${what}: ${stderr.replace(/[^\x20-\x7e]+/g, ' ').trim() || `exit code ${exitCode}`}`,
      );

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The size that a PNG says it has; null when it is none. Pure. */
export const readPngSize = (bytes: Buffer): { width: number; height: number } | null => {
  const isPng = bytes.length > 33 && bytes.subarray(0, 8).equals(signature) && bytes.toString('latin1', 12, 16) === 'IHDR';
  if (!isPng) return null;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return width > 0 && height > 0 && width <= 32_767 && height <= 32_767 ? { width, height } : null;
};

// Not to its own output: that belongs to another user.
const shoot =
  'command -v scrot >/dev/null || exit 127; d=$(mktemp -d) && trap \'rm -rf "$d"\' EXIT && scrot -z -p "$d/s.png" >&2 && cat "$d/s.png"';

const buttons = { left: '1', middle: '2', right: '3' } as const;

/** The words for xdotool, and what it reads: what is typed stands in no list of processes. Pure. */
export const commandOf = (action: ScreenAction): { command: string[]; input?: string } => {
  if (action.do === 'type') return { command: ['xdotool', 'type', '--clearmodifiers', '--delay', '8', '--file', '-'], input: action.text };
  if (action.do === 'key') return { command: ['xdotool', 'key', '--clearmodifiers', '--', action.keys] };
  const move = ['xdotool', 'mousemove', '--sync', String(action.x), String(action.y)];
  if (action.do === 'click')
    return { command: [...move, 'click', '--repeat', String(action.times ?? 1), '--delay', '40', buttons[action.button ?? 'left']] };
  if (action.do === 'scroll' && action.by !== 0)
    return { command: [...move, 'click', '--repeat', String(Math.abs(action.by)), '--delay', '15', action.by < 0 ? '4' : '5'] };
  return { command: move };
};

/** Makes what programs do at screens. */
export const createScreenActions = (deps: Pick<SessionDeps, 'runtimeOf'>): ScreenActions => {
  const placeOf = async (session: Session): Promise<Place> => {
    const place = { containerId: screenOf(session), runtime: deps.runtimeOf(session.runtime) };
    await startDesktop(place.runtime, place.containerId);
    return place;
  };
  return {
    screenshot: async (session) => {
      const answer = await run(await placeOf(session), ['/bin/sh', '-c', shoot]);
      const size = readPngSize(answer.stdout);
      if (answer.exitCode !== 0 || size === null) throw failed('take a picture of its screen', answer);
      return { ...size, png: answer.stdout };
    },
    act: async (session, actions) => {
      const place = await placeOf(session);
      for (const action of actions) {
        const { command, input } = commandOf(action);
        const answer = await run(place, command, input);
        if (answer.exitCode !== 0) throw failed(`do "${action.do}"`, answer);
      }
    },
  };
};
