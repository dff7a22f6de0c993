// Hunts for known values everywhere that they must not be. Its list of spellings is its own, not that of the mask: what the mask forgets is found.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFormSearch } from '../../../sandbox-engine/stream/form-search.ts';

const shortest = 8;

/** The base64 characters in the middle, which are the same whatever stands before and after. */
const base64Middle = (value: string, before: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]).toString('base64');
  return encoded.slice(before === 0 ? 0 : 4, -4).replace(/=+$/, '');
};

/** Spellings of a value: as it is, each of its lines, base64 wherever it begins, hex, in a URL, in JSON, quoted for a shell. */
const spellingsOf = (value: string): string[] => {
  const text = value.trim();
  const spelled = [
    text,
    ...text.split('\n'),
    ...[0, 1, 2].map((before) => base64Middle(text, before)),
    Buffer.from(text).toString('hex'),
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll("'", "'\\''"),
  ];
  return spelled.filter((one) => one.length >= shortest);
};

/** Makes the hunt for these values. Each hunt answers where something was found, with a little of what stands around it. */
export const createLeakHunt = (values: readonly string[]) => {
  const needles = [...new Set(values.flatMap(spellingsOf))].map((one) => Buffer.from(one));
  const longest = Math.max(...needles.map(({ length }) => length));
  const search = createFormSearch(needles);
  const inBytes = (bytes: Buffer): string | null => {
    const hit = search.next(bytes, 0);
    return hit === null ? null : bytes.toString('latin1', Math.max(0, hit.at - 40), hit.at + hit.length + 20);
  };
  const named = (place: string, found: string | null): string[] => (found === null ? [] : [`${place}: ${JSON.stringify(found)}`]);
  return {
    inText: (place: string, text: string | Buffer): string[] => named(place, inBytes(Buffer.from(text))),
    /** Every file below a folder: database and write-ahead log, streams, tapes, logs. */
    inFolder: async (folder: string): Promise<string[]> => {
      const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
      const found = files.map(async ({ parentPath, name }) => named(name, inBytes(await readFile(join(parentPath, name)))));
      return (await Promise.all(found)).flat();
    },
    /** Command lines and environments of the processes of this machine whose command line matches, and of their children. */
    inProcesses: async (isMeant: (commandLine: string) => boolean): Promise<string[]> => {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      const look = async (pid: string): Promise<string[]> => {
        const line = await readFile(`/proc/${pid}/cmdline`).catch(() => Buffer.alloc(0));
        const isOurs = isMeant(line.toString('utf8').replaceAll('\0', ' '));
        const environ = isOurs ? await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0)) : Buffer.alloc(0);
        return [...named(`command line of ${pid}`, inBytes(line)), ...named(`variables of ${pid}`, inBytes(environ))];
      };
      return (await Promise.all(pids.map(look))).flat();
    },
    /** A stream of any length: a saved image with its layers, history and configuration, or the archive of a folder. */
    inStream: async (place: string, stream: AsyncIterable<unknown>): Promise<string[]> => {
      let kept = Buffer.alloc(0);
      const found = new Set<string>();
      for await (const piece of stream) {
        const bytes = Buffer.concat([kept, piece as Buffer]);
        const here = inBytes(bytes);
        if (here !== null) found.add(here);
        kept = Buffer.from(bytes.subarray(1 - longest));
      }
      return [...found].map((one) => `${place}: ${JSON.stringify(one)}`);
    },
  };
};
