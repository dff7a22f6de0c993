// The desktop of a session with `computer_use`: started once inside as the sandbox user, kept up there by a program of its own, and reached
// through a unix socket that is that user's alone. No port, no password, no network.
// Source: Xtigervnc(1): one program is both the X server and the VNC server, so nothing polls and it can be resized.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';
import { runInside } from './run-inside.ts';
import type { SessionBook } from './session-book.ts';
import type { SessionDeps } from './session-parts.ts';

const display = ':1';
const folder = '/tmp/.sandlot-desktop';

/** Where the screen's server listens inside. */
export const screenSocket = `${folder}/rfb`;

/** By what every program in the session finds the screen. */
export const displayVariables: Readonly<Record<string, string>> = { DISPLAY: display };

const firstSize = '1280x800';

// Each part is started again a second after it ended, for as long as the sandbox runs. What people start from the panel or the menu holds on
// to the output of these, so only the screen's own is kept.
const keeper = `
d=$1; exec 9>"$d/lock"; flock -n 9 || exit 0
keep() { while :; do "$@" </dev/null >/dev/null 2>&1 9>&-; sleep 1; done; }
screen() {
  rm -f "$d/rfb" /tmp/.X1-lock /tmp/.X11-unix/X1
  Xvnc ${display} -geometry ${firstSize} -depth 24 -SecurityTypes None -rfbport -1 -rfbunixpath "$d/rfb" -rfbunixmode 384 -nolisten tcp \\
    -AlwaysShared -SendPrimary=0 -SetPrimary=0 -desktop sandbox >"$d/screen.log" 2>&1
}
lit() { until [ -S "$d/rfb" ]; do sleep 0.2; done; }
windows() { lit; xsetroot -solid '#26303c'; openbox; }
panel() { lit; tint2; }
mkdir -p -m 1777 /tmp/.X11-unix
keep screen &
keep windows &
if command -v tint2 >/dev/null; then keep panel & fi
wait
`;

// It goes on when this exec has ended; whoever comes second waits for the first.
const start = `
d=${folder}
for tool in Xvnc openbox flock; do command -v "$tool" >/dev/null || { echo "$tool"; exit 3; }; done
mkdir -p -m 700 "$d" && [ -O "$d" ] || exit 4
runs() { [ -e "$d/lock" ] && ! flock -n "$d/lock" true; }
if ! runs; then
  rm -f "$d/rfb"
  printf '%s' "$1" >"$d/keep.$$" && mv "$d/keep.$$" "$d/keep"
  setsid sh "$d/keep" "$d" </dev/null >/dev/null 2>&1 &
fi
for i in $(seq 150); do [ -S "$d/rfb" ] && exit 0; sleep 0.1; done
tail -n 3 "$d/screen.log" 2>/dev/null; exit 5
`;

const startMs = 30_000;

const refusals: Record<number, { message: (said: string) => string; nextAction: string }> = {
  3: {
    message: (said) => `The image of this session has no desktop: ${said} is missing`,
    nextAction: 'Base the recipe on "browser-desktop", build it, pin it, and launch a new session.',
  },
  4: {
    message: () => `Somebody else in the sandbox owns ${folder}, so the desktop was not started`,
    nextAction: 'Delete that folder inside, then open the screen again.',
  },
};

/** Has the desktop run and listen; does nothing where it does. @throws not_found when the image has none @throws runtime_error */
export const startDesktop = async (runtime: ContainerRuntime, containerId: string): Promise<void> => {
  const spec = { command: ['/bin/sh', '-c', start, 'sandlot-desktop', keeper], user: sandboxUser, workdir: workspace };
  const env = Object.entries(displayVariables).map(([name, value]) => `${name}=${value}`);
  const { exitCode, output } = await runInside(runtime, containerId, { ...spec, env }, startMs);
  if (exitCode === 0) return;
  const said = output.replace(/[^\x20-\x7e]+/g, ' ').trim();
  const known = refusals[exitCode ?? -1];
  if (known !== undefined) throw new SandlotError('not_found', `${known.message(said)}.`, { nextAction: known.nextAction });
  throw new SandlotError('runtime_error', `The desktop did not start: ${said === '' ? 'it said nothing' : said}`, {
    nextAction: 'Restart the session.',
  });
};

/** The same as a step of a session that has just started; nobody waits for it, and what goes wrong is said in the session. */
export const bringDesktop = (deps: SessionDeps, book: SessionBook, session: Session, containerId: string): void => {
  if (session.computer_use !== true) return;
  book
    .step(session.id, 'desktop', () => startDesktop(deps.runtimeOf(session.runtime), containerId))
    .catch((thrown: unknown) => book.note(session.id, { message: (thrown as Error).message }));
};
