// Measures what is in a workspace, from inside, where the runtime does not tell. The sandbox may answer what it likes: it is its own number.
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { workspace } from '../container/sandbox-spec.ts';
import { runInside } from './run-inside.ts';

const limitMs = 30_000;

/** Bytes, as the disk holds them; null when it could not be found out in time. */
export const measureWorkspace = async (runtime: ContainerRuntime, containerId: string): Promise<number | null> => {
  const command = ['nice', '-n', '19', 'timeout', '25', 'du', '-skx', workspace];
  const { output } = await runInside(runtime, containerId, { command, user: 'root', workdir: '/' }, limitMs);
  const kibibytes = Number(/^(\d{1,12})\s/m.exec(output)?.[1] ?? Number.NaN);
  return Number.isSafeInteger(kibibytes) ? kibibytes * 1024 : null;
};
