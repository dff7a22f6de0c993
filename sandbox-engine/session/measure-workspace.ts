// Measures what is in a workspace, from inside, which is faster than to ask the runtime for all volumes, and comes to the same number.
// The sandbox may answer what it likes: it is its own.
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { workspace } from '../container/sandbox-spec.ts';
import { runInside } from './run-inside.ts';

const limitMs = 30_000;

// As a runtime counts a volume: the bytes of files, those with several names once. Folders have none, and sparse files all that they claim.
const script = `find ${workspace} -xdev ! -type d -exec stat -c '%h %i %s' {} + | awk '$1 == 1 || !seen[$2]++ { bytes += $3 } END { printf "%.0f\\n", bytes }'`;

/** Bytes of its files; null when it could not be found out in time. */
export const measureWorkspace = async (runtime: ContainerRuntime, containerId: string): Promise<number | null> => {
  const command = ['nice', '-n', '19', 'timeout', '25', 'sh', '-c', script];
  const { output } = await runInside(runtime, containerId, { command, user: 'root', workdir: '/' }, limitMs);
  const bytes = Number(/^(\d{1,15})\s*$/m.exec(output)?.[1] ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : null;
};
