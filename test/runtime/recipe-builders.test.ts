// The compiled recipe and the runtime layer on every builder there is: Docker's classic one, BuildKit, buildah. What arrives is
// compared byte by byte. Speaks to the sockets itself for builds, so that the builder is the one that is meant.
import { request } from 'node:http';
import type { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { keepAlive } from '../../sandbox-engine/container/keep-alive.ts';
import { compileRecipe } from '../../sandbox-engine/recipe/compile.ts';
import { parseRecipe } from '../../sandbox-engine/recipe/parse.ts';
import { notDebianFamilyMark, runtimeLayer, runtimeLayerVersion } from '../../sandbox-engine/recipe/runtime-layer.ts';
import { oddValues } from './support/odd-values.ts';
import { testRuntimes } from './support/test-image.ts';

const env: Record<string, string> = {
  ...oddValues,
  EMPTY: '',
  WILD: '`id` \\n \\$X \\" \'\n\\\n#x\r\n<<EOF é😀\t',
  __proto_: 'x',
};
Object.defineProperty(env, '__proto__', { value: 'kept', enumerable: true });

const script =
  'cat > /step <<\'EOF\'\na\tb \\ $HOME `id` "q" \'q\' \\\n\ttab <<X\r\nEOF\nprintf %s "$MULTI" > /multi; id -u > /uid\n# trailing \\';
const written = 'a\tb \\ $HOME `id` "q" \'q\' \\\n\ttab <<X\r\n';
const long = `cat > /long <<'EOF'\n${"0123 'x' \\ \n".repeat(6000)}EOF\n`;

interface Compiled {
  dockerfile: string;
  files?: { path: string; mode: number; contents: string }[];
  buildArgs?: Record<string, string>;
}

const buildOn = async (
  socketPath: string,
  version: string,
  tag: string,
  { dockerfile, files = [], buildArgs = {} }: Compiled,
): Promise<string> => {
  const context = pack();
  context.entry({ name: 'Dockerfile' }, dockerfile);
  for (const { path, mode, contents } of files) context.entry({ name: path, mode }, contents);
  context.finalize();
  const query = new URLSearchParams({ t: tag, version, buildargs: JSON.stringify(buildArgs), rm: '1', forcerm: '1' });
  return await new Promise((resolve, reject) => {
    const sent = request({
      socketPath,
      method: 'POST',
      path: `/build?${query}`,
      headers: { host: 'runtime', 'content-type': 'application/x-tar' },
    });
    sent.on('error', reject).on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve(text));
    });
    (context as unknown as Readable).pipe(sent);
  });
};

describe.each(testRuntimes)('on $kind', ({ kind, socket }) => {
  const runtime = createDockerRuntime({ id: kind, kind, connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket } });
  const prefix = `localhost/sandlot-test/recipe-${process.pid}`;
  const bases = { plain: `${prefix}-base:1`, layered: `${prefix}-layer:1`, musl: `${prefix}-musl:1` };
  const builders = kind === 'docker' ? ['1', '2'] : ['1'];
  const { recipe } = parseRecipe('initialize:\n  - name: odd\n    run: x\n  - name: long\n    run: x\n');
  const odd = {
    ...recipe,
    env,
    initialize: [
      { name: 'odd', run: script },
      { name: 'long', run: long },
    ],
  };
  const tagOf = (version: string): string => `${prefix}-built-${version}:1`;
  let container = '';

  const run = async (command: string, user = ''): Promise<string> => {
    const handle = await runtime.exec(container, {
      command: ['/bin/bash', '-lc', command],
      stdin: false,
      ...(user === '' ? {} : { user }),
    });
    const parts: Buffer[] = [];
    for await (const { bytes } of handle.output) parts.push(bytes);
    return Buffer.concat(parts).toString();
  };

  beforeAll(async () => {
    // A base that sets a user, has an entry point, and has number 1000 taken.
    const base = 'FROM docker.io/library/debian:bookworm-slim\nRUN useradd -u 1000 dev\nUSER dev\nENTRYPOINT ["/bin/echo","hi"]\n';
    await buildOn(socket, '1', bases.plain, { dockerfile: base });
    const layered = await buildOn(socket, '1', bases.layered, runtimeLayer({ from: bases.plain, labelKey: 'dev.sandlot.runtime-layer' }));
    expect(await runtime.inspectImage(bases.layered), layered.slice(-2000)).not.toBeNull();
  }, 240_000);

  afterAll(async () => {
    if (container !== '') await runtime.removeContainer(container);
    for (const tag of [...builders.map(tagOf), ...Object.values(bases)]) await runtime.removeImage(tag, { force: true });
  });

  test.each(builders)('every value is in the image as it was written (builder %s)', async (version) => {
    const log = await buildOn(
      socket,
      version,
      tagOf(version),
      compileRecipe({ recipe: odd, from: bases.layered, user: 1001, labels: { 'dev.sandlot.test': "it's $1" } }),
    );
    const image = await runtime.inspectImage(tagOf(version));
    expect(image, log.slice(-2000)).not.toBeNull();
    const got = (image?.env ?? [])
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
      .filter(([name]) => name !== 'PATH');
    expect(got.sort()).toEqual(Object.entries(env).sort());
    expect(image).toMatchObject({ user: '1001', workdir: '/workspace', cmd: ['/bin/bash'] });
    expect(image?.labels).toMatchObject({ 'dev.sandlot.test': "it's $1", 'dev.sandlot.runtime-layer': runtimeLayerVersion });
    expect(image?.entrypoint ?? []).toEqual([]);
  });

  test.each(builders)('steps arrived byte for byte and the sandbox user can do its work (builder %s)', async (version) => {
    const name = `sandlot-test-recipe-${process.pid}-${kind}-${version}`;
    container = await runtime.createContainer({
      name,
      image: tagOf(version),
      command: keepAlive,
      env: [],
      labels: {},
      network: 'none',
    });
    await runtime.startContainer(container);
    expect(await run('cat /step')).toBe(written);
    expect(await run('cat /multi; echo; cat /uid')).toBe('one\ntwo\n0\n');
    expect(await run('wc -c < /long; ls /var/tmp /var/lib/apt/lists')).toMatch(/^72000\n\/var\/lib\/apt\/lists:\n\n\/var\/tmp:\n$/);
    expect(await run('printenv __proto__ BACK')).toBe('kept\nC:\\tools\\\n');
    expect(await run('id -u; id -un; pwd; touch /workspace/x ~/y && echo wrote')).toBe('1001\nsandbox\n/workspace\nwrote\n');
    expect(await run('export https_proxy=p NODE_USE_ENV_PROXY=1; sudo -n printenv https_proxy NODE_USE_ENV_PROXY; sudo -n id -u')).toBe(
      'p\n1\n0\n',
    );
    expect(await run('command -v git perl sudo ps tput | wc -l')).toBe('5\n');
    await runtime.removeContainer(container);
    container = '';
  });

  test('a base without apt is refused by name, and musl is named, before anything is installed', async () => {
    const dockerfile = `FROM ${bases.plain}\nUSER 0\nRUN rm /usr/bin/apt-get && touch /lib/ld-musl-x86_64.so.1\n`;
    await buildOn(socket, '1', bases.musl, { dockerfile });
    const log = await buildOn(socket, '1', `${prefix}-never:1`, runtimeLayer({ from: bases.musl, labelKey: 'x' }));
    expect(log).toContain(`${notDebianFamilyMark} this base is not of the Debian family: it is built on musl`);
    expect(await runtime.inspectImage(`${prefix}-never:1`)).toBeNull();
  });
});
