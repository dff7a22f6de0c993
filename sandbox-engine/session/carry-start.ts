// How a workspace without a repository began is kept as a snapshot in the sandbox, beside the workspace. When the session gets another
// sandbox it goes along; where it cannot, a person is told that changes are counted anew.
import { setTimeout as delay } from 'node:timers/promises';
import { sandboxUser } from '../container/sandbox-spec.ts';
import type { WorkspaceStart } from '../contract/model.ts';
import { askInside, type InsidePlace } from './ask-inside.ts';
import { ownSnapshots } from './changes-scripts.ts';

/** The snapshot of an empty workspace: the same wherever it is made, so it needs no carrying. */
export const emptyStart = '8bbffcfc6acc3999d8db6fd258b548e4d1a403e9';

const limitMs = 60_000;
/** A snapshot holds 256 MiB at most, and its objects are compressed; what is larger was not made by Sandlot. */
const mostBytes = 402_653_184;

/** Whether it lies in the sandbox and has to be carried. Pure. */
export const isKeptInside = (start: WorkspaceStart | undefined): start is WorkspaceStart =>
  start?.kind === 'folder' && start.commit !== emptyStart;

const unpackScript = `mkdir -p "\${1%/*}" && rm -rf "$1" && exec tar -x --no-same-owner --no-same-permissions -f - -C "\${1%/*}"`;

/** Carries it from one sandbox, running or not, into another that runs. What comes is unpacked inside, as the sandbox user. */
export const carryStart = async ({ runtime, containerId }: InsidePlace, into: string): Promise<void> => {
  const archive = await runtime.getArchive(containerId, ownSnapshots);
  const command = ['/bin/sh', '-c', unpackScript, 'sandlot-carry', ownSnapshots];
  const handle = await runtime.exec(into, { command, user: sandboxUser, workdir: '/', stdin: true });
  const over = new AbortController();
  const send = async (): Promise<void> => {
    let bytes = 0;
    handle.stdin.on('error', () => undefined);
    for await (const part of archive) {
      bytes += (part as Buffer).length;
      if (bytes > mostBytes) return;
      await handle.type(part as Buffer);
    }
    handle.stdin.end();
    for await (const _ of handle.output);
  };
  try {
    await Promise.race([send(), delay(limitMs, undefined, { signal: over.signal })]);
  } finally {
    over.abort();
    archive.destroy();
    handle.close();
  }
};

const isThereScript = `git --git-dir="$1" -c safe.directory="$1" cat-file -e "$2^{commit}"`;

/** Whether a sandbox holds it. */
export const holdsStart = async (place: InsidePlace, { commit }: WorkspaceStart): Promise<boolean> =>
  (await askInside(place, { script: isThereScript, args: [ownSnapshots, commit], limitSeconds: 10 })).exitCode === 0;

/** What is said where it is not. */
export const lostStartWords = 'How its workspace began was lost with its former sandbox: changes are counted from this replacement on.';
