// A command inside that is started while what it works on is still on its way: starting one takes as long as git takes for the objects.
import type { ContainerRuntime, ExecHandle } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Ended, Then } from './packing.ts';

// Says itself how it ended: the runtime knows that a good while later. All in one stream: a runtime brings what was last said on stdout before
// what was said on stderr earlier, as often as not.
const waitScript = `exec 2>&1; at=$1; shift
read -r told || exit 1
cd -- "$at" && "$@" </dev/null; printf '\\n:%s:\\n' "$?"`;

const hear = async (handle: ExecHandle): Promise<Ended> => {
  let said = '';
  for await (const { bytes } of handle.output) {
    said = (said + bytes.toString('utf8')).slice(-4_096);
    const end = /\n:(\d+):\n$/.exec(said);
    if (end !== null) return { exitCode: Number(end[1]), said: said.slice(0, end.index) };
  }
  return { exitCode: null, said };
};

/** Starts it, waits for what makes its work ready, tells it to begin, and answers how it ended. Work that fails ends it unrun, with its error. */
export const runWhenTold = async <Made>(
  runtime: ContainerRuntime,
  containerId: string,
  { at, command, env }: Then,
  work: Promise<Made>,
): Promise<Ended & { made: Made }> => {
  const words = ['/bin/sh', '-c', waitScript, 'sandlot-wait', at, ...command];
  const starting = runtime.exec(containerId, { command: words, env: [...env], user: sandboxUser, workdir: workspace, stdin: true });
  starting.catch(() => undefined);
  try {
    const made = await work;
    const handle = await starting;
    handle.stdin.on('error', () => undefined).end('\n');
    return { ...(await hear(handle)), made };
  } finally {
    starting.then(
      (handle) => handle.close(),
      () => undefined,
    );
  }
};
