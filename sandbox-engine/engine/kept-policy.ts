// The file beside a sandbox's sockets that says what it may reach, so that a restarted host decides as before. What cannot be read opens
// nothing. While a sandbox is replaced, what the one that stands may reach is kept beside it, until it is settled which of the two stays.
// Source: NETWORK.md J05, J09, J11.
import { readFile, rm } from 'node:fs/promises';
import { SandlotError } from '../base/errors.ts';
import { networkPolicy, resolvedPreset } from '../contract/model.ts';
import { writeAtomically } from '../secrets/write-atomically.ts';
import type { PolicedSandbox } from './sandbox-policies.ts';

/** What a sandbox may reach, as it is kept over restarts. */
export type KeptPolicy = Pick<PolicedSandbox, 'policy' | 'presets' | 'revision' | 'observe' | 'environmentId'>;

const unreadable = (cause: unknown): SandlotError =>
  new SandlotError('gate_failed', 'What this sandbox may reach was kept in a file that cannot be read, so nothing is opened for it.', {
    cause,
    nextAction: 'Launch a new session.',
  });

const parse = (read: Record<string, unknown>): KeptPolicy => {
  const { environmentId, policy, presets, revision, observe = false } = read;
  if (typeof environmentId !== 'string' || !Number.isInteger(revision) || typeof observe !== 'boolean')
    throw new Error('a field is missing');
  const resolved = Object.entries(presets as object).map(([id, preset]) => [id, resolvedPreset.parse(preset)]);
  const asKept = { environmentId, presets: Object.fromEntries(resolved), revision: revision as number, observe };
  const kept = { ...asKept, policy: networkPolicy.parse(policy) };
  // Only a restricted sandbox has such a file: an open policy in it is damage.
  if (!('rules' in kept.policy)) throw new Error('the policy is open');
  return kept;
};

/** Reads it. @throws gate_failed */
export const readKept = async (file: string): Promise<KeptPolicy> => {
  try {
    return parse(JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>);
  } catch (cause) {
    throw unreadable(cause);
  }
};

const plain = ({ environmentId, policy, presets, revision, observe }: KeptPolicy) => ({
  environmentId,
  policy,
  presets,
  revision,
  observe,
});

/** Writes it, whole or not at all. */
export const keepPolicy = (file: string, kept: KeptPolicy): Promise<void> => writeAtomically(file, JSON.stringify(plain(kept)));

const beforeOf = (file: string): string => `${file}.before`;

/** Keeps what the sandbox that stands may reach beside what the next one may. */
export const setPolicyAside = (file: string, containerId: string, kept: KeptPolicy): Promise<void> =>
  writeAtomically(beforeOf(file), JSON.stringify({ containerId, ...plain(kept) }));

/** The replacement is over: `file` holds what counts. */
export const forgetPolicyBefore = (file: string): Promise<void> => rm(beforeOf(file), { force: true });

const readBefore = async (file: string): Promise<{ containerId: unknown; kept: KeptPolicy } | null> => {
  let text: string;
  try {
    text = await readFile(beforeOf(file), 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unreadable(thrown);
  }
  try {
    const read = JSON.parse(text) as Record<string, unknown>;
    return { containerId: read['containerId'], kept: parse(read) };
  } catch (cause) {
    throw unreadable(cause);
  }
};

/** Ends what a host has left that was killed in the middle of a replacement: the sandbox that the session has, `containerId`, gets what it
 *  may reach. @throws gate_failed */
export const settlePolicy = async (file: string, containerId: string): Promise<void> => {
  const before = await readBefore(file);
  if (before === null) return;
  if (before.containerId === containerId) await keepPolicy(file, before.kept);
  await forgetPolicyBefore(file);
};
