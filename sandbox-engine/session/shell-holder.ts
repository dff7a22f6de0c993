// Keeps a terminal's shell alive inside the sandbox while no host is connected: how it is started, joined, looked for and what it left.
// What runs there is in terminal-holder.ts.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ExecSpec } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Session, Terminal } from '../contract/model.ts';
import { runInside } from './run-inside.ts';
import { type SessionDeps, terminalVariable } from './session-parts.ts';
import { clientProgram, holderProgram } from './terminal-holder.ts';

type Place = Pick<Terminal, 'id' | 'cols' | 'rows'>;

/** What a terminal printed while nobody was connected, and how many bytes before it were dropped. */
export interface Kept {
  dropped: number;
  bytes: Buffer;
}

/** How a shell ended, with what nobody has read. */
interface EndedShell {
  exitCode: number;
  kept: Kept | null;
}

/** `gone`: nothing is there to attach to. `unreachable`: the runtime does not answer now. */
export type ShellState = EndedShell | 'alive' | 'gone' | 'unreachable';

const folderOf = (id: string): string => `/tmp/.sandlot-${id}`;

const look = `
if [ -s "$1/code" ]; then printf 'code '; cat "$1/code"; if [ -e "$1/kept" ]; then echo kept; else rm -rf "$1"; fi
elif perl -MSocket -e 'socket($s, PF_UNIX, SOCK_STREAM, 0) && connect($s, sockaddr_un(shift)) or exit 1' "$1/tty"; then echo alive
else rm -rf "$1"; echo gone
fi`;

// A sandbox can make each of these answers what it likes, and as long as it likes.
const lookLimitMs = 10_000;
const mostKept = 8_388_608;

const takeKept = 'cat "$1/kept"; rm -rf "$1"';

const specOf = (id: string, command: string[], secrets: readonly string[] = []): ExecSpec => ({
  command,
  env: [...secrets, 'TERM=xterm-256color', 'COLORTERM=truecolor', `${terminalVariable}=${id}`],
  user: sandboxUser,
  workdir: workspace,
  stdin: true,
});

interface Beginning {
  /** Where the shell begins, if that is there. */
  workdir: string;
  /** It is made, because something is about to be put into it. */
  isComing: boolean;
}

/** The exec that starts a terminal's shell, with these secrets as variables, and is connected to it. */
export const startingExec = ({ id, cols, rows }: Place, secrets: readonly string[], { workdir, isComing }: Beginning): ExecSpec =>
  specOf(id, ['perl', '-e', holderProgram, folderOf(id), String(cols), String(rows), workdir, isComing ? '1' : ''], secrets);

/** The exec that joins a shell that is alive; its output begins with what `readKept` reads. */
export const attachingExec = (id: string): ExecSpec => specOf(id, ['perl', '-e', clientProgram, folderOf(id)]);

/** Reads the line that counts what was dropped, and what follows it; null while the line is not there. It may be forged: a
 *  sandbox can print what it likes. */
export const readKept = (bytes: Buffer): Kept | null => {
  const end = bytes.subarray(0, 20).indexOf('\n');
  if (end < 0) return bytes.length < 20 ? null : { dropped: 0, bytes };
  const dropped = Number(bytes.toString('latin1', 0, end));
  return Number.isSafeInteger(dropped) && dropped >= 0 ? { dropped, bytes: bytes.subarray(end + 1) } : { dropped: 0, bytes };
};

type Asked = { runtime: ContainerRuntime; containerId: string; id: string };

const specOfLook = (id: string, script: string): Omit<ExecSpec, 'stdin'> => ({
  command: ['/bin/sh', '-c', script, 'sandlot-look', folderOf(id)],
  user: sandboxUser,
  workdir: '/',
});

const fetchKept = async ({ runtime, containerId, id }: Asked): Promise<Kept | null> => {
  const handle = await runtime.exec(containerId, { ...specOfLook(id, takeKept), stdin: false });
  const limit = setTimeout(handle.close, lookLimitMs);
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const { stream, bytes } of handle.output) {
      if (stream !== 'stdout') continue;
      parts.push(bytes);
      size += bytes.length;
      if (size >= mostKept) break;
    }
    return readKept(Buffer.concat(parts).subarray(0, mostKept));
  } finally {
    clearTimeout(limit);
    handle.close();
  }
};

const ask = async (asked: Asked): Promise<ShellState> => {
  const { output } = await runInside(asked.runtime, asked.containerId, specOfLook(asked.id, look), lookLimitMs);
  const ended = /^code (\d{1,3})\n(kept\n)?$/.exec(output);
  if (ended !== null) return { exitCode: Number(ended[1]), kept: ended[2] === undefined ? null : await fetchKept(asked) };
  return output === 'alive\n' ? 'alive' : 'gone';
};

const passingTroubles = new Set(['runtime_unavailable', 'runtime_not_found', 'stream_broken']);

/** Looks for the shell of a terminal; what it left is taken away with its answer. Never throws. */
export const findShell = async (deps: SessionDeps, session: Session | null, id: string): Promise<ShellState> => {
  if (session?.status !== 'running' || session.container_id === null) return 'gone';
  try {
    return await ask({ runtime: deps.runtimeOf(session.runtime), containerId: session.container_id, id });
  } catch (thrown) {
    return thrown instanceof SandlotError && passingTroubles.has(thrown.code) ? 'unreachable' : 'gone';
  }
};
