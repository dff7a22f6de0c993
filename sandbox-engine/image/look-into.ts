// Reads files of an image without running it: what is in it may have no shell to ask.
import { extract } from 'tar-stream';
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';

/** The text of a file (empty for what is no file); null when the path is not there. */
export type ReadInside = (path: string) => Promise<string | null>;

const readEntry = async (runtime: ContainerRuntime, containerId: string, path: string): Promise<string | null> => {
  // Only the daemon's own "not there": a daemon that broke must not look like an image without the file.
  const archive = await runtime.getArchive(containerId, path).catch((thrown: unknown) => {
    if (thrown instanceof SandlotError && thrown.details.status === 404) return null;
    throw thrown;
  });
  if (archive === null) return null;
  const tar = extract();
  archive.pipe(tar);
  let text: string | null = null;
  for await (const entry of tar) {
    const parts: Buffer[] = [];
    for await (const part of entry) parts.push(part as Buffer);
    text ??= Buffer.concat(parts).toString('utf8');
  }
  return text;
};

/** Looks into an image through a container of this name and these labels, which is never started and is gone afterwards. */
export const lookInto = async <Seen>(
  runtime: ContainerRuntime,
  { imageId, name, labels }: { imageId: string; name: string; labels: Record<string, string> },
  look: (read: ReadInside) => Promise<Seen>,
): Promise<Seen> => {
  const containerId = await runtime.createContainer({ name, image: imageId, command: ['/bin/true'], env: [], labels, network: 'none' });
  try {
    return await look((path) => readEntry(runtime, containerId, path));
  } finally {
    await runtime.removeContainer(containerId);
  }
};
