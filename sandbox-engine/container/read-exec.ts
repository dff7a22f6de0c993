// Runs a command in a container to its end and answers what it printed.
import type { ContainerRuntime, ExecSpec, OutputChunk } from './container-runtime.ts';

export interface ReadExecOptions {
  /** Lets go of the command; what was printed until then is the answer. */
  signal?: AbortSignal;
  /** Only this output; both together unless set. */
  only?: OutputChunk['stream'];
  /** What comes beyond is read and dropped; a mebibyte unless set. */
  mostBytes?: number;
}

/** The command's output as text. */
export const readExec = async (
  runtime: ContainerRuntime,
  containerId: string,
  spec: ExecSpec,
  { signal, only, mostBytes = 1_048_576 }: ReadExecOptions = {},
): Promise<string> => {
  const handle = await runtime.exec(containerId, spec);
  const letGo = (): void => handle.close();
  signal?.addEventListener('abort', letGo, { once: true });
  if (signal?.aborted === true) letGo();
  try {
    const parts: Buffer[] = [];
    let kept = 0;
    for await (const { stream, bytes } of handle.output) {
      if ((only !== undefined && stream !== only) || kept >= mostBytes) continue;
      parts.push(bytes);
      kept += bytes.length;
    }
    return Buffer.concat(parts).toString('utf8');
  } finally {
    signal?.removeEventListener('abort', letGo);
    handle.close();
  }
};
