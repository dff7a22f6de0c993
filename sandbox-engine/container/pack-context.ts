// Packs a compiled recipe into the tar stream that a runtime builds from. Only Sandlot's own files get in: nothing of the disk.
import { Readable } from 'node:stream';
import { pack } from 'tar-stream';

export interface CompiledContext {
  dockerfile: string;
  files: { path: string; mode: number; contents: string }[];
}

// One fixed time, so that the same recipe is the same bytes and the runtime's cache holds.
const modified = new Date(0);

/** Answers the context as a tar stream with the Dockerfile first. */
export const packContext = ({ dockerfile, files }: CompiledContext): Readable => {
  const tar = pack();
  tar.entry({ name: 'Dockerfile', mode: 0o644, mtime: modified }, dockerfile);
  for (const file of files) tar.entry({ name: file.path, mode: file.mode, mtime: modified }, file.contents);
  tar.finalize();
  return Readable.from(tar, { objectMode: false });
};
