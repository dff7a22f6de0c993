// Runs a command in a container to its end and answers what it printed.
import type { ContainerRuntime, ExecSpec } from './container-runtime.ts';

/** Both outputs together, as text. The signal lets go of the command, and what was printed until then is the answer. */
export const readExec = async (runtime: ContainerRuntime, containerId: string, spec: ExecSpec, signal?: AbortSignal): Promise<string> => {
  const handle = await runtime.exec(containerId, spec);
  const letGo = (): void => handle.close();
  signal?.addEventListener('abort', letGo, { once: true });
  try {
    const parts: Buffer[] = [];
    for await (const { bytes } of handle.output) parts.push(bytes);
    return Buffer.concat(parts).toString('utf8');
  } finally {
    signal?.removeEventListener('abort', letGo);
    handle.close();
  }
};
