// Writes knowledge, runbook, skills and the configuration of MCP servers into a session, for reading only. Fresh in each session; no image
// holds them, and nothing of them is ever executed by Sandlot. They belong to root: who reads them cannot be made to change them unseen.
import { Readable } from 'node:stream';
import { type Pack, pack } from 'tar-stream';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { Environment } from '../contract/model.ts';
import { runInside } from './run-inside.ts';

const home = '/home/sandbox';
const folder = '.sandlot';

/** The configuration of MCP servers inside. */
export const mcpFile = `${home}/${folder}/mcp.json`;

/** What is carried in of an environment. */
export type Carried = Pick<Environment, 'knowledge' | 'skills' | 'runbook' | 'mcp_servers'>;

/** A file system's limit, less what `.md` and a number need. */
const longestName = 230;

const cutAt = (text: string, bytes: number): string => {
  let cut = '';
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > bytes) break;
    cut += character;
  }
  return cut;
};

/** A name as a file name: nothing in it can lead out of its folder, and every file system takes it. */
export const fileNameOf = (name: string): string => {
  const safe = name
    .replace(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^\.+/, '_')
    .trim();
  return cutAt(safe, longestName) || '_';
};

/** A file name for each name, in their order; those that would be the same get a number. */
export const fileNamesOf = (names: readonly string[]): string[] => {
  const taken = new Set<string>();
  return names.map((name) => {
    const safe = fileNameOf(name);
    let free = safe;
    // A file system may not tell capitals from small letters.
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${safe}-${number}`;
    taken.add(free.toLowerCase());
    return free;
  });
};

interface File {
  name: string;
  contents: string;
}

/** The servers as clients of MCP read them. Secrets stand in it as `${NAME}`, as they were written; their values never do. */
const mcpText = (servers: Environment['mcp_servers']): string => `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`;

/** The files, below the home of the sandbox user. Pure. */
export const carriedFiles = ({ knowledge, skills, runbook, mcp_servers: servers }: Carried): File[] => {
  const notes = fileNamesOf(knowledge.map(({ name }) => name));
  const skillFolders = fileNamesOf(skills.map(({ name }) => name));
  return [
    ...knowledge.map(({ contents }, at) => ({ name: `${folder}/knowledge/${notes[at]}.md`, contents })),
    ...skills.flatMap(({ contents, files = [] }, at) =>
      [{ path: 'SKILL.md', contents }, ...files].map((file) => ({
        name: `${folder}/skills/${skillFolders[at]}/${file.path}`,
        contents: file.contents,
      })),
    ),
    ...(runbook === '' ? [] : [{ name: `${folder}/runbook.md`, contents: runbook }]),
    ...(Object.keys(servers).length === 0 ? [] : [{ name: `${folder}/mcp.json`, contents: mcpText(servers) }]),
  ];
};

const addFolders = (archive: Pack, names: string[]): void => {
  const folders = new Set(
    names.flatMap((name) =>
      name
        .split('/')
        .slice(0, -1)
        .map((_, depth, parts) => parts.slice(0, depth + 1).join('/')),
    ),
  );
  for (const name of folders) archive.entry({ name, type: 'directory', mode: 0o755 });
};

const clearLimitMs = 15_000;

/** Puts what the environment carries below `/home/sandbox/.sandlot`, in the place of what an image or an earlier time left there. */
export const inject = async (runtime: ContainerRuntime, containerId: string, environment: Carried): Promise<void> => {
  const files = carriedFiles(environment);
  // Also a link that a setup script has put there: what follows it would be written elsewhere.
  const clear = ['rm', '-rf', `${home}/${folder}`];
  await runInside(runtime, containerId, { command: clear, user: 'root', workdir: '/' }, clearLimitMs);
  if (files.length === 0) return;
  const archive = pack();
  addFolders(
    archive,
    files.map(({ name }) => name),
  );
  for (const { name, contents } of files) archive.entry({ name, mode: 0o444 }, contents);
  archive.finalize();
  await runtime.putArchive(containerId, home, Readable.from(archive));
};
