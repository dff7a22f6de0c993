// Gives an image another config over the same layers, by loading a tar with a config that names them. For what `commit` cannot say:
// an exact environment. Source: Docker image specification v1.2 (config, manifest.json).
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Pack } from 'tar-stream';
import { extract, pack } from 'tar-stream';
import { SandlotError } from '../base/errors.ts';
import type { DockerConnection } from './docker-connection.ts';
import { readProgress } from './progress-records.ts';
import { readAll } from './read-all.ts';

/** What a daemon says of an image, as far as a config is made of it. */
export interface RawImage {
  Id: string;
  Created?: string;
  Architecture?: string;
  Variant?: string;
  Os?: string;
  Author?: string;
  Config?: Record<string, unknown> | null;
  RootFS?: { Layers?: string[] | null };
}

/** The image config document with the given changes to its `config` part. */
export const configDocument = (image: RawImage, changes: Record<string, unknown>): Buffer =>
  Buffer.from(
    JSON.stringify({
      architecture: image.Architecture,
      ...(image.Variant ? { variant: image.Variant } : {}),
      os: image.Os,
      created: image.Created,
      config: { ...image.Config, ...changes },
      rootfs: { type: 'layers', diff_ids: image.RootFS?.Layers ?? [] },
      history: (image.RootFS?.Layers ?? []).map(() => ({ created: image.Created })),
    }),
  );

const manifestOf = (config: string, tag: string, layers: string[]): string =>
  JSON.stringify([{ Config: config, RepoTags: [tag], Layers: layers }]);

const configName = (document: Buffer): string => `${createHash('sha256').update(document).digest('hex')}.json`;

// The smallest tar there is: two empty blocks.
const emptyTar = Buffer.alloc(1024);

/** A tar without the layers' bytes: enough for a daemon that finds each layer in its own store by its digest.
 * Docker wants no layer files at all; Podman wants them there, and then reads none whose digest it has (it checks those it reads). */
export const bareArchive = (document: Buffer, tag: string, layerCount: number, layerFiles: 'none' | 'empty'): Readable => {
  const archive = pack();
  const name = configName(document);
  const layers = Array.from({ length: layerCount }, (_, index) => `${index}/layer.tar`);
  if (layerFiles === 'empty') for (const layer of layers) archive.entry({ name: layer }, emptyTar);
  archive.entry({ name }, document);
  archive.entry({ name: 'manifest.json' }, manifestOf(name, tag, layers));
  archive.finalize();
  return asReadable(archive);
};

// tar-stream's streams are of another make, but they pipe and iterate like Node's.
type TarEntry = ReturnType<typeof extract> extends AsyncIterable<infer E> ? E : never;

const asReadable = (archive: Pack): Readable => archive as unknown as Readable;

const replaced = new Set(['manifest.json', 'repositories', 'index.json', 'oci-layout']);

/** The saved image with its config exchanged, as a stream: layers pass through, nothing is stored here. */
export const exchangeConfig = (saved: Readable, document: Buffer, tag: string): Readable => {
  const archive = pack();
  const copy = async (): Promise<void> => {
    let layers: string[] = [];
    for await (const entry of saved.pipe(extract())) {
      if (entry.header.name === 'manifest.json') {
        const manifest: unknown = JSON.parse((await readAll(entry)).toString('utf8'));
        layers = (manifest as { Layers: string[] }[])[0]?.Layers ?? [];
      } else if (replaced.has(entry.header.name) || entry.header.size === undefined) {
        entry.resume();
      } else {
        await copyEntry(entry, archive);
      }
    }
    const name = configName(document);
    archive.entry({ name }, document);
    archive.entry({ name: 'manifest.json' }, manifestOf(name, tag, layers));
    archive.finalize();
  };
  copy().catch((thrown: unknown) => archive.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))));
  return asReadable(archive);
};

const copyEntry = async (entry: TarEntry, archive: Pack): Promise<void> => {
  await new Promise<void>((resolve, reject) => {
    const target = archive.entry(entry.header, (error) => (error ? reject(error) : resolve()));
    entry.on('error', reject);
    entry.pipe(target);
  });
};

/** Loads an archive made here. */
export const loadArchive = async (connection: DockerConnection, archive: Readable, signal?: AbortSignal): Promise<void> => {
  const what = 'store the image';
  const options = signal === undefined ? {} : { signal };
  const body = await connection.stream({ what, method: 'POST', path: '/images/load', query: { quiet: true }, upload: archive, ...options });
  for await (const _ of readProgress(body, connection, what, signal));
};

/** Refuses to go on without what a config needs. */
export const assertComplete = (image: RawImage): void => {
  if ((image.RootFS?.Layers ?? []).length > 0 && image.Config) return;
  throw new SandlotError('runtime_error', `Could not change the config of image ${image.Id}: the runtime does not name its layers.`);
};
