// Which names have which synthetic address, line by line in a file beside a sandbox's policy: a host that starts anew gives each name of a
// sandbox that lives the address that programs in it may still hold. It opens nothing: what a name may reach is the policy's to say.
// Source: NETWORK.md 1.6, J11.
import { appendFile, readFile } from 'node:fs/promises';
import { mostSyntheticNames } from '../egress/synthetic-pool.ts';

/** A name with its address. */
export type KeptName = [name: string, address: string];

export interface KeptNames {
  /** What stands in a file, after all that is being added to it; a line that cannot be read, or a second one for a name or an address, does not count. */
  read: (file: string) => Promise<KeptName[]>;
  /** Adds a name. What cannot be written is forgotten at the next start, and harms nothing else. */
  add: (file: string, name: string, address: string) => void;
}

// 198.18.1.0 and up: the addresses below are the proxy's own.
const line = /^([a-z0-9_.-]{1,253}) (198\.(?:18\.(?:[1-9]\d{0,2})|19\.\d{1,3})\.\d{1,3})$/;

/** Reads the lines of such a file. Pure. */
export const readNameLines = (text: string): KeptName[] => {
  const names = new Map<string, string>();
  const addresses = new Set<string>();
  for (const each of text.split('\n')) {
    const [, name, address] = line.exec(each) ?? [];
    if (name === undefined || address === undefined || address.split('.').some((part) => Number(part) > 255)) continue;
    if (names.size >= mostSyntheticNames || names.has(name) || addresses.has(address)) continue;
    names.set(name, address);
    addresses.add(address);
  }
  return [...names];
};

/** Makes the keeper of all such files of one host. */
export const createKeptNames = (): KeptNames => {
  const lanes = new Map<string, Promise<void>>();
  return {
    read: async (file) => {
      await lanes.get(file);
      try {
        return readNameLines(await readFile(file, 'utf8'));
      } catch {
        return []; // Nothing was kept yet, or nothing can be read: names get addresses as in the beginning.
      }
    },
    add: (file, name, address) => {
      const before = lanes.get(file) ?? Promise.resolve();
      const done = before.then(() => appendFile(file, `${name} ${address}\n`, { mode: 0o600 })).catch(() => undefined);
      lanes.set(file, done);
      void done.then(() => {
        if (lanes.get(file) === done) lanes.delete(file);
      });
    },
  };
};
