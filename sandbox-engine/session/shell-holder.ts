// Keeps a terminal's shell alive inside the sandbox while no host is connected: dtach holds its PTY, and each exec only attaches to it.
// Where dtach is missing the exec is the shell itself, which nobody can attach to again. Source: dtach(1).
import { SandlotError } from '../base/errors.ts';
import type { ExecSpec } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Session, Terminal } from '../contract/model.ts';
import { runInside } from './run-inside.ts';
import { type SessionDeps, terminalVariable } from './session-parts.ts';

type Place = Pick<Terminal, 'id' | 'cols' | 'rows'>;

/** A number: it ended with this code. `gone`: nothing is there to attach to. `unreachable`: the runtime does not answer now. */
export type ShellState = number | 'alive' | 'gone' | 'unreachable';

const folderOf = (id: string): string => `/tmp/.sandlot-${id}`;

// No detach character, no suspend key: every byte passes.
const transparent = ['-E', '-z', '-r', 'winch'];

// dtach leaves its listening socket open in the shell, starts it at 0 × 0 and keeps no exit code.
const shell = `exec 3>&- 4>&- 5>&-
[ "$(stty size 2>/dev/null)" = "0 0" ] && stty rows "$3" cols "$2"
trap : HUP INT QUIT
bash -l
code=$?
echo "$code" >"$1/code.part" && mv "$1/code.part" "$1/code"`;

const begin = `command -v dtach >/dev/null 2>&1 && mkdir -m 700 "$1" 2>/dev/null || exec bash -l
exec dtach -A "$1/tty" ${transparent.join(' ')} /bin/sh -c "$2" sandlot-shell "$1" "$3" "$4"`;

const look = `
if [ -s "$1/code" ]; then printf 'code '; cat "$1/code"; rm -rf "$1"
elif [ -S "$1/tty" ] && dtach -p "$1/tty" </dev/null >/dev/null 2>&1; then echo alive
else rm -rf "$1"; echo gone
fi`;

// The clients of a host that is away go on as long as nobody reads their terminal; the holder itself has none.
const dropClients = `
ps -e -o tty=,pid=,args= | while read -r tty pid args; do
  case "$tty $args" in
    '?'*) ;;
    *' dtach -'[aA]" $1/tty "*) kill -s KILL "$pid" ;;
  esac
done`;

const specOf = ({ id, cols, rows }: Place, command: string[], secrets: readonly string[] = []): ExecSpec => ({
  command,
  env: [...secrets, 'TERM=xterm-256color', 'COLORTERM=truecolor', `${terminalVariable}=${id}`],
  user: sandboxUser,
  workdir: workspace,
  stdin: true,
  tty: { cols, rows },
});

/** The exec that starts a terminal's shell, with these secrets as variables, and attaches to it. */
export const startingExec = (place: Place, secrets: readonly string[]): ExecSpec => {
  const words = [folderOf(place.id), shell, String(place.cols), String(place.rows)];
  return specOf(place, ['/bin/sh', '-c', begin, 'sandlot-terminal', ...words], secrets);
};

/** The exec that attaches to a shell that is alive; what runs in it is told to paint itself again. */
export const attachingExec = (place: Place): ExecSpec => specOf(place, ['dtach', '-a', `${folderOf(place.id)}/tty`, ...transparent]);

const ask = async (deps: SessionDeps, session: Session, containerId: string, id: string, script: string): Promise<string> => {
  const command = ['/bin/sh', '-c', script, 'sandlot-look', folderOf(id)];
  const { output } = await runInside(deps.runtimeOf(session.runtime), containerId, { command, user: sandboxUser, workdir: '/' });
  return output.trim();
};

const passingTroubles = new Set(['runtime_unavailable', 'runtime_not_found', 'stream_broken']);

/** Looks for the shell of a terminal and forgets what has ended. Never throws. */
export const findShell = async (deps: SessionDeps, session: Session | null, id: string): Promise<ShellState> => {
  if (session?.status !== 'running' || session.container_id === null) return 'gone';
  try {
    const answer = await ask(deps, session, session.container_id, id, look);
    const code = /^code (\d{1,3})$/.exec(answer)?.[1];
    if (code !== undefined) return Number(code);
    if (answer !== 'alive') return 'gone';
    await ask(deps, session, session.container_id, id, dropClients);
    return 'alive';
  } catch (thrown) {
    return thrown instanceof SandlotError && passingTroubles.has(thrown.code) ? 'unreachable' : 'gone';
  }
};
