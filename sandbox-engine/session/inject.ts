// Writes knowledge, runbook and skills into a session, for reading only. Fresh in each session; no image holds them.
import { Readable } from 'node:stream';
import { type Pack, pack } from 'tar-stream';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { Environment } from '../contract/model.ts';

const folder = '.sandlot';

/** A name as a file name: nothing in it can lead out of its folder. */
export const fileNameOf = (name: string): string => {
  const safe = name
    .replace(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^\.+/, '_')
    .trim()
    .slice(0, 100);
  return safe === '' ? '_' : safe;
};

const filesOf = ({ knowledge, skills, runbook }: Environment): { name: string; contents: string }[] => [
  ...knowledge.map(({ name, contents }) => ({ name: `${folder}/knowledge/${fileNameOf(name)}.md`, contents })),
  ...skills.map(({ name, contents }) => ({ name: `${folder}/skills/${fileNameOf(name)}/SKILL.md`, contents })),
  ...(runbook === '' ? [] : [{ name: `${folder}/runbook.md`, contents: runbook }]),
];

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

/** Puts what the environment carries below `/home/sandbox/.sandlot`; does nothing when it carries nothing. */
export const inject = async (runtime: ContainerRuntime, containerId: string, environment: Environment): Promise<void> => {
  const files = filesOf(environment);
  if (files.length === 0) return;
  const archive = pack();
  addFolders(
    archive,
    files.map(({ name }) => name),
  );
  for (const { name, contents } of files) archive.entry({ name, mode: 0o444 }, contents);
  archive.finalize();
  await runtime.putArchive(containerId, '/home/sandbox', Readable.from(archive));
};
