// An image as `docker save` writes it, of one layer and for any processor: what a runtime can load but perhaps not run.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pack } from 'tar-stream';

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** @param layer an uncompressed tar */
export const savedImage = async (layer: Readable, tag: string, architecture: string): Promise<Readable> => {
  const parts: Buffer[] = [];
  for await (const part of layer) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const created = '2026-01-01T00:00:00Z';
  const config = JSON.stringify({
    ...{ architecture, os: 'linux', created, config: {} },
    ...{ rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(bytes)}`] }, history: [{ created }] },
  });
  const name = `${sha256(config)}.json`;
  const archive = pack();
  archive.entry({ name: 'layer/layer.tar' }, bytes);
  archive.entry({ name }, config);
  archive.entry({ name: 'manifest.json' }, JSON.stringify([{ Config: name, RepoTags: [tag], Layers: ['layer/layer.tar'] }]));
  archive.finalize();
  return archive as unknown as Readable;
};
