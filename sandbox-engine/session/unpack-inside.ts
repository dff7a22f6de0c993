// Brings a folder by a program inside that unpacks it as the sandbox user: whoever made the folder, it belongs to the user then, and tar can
// leave nothing elsewhere.
import { SandlotError } from '../base/errors.ts';
import type { ExecHandle } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { PackedFolder } from './pack-folder.ts';
import { type Brought, type Ended, type FolderPlace, type Packing, told } from './packing.ts';

/** Pieces that are on their way while the next one is read. */
const mostUnderway = 4;

// In records of 256 KiB. Tells how unpacking ended, and then what came after it: one exec for both, since starting one takes as long as git
// takes for the objects. All in one stream: a runtime brings what was last said on stdout before what was said on stderr earlier, as often as not.
const unpackScript = `exec 2>&1; to=$1; at=$2; shift 2
mkdir -p -- "$to" && tar -x -b 512 --no-same-owner -C "$to" || { printf '\\n:%s:\\n' "$?"; exit 1; }
cd -- "$at" && "$@" </dev/null; printf '\\n:0:%s\\n' "$?"`;

interface Heard extends Ended {
  tarCode: number | null;
}

/** Hears from inside how it went: the runtime knows that a good while later. */
const hear = async (handle: ExecHandle): Promise<Heard> => {
  let said = '';
  for await (const { bytes } of handle.output) {
    said = (said + bytes.toString('utf8')).slice(-4_096);
    const end = /\n:(\d+):(\d*)\n$/.exec(said);
    if (end !== null) return { tarCode: Number(end[1]), exitCode: Number(end[2]), said: said.slice(0, end.index) };
  }
  return { tarCode: null, exitCode: null, said };
};

/** Sends all of it, or as much as is taken. */
const send = async (handle: ExecHandle, packed: PackedFolder, heard: Promise<Heard>, say: FolderPlace['say']): Promise<void> => {
  let isOver = false;
  heard.catch(() => undefined).finally(() => (isOver = true));
  const underway: Promise<void>[] = [];
  for await (const piece of told(packed, say)) {
    underway.push(handle.type(piece));
    if (underway.length > mostUnderway) await underway.shift();
    if (isOver) return;
  }
  await Promise.all(underway);
  handle.stdin.end();
};

/** Brings it, and runs what comes after in the same exec. */
export const unpackInside = async (
  { runtime, containerId, pack, say }: FolderPlace,
  { from, to, options, then = { at: to, command: ['true'], env: [] } }: Packing,
): Promise<Brought> => {
  const packed = pack(from, options);
  const command = ['/bin/sh', '-c', unpackScript, 'sandlot-unpack', to, then.at, ...then.command];
  let handle: ExecHandle | null = null;
  try {
    handle = await runtime.exec(containerId, { command, env: [...then.env], user: sandboxUser, workdir: workspace, stdin: true });
    const heard = hear(handle);
    await send(handle, packed, heard, say);
    const { tarCode, ...ended } = await heard;
    if (tarCode === 0) return { packed, ended };
    const why = ended.said.trim() || `exit code ${tarCode ?? (await handle.exitCode())}`;
    throw new SandlotError('runtime_error', `The folder was not copied to ${to}: ${why}`);
  } finally {
    packed.tar.destroy();
    handle?.close();
  }
};
