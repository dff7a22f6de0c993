import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { describe, expect, test } from 'vitest';
import { searchImage } from '../../../sandbox-engine/image/search-image.ts';
import { createSecretSearch } from '../../../sandbox-engine/stream/secret-search.ts';

const value = 's3cr3t/+Value==';
const search = createSecretSearch([
  { name: 'OTHER', value: 'something else' },
  { name: 'TOKEN', value },
]);

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const tarOf = async (fill: (archive: ReturnType<typeof pack>) => void): Promise<Buffer> => {
  const archive = pack();
  fill(archive);
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

const layerOf = (files: Record<string, string | Buffer>): Promise<Buffer> =>
  tarOf((archive) => {
    for (const [name, contents] of Object.entries(files)) archive.entry({ name }, contents);
  });

interface Made {
  config?: object;
  history?: object[];
  layers?: Buffer[];
  /** As Docker before 25 names a layer, as Podman does, as an OCI layout does, and that compressed. */
  naming?: 'id' | 'digest' | 'blob' | 'gzip';
}

const saved = async ({ config = {}, history = [], layers = [], naming = 'id' }: Made): Promise<Readable> => {
  const digests = layers.map(sha256);
  const document = JSON.stringify({ config, history, rootfs: { type: 'layers', diff_ids: digests.map((digest) => `sha256:${digest}`) } });
  const names = digests.map((digest, at) => {
    if (naming === 'id') return `${String(at).repeat(64)}/layer.tar`;
    return naming === 'digest' ? `${digest}.tar` : `blobs/sha256/${naming === 'blob' ? digest : `${at}`.repeat(64)}`;
  });
  const bytes = await tarOf((archive) => {
    for (const [at, layer] of layers.entries()) archive.entry({ name: names[at] ?? '' }, naming === 'gzip' ? gzipSync(layer) : layer);
    archive.entry({ name: `${sha256(Buffer.from(document))}.json` }, document);
    archive.entry({ name: 'manifest.json' }, JSON.stringify([{ Config: 'x.json', RepoTags: null, Layers: names }]));
  });
  // In pieces of an odd size, so that whatever is sought is cut somewhere.
  return Readable.from(Array.from({ length: Math.ceil(bytes.length / 997) }, (_, at) => bytes.subarray(at * 997, (at + 1) * 997)));
};

const find = async (made: Made, skip: string[] = []) =>
  search === null ? null : await searchImage(await saved(made), search, new Set(skip));
const base64 = Buffer.from(`user:${value}`).toString('base64');

describe('a secret in an image is found, and where', () => {
  test.each<[string, Made, string]>([
    ['a variable', { config: { Env: ['A=1', `DB_URL=https://u:${encodeURIComponent(value)}@h`] } }, 'the variable DB_URL'],
    ['a label', { config: { Labels: { 'dev.recipe': base64 } } }, 'the label dev.recipe'],
    ['the history', { history: [{ created_by: 'FROM x' }, { created_by: `RUN echo ${value}` }] }, 'line 2 of its history'],
    ['its start command', { config: { Cmd: ['sh', '-c', `x ${value}`] } }, 'its configuration'],
  ])('in %s', async (_, made, place) => {
    expect(await find(made)).toEqual({ secret: 'TOKEN', place });
  });

  test.each(['id', 'digest', 'blob', 'gzip'] as const)('in a file of a layer, when layers are named by %s', async (naming) => {
    const layers = [await layerOf({ 'etc/a': 'x'.repeat(5_000) }), await layerOf({ './srv/token': `${'y'.repeat(1_234)}${value}\n` })];
    expect(await find({ layers, naming })).toEqual({ secret: 'TOKEN', place: 'the file /srv/token in layer 2' });
  });

  test('in a file that a later layer hides, in a file name, and where a link leads', async () => {
    const hidden = [await layerOf({ 'srv/token': base64 }), await layerOf({ 'srv/.wh.token': '' })];
    expect((await find({ layers: hidden }))?.place).toBe('the file /srv/token in layer 1');
    expect((await find({ layers: [await layerOf({ [`srv/${encodeURIComponent(value)}`]: '' })] }))?.secret).toBe('TOKEN');
    const link = await tarOf((archive) => archive.entry({ name: 'srv/link', type: 'symlink', linkname: `/x/${value}` }));
    expect((await find({ layers: [link] }))?.place).toBe('the name of the file /srv/link in layer 1');
  });
});

describe('nothing is found', () => {
  test('where there is none, or only a part of one', async () => {
    const layers = [await layerOf({ a: value.slice(1), b: value.slice(0, -3), c: Buffer.alloc(100_000, 7), d: '' })];
    expect(await find({ layers, config: { Env: ['PATH=/bin'] }, history: [{}] })).toBeNull();
  });

  test.each(['id', 'digest', 'blob', 'gzip'] as const)('in a layer that needs no look, when layers are named by %s', async (naming) => {
    const layers = [await layerOf({ 'etc/common': value }), await layerOf({ 'etc/a': 'x' })];
    const skip = [`sha256:${sha256(layers[0] ?? Buffer.alloc(0))}`];
    expect(await find({ layers, naming }, skip)).toBeNull();
    expect(await find({ layers: [...layers, await layerOf({ 'srv/token': value })], naming }, skip)).toEqual({
      secret: 'TOKEN',
      place: 'the file /srv/token in layer 3',
    });
  });

  test('for values that are too short to be told from chance', () => {
    expect(createSecretSearch([{ name: 'SHORT', value: 'abcdefg' }])).toBeNull();
  });
});

test('an archive that breaks off is an error, not a clean image', async () => {
  const whole = await saved({ layers: [await layerOf({ a: 'x'.repeat(50_000) })] });
  const parts: Buffer[] = [];
  for await (const part of whole) parts.push(part as Buffer);
  const broken = async function* () {
    yield parts[0];
    yield parts[1];
    throw new Error('the connection was reset');
  };
  await expect(search === null ? null : searchImage(Readable.from(broken()), search, new Set())).rejects.toThrow('reset');
  await expect(search === null ? null : searchImage(Readable.from(parts.slice(0, 9)), search, new Set())).rejects.toThrow();
});
