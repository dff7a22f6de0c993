// Keys that are typed in one session while the screen of another changes all over, sixty times a second: by how much later is their echo
// told? The host is in this process, as in the desktop window; the screen's server is a stand-in of a few lines that never runs dry.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { putStandInScreen } from '../runtime/support/stand-in-screen.ts';
import { makePinned, removeImages } from './bench-host.ts';
import { benchDocker } from './bench-runtimes.ts';
import { median, type Ratio } from './ratio.ts';
import { type Client, closeHere, openHere, openOurs } from './typing.ts';

const rounds = 5;
const keysInRound = 100;
const limitMs = 5;
/** A picture of 1280 × 800 that changed everywhere, as JPEG, and the time until the next. */
const pictureBytes = 196_608;
const pictureMs = 16;
const endless = 1_000_000_000_000;

const p95 = async (type: () => Promise<number>): Promise<number> => {
  const times: number[] = [];
  for (let key = 0; key < keysInRound; key += 1) times.push(await type());
  times.sort((a, b) => a - b);
  return times[Math.floor(keysInRound * 0.95)] ?? Number.NaN;
};

/** A viewer that draws sixty pictures a second until it is closed; answers how to close it. */
const view = async ({ call }: Client, sessionId: string): Promise<() => Promise<number>> => {
  const { screen_id } = await call('screen.open', { session_id: sessionId });
  await call('screen.read', { screen_id });
  await call('screen.write', { screen_id, data: Buffer.from(`flood ${endless}`).toString('base64') });
  let isOpen = true;
  let bytes = 0;
  const draw = async (): Promise<void> => {
    while (isOpen) {
      const began = performance.now();
      for (let drawn = 0; drawn < pictureBytes; ) {
        const { data } = await call('screen.read', { screen_id, max_bytes: pictureBytes - drawn });
        drawn += Buffer.byteLength(data, 'base64');
      }
      bytes += pictureBytes;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, pictureMs - (performance.now() - began))));
    }
  };
  const drawing = draw();
  return async () => {
    isOpen = false;
    await drawing;
    await call('screen.close', { screen_id });
    return bytes;
  };
};

const openDesktop = async ({ call }: Client, environmentId: string, socket: string): Promise<string> => {
  await call('environments.update', { environment_id: environmentId, patch: { computer_use: true } });
  const { id } = await call('sessions.launch', { environment_id: environmentId });
  const { id: exec_id } = await call('execs.start', { session_id: id, command: ['true'] });
  await call('execs.get', { exec_id, wait_seconds: 30 });
  const runtime = createDockerRuntime({
    ...{ id: 'bench', kind: 'docker' as const },
    connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket },
  });
  await putStandInScreen(runtime, (await call('sessions.get', { session_id: id })).container_id ?? '');
  runtime.close();
  return id;
};

/** Measures on Docker. */
export const bench = async (): Promise<Ratio[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-screen-'));
  const docker = benchDocker();
  const { host, client } = await openHere(folder);
  try {
    const { runtimes } = await client.call('runtimes.list', {});
    const runtime = runtimes.find(({ address }) => address === `unix://${docker.socket}`)?.id ?? '';
    const typed = await makePinned(client.call, runtime, 'base: debian\n');
    const other = await makePinned(client.call, runtime, 'base: debian\n');
    const type = await openOurs(client, typed.id);
    const desktop = await openDesktop(client, other.id, docker.socket);
    const added: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const quiet = await p95(type);
      const close = await view(client, desktop);
      const busy = await p95(type);
      if ((await close()) === 0) throw new Error('Nothing was drawn.');
      if (round > 0) added.push(busy - quiet);
    }
    return [
      {
        what: "What a screen that changes all over sixty times a second adds to a keystroke's echo: the 95th of 100",
        ...{ ours: Math.max(0, median(added)), baseline: limitMs, against: `the limit of ${limitMs} ms` },
        bound: { kind: 'at most', ratio: 1 },
      },
    ];
  } finally {
    await closeHere(host, client);
    await removeImages(folder);
    await rm(folder, { recursive: true, force: true });
  }
};
