// A typed key until its echo is told, against the same shell on the bare connection. Keys come one by one, as from a person.
// The pair that is bound is measured at the host's own gate, in one process like its rival; a client of the socket, which is a process
// of its own, is shown beside it, and beside that what such a hop costs when nothing is done at its other end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchHost, makePinned, openBenchHost, removeImages } from './bench-host.ts';
import { benchDocker } from './bench-runtimes.ts';
import { openEcho } from './echo-process.ts';
import { measureInTurns, type Ratio } from './ratio.ts';
import { type Client, closeHere, openHere, openOurs, openRaw, pause } from './typing.ts';

const rounds = 150;
const measure = async (here: Client, outside: BenchHost): Promise<Record<'gate' | 'socket' | 'raw' | 'hop', number>> => {
  const docker = benchDocker();
  const runtimeId = await outside.runtimeId(docker);
  const { id, image } = await outside.pinned(runtimeId, 'base: debian\n');
  const socket = await openOurs(outside, id);
  const gate = await openOurs(here, (await makePinned(here.call, runtimeId, 'base: debian\n')).id);
  const raw = await openRaw(docker, image.image_id ?? '');
  const echo = await openEcho();
  const hop = async (): Promise<number> => {
    await pause();
    return await echo.ask();
  };
  try {
    return await measureInTurns(rounds, { gate, socket, raw: raw.type, hop });
  } finally {
    echo.close();
    await raw.close();
  }
};

/** Measures on Docker. */
export const bench = async (): Promise<Ratio[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-keys-'));
  const outside = await openBenchHost();
  const { host, client } = await openHere(folder);
  try {
    const { gate, socket, raw, hop } = await measure(client, outside);
    const rival = { baseline: raw, against: 'write to read on the exec connection of dockerode' };
    const relayed = { baseline: raw + hop, against: 'the same, plus an echo between two bare Node processes over a unix socket' };
    return [
      {
        what: "Keystroke to echo: `terminals.write` until `stream.grew`, at the host's gate",
        ...{ ours: gate, ...rival, bound: { kind: 'at most', ratio: 1.5 } },
      },
      { what: 'The same at a client of the socket, in another process', ours: socket, ...rival, bound: null },
      { what: 'The same at a client of the socket, in another process', ours: socket, ...relayed, bound: null },
    ];
  } finally {
    await closeHere(host, client);
    await removeImages(folder);
    await rm(folder, { recursive: true, force: true });
    await outside.close();
  }
};
