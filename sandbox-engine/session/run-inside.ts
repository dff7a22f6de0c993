// Runs short commands inside a container and gathers what they print; ends all that a terminal or a command has left running.
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerRuntime, ExecSpec } from '../container/container-runtime.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';

interface Finished {
  exitCode: number | null;
  /** The last 8 KiB of both streams. */
  output: string;
}

const keptOutput = 8_192;
const endLimitMs = 15_000;
/** What a command has printed at its end is there by then, whoever holds its output after that. */
const lastWordsMs = 1_500;

/** Runs a command to its end, without input. A sandbox can put what it likes in the place of any program: whoever waits for the answer
 *  says for how long; a command that takes longer is let go of and has no exit code. `tell` hears what it prints meanwhile. */
export const runInside = async (
  runtime: ContainerRuntime,
  containerId: string,
  { tell, ...spec }: Omit<ExecSpec, 'stdin'> & { tell?: ((text: string) => void) | undefined },
  limitMs?: number,
): Promise<Finished> => {
  const handle = await runtime.exec(containerId, { ...spec, stdin: false });
  let output = '';
  const over = new AbortController();
  const hear = async (): Promise<void> => {
    for await (const { bytes } of handle.output) {
      const text = bytes.toString('utf8');
      output = (output + text).slice(-keptOutput);
      tell?.(text);
    }
  };
  const work = async (): Promise<number | null> => {
    if (limitMs !== undefined) {
      await hear();
      return await handle.exitCode();
    }
    // What it has left running may hold its output for ever.
    const exit = handle.exitCode();
    const lastWords = exit.then(() => delay(lastWordsMs, undefined, { signal: over.signal }));
    lastWords.catch(() => undefined);
    await Promise.race([hear(), lastWords]);
    return await exit;
  };
  try {
    const limit = limitMs === undefined ? [] : [delay(limitMs, null, { signal: over.signal })];
    return { exitCode: await Promise.race([work(), ...limit]), output };
  } finally {
    over.abort();
    handle.close();
  }
};

// The environment of a process can be read by its own user only, not by a root without SYS_PTRACE: so grep runs as that user. What sudo
// started has another environment but belongs to the same process session, so whole sessions are ended.
const endScript = `
marked() { setpriv --reuid="$2" --regid="$2" --init-groups grep -lsxzF -e "$1" /proc/[0-9]*/environ | cut -d/ -f3; }
sids=$(for p in $(marked "$1" "$2"); do ps -o sid= -p "$p"; done | sort -un | grep -vxE ' *(0|1)')
members() { for s in $sids; do ps -e -o sid=,pid= | while read -r sid pid; do [ "$sid" = "$s" ] && echo "$pid"; done; done; marked "$1" "$2"; }
signal() { pids=$(members "$2" "$3" | sort -un | grep -vx 1); [ -z "$pids" ] && return 1; kill -s "$1" $pids 2>/dev/null; return 0; }
signal HUP "$1" "$2" || exit 0
signal CONT "$1" "$2"
for i in 1 2 3 4 5 6 7 8 9 10; do [ -z "$(members "$1" "$2")" ] && exit 0; sleep 0.1; done
signal KILL "$1" "$2"
exit 0
`;

/** Ends every process that carries `VARIABLE=value` in its environment and all of their process sessions: HUP, and KILL a second later. */
export const endMarked = async (runtime: ContainerRuntime, containerId: string, mark: string): Promise<void> => {
  const command = ['/bin/sh', '-c', endScript, 'sandlot-end', mark, sandboxUser];
  await runInside(runtime, containerId, { command, user: 'root', workdir: '/' }, endLimitMs);
};
