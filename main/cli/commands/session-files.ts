// `sandlot session files | cp | artifacts`: what is in a session's workspace, and copies of it in both directions.
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { FileEntry, Transfer } from '../../../sandbox-engine/contract/model.ts';
import { packFolder } from '../../../sandbox-engine/index.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord } from '../define-command.ts';
import { findSession } from '../find-by-name.ts';
import { writeAll } from '../follow-stream.ts';
import { createRoom } from '../keep-room.ts';
import { pullBytes, pushBytes } from '../move-bytes.ts';
import { toSize, toTable } from '../print.ts';

const nameOf = ({ name, kind, target }: FileEntry): string =>
  kind === 'folder' ? `${name}/` : kind === 'link' ? `${name} -> ${target}` : name;

const rowsOf = (entries: FileEntry[]) =>
  entries.map((entry) => [entry.mode, entry.kind === 'file' ? toSize(entry.size) : '-', entry.modified_at, nameOf(entry)]);

const tableOf = (entries: FileEntry[], total: number): string => {
  const rest = total > entries.length ? `\n… and ${total - entries.length} more` : '';
  return `${toTable(['MODE', 'SIZE', 'CHANGED', 'NAME'], rowsOf(entries))}${rest}`;
};

const addFiles = (group: Command): void => {
  defineCommand(group, {
    usage: 'files <session> [path]',
    does: 'List a folder in a session; /workspace when none is named',
    examples: ['session files my-session', 'session files my-session repo/src -o json'],
    act: async (given) => {
      const { context, args } = given;
      const session = await findSession(context, firstWord(given));
      const found = await context.ask('files.list', { session_id: session.id, path: args[1] ?? '/workspace' });
      context.print.result(found, () => (found.total === 0 ? `${found.path} is empty.` : tableOf(found.entries, found.total)));
      return undefined;
    },
  });
  defineCommand(group, {
    usage: 'artifacts <session>',
    does: 'List what a session has put below /workspace/artifacts',
    examples: ['session artifacts my-session', 'session cp my-session:/workspace/artifacts ./out'],
    act: async (given) => {
      const { context } = given;
      const session = await findSession(context, firstWord(given));
      const found = await context.ask('artifacts.list', { session_id: session.id });
      context.print.result(found, () =>
        found.total === 0
          ? `Nothing is below ${found.path} yet: what a session puts there is listed here.`
          : tableOf(found.artifacts, found.total),
      );
      return undefined;
    },
  });
};

/** `SESSION:PATH`; null for a path of this machine. A colon after a slash, or a drive's, is none of ours. Pure. */
export const sessionPath = (text: string): { session: string; path: string } | null => {
  const [, session = '', path = ''] = /^([^/\\:]{2,}):(.*)$/s.exec(text) ?? [];
  return session === '' ? null : { session, path: path === '' ? '/workspace' : path };
};

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() === true;

const writeFile = async (source: AsyncIterable<Buffer>, path: string): Promise<number> => {
  const part = `${path}.${process.pid}.part`;
  const file = await open(part, 'wx', 0o644);
  const room = createRoom(dirname(path));
  let size = 0;
  try {
    for await (const bytes of source) {
      await room(bytes.length);
      await file.writeFile(bytes);
      size += bytes.length;
    }
    await file.close();
    await rename(part, path);
    return size;
  } catch (thrown) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw thrown;
  }
};

interface Copied {
  path: string;
  bytes?: number;
  files?: number;
  skipped?: string[];
}

const save = async (context: CommandContext, transfer: Transfer, to: string): Promise<Copied | null> => {
  const source = pullBytes(context, transfer);
  if (to === '-') {
    for await (const bytes of source) await writeAll(process.stdout, bytes);
    return null;
  }
  const path = resolve((await isFolder(to)) || /[/\\]$/.test(to) ? join(to, transfer.name) : to);
  if (transfer.kind === 'file') return { path, bytes: await writeFile(source, path) };
  // Loaded only then: the library for archives is not needed by other commands.
  const { unpackTar } = await import('../unpack-tar.ts');
  const { files, skipped } = await unpackTar(source, path);
  for (const name of skipped.slice(0, 10)) context.print.note(`left out: ${name}`);
  if (skipped.length > 10) context.print.note(`left out: ${skipped.length - 10} more`);
  return { path, files, skipped };
};

const bring = async (context: CommandContext, from: string, to: { session: string; path: string }): Promise<Copied> => {
  const session = await findSession(context, to.session);
  const found = await stat(from).catch(() => null);
  if (found === null) throw refused('not_found', `There is no ${from} here.`, 'Name a file or a folder of this machine.');
  const name = basename(resolve(from));
  const at = { session_id: session.id };
  if (!found.isDirectory()) {
    const transfer = await context.ask('files.upload', {
      ...at,
      path: to.path,
      kind: 'file',
      name,
      executable: (found.mode & 0o100) !== 0,
    });
    return await pushBytes(context, transfer, createReadStream(from) as AsyncIterable<Buffer>, found.size);
  }
  // As cp does: into a folder that is there under its own name, else as the folder that is named.
  const isThere = await context.ask('files.list', { ...at, path: to.path }).then(
    () => true,
    () => false,
  );
  const path = isThere || to.path.endsWith('/') ? `${to.path.replace(/\/+$/, '')}/${name}` : to.path;
  const transfer = await context.ask('files.upload', { ...at, path, kind: 'folder' });
  const packed = await packFolder(from);
  const done = await pushBytes(context, transfer, packed.tar as AsyncIterable<Buffer>, null);
  const skipped = packed.leftOut();
  for (const one of skipped.slice(0, 10)) context.print.note(`left out: ${one}`);
  return { ...done, files: packed.count().files, skipped };
};

const addCopy = (group: Command): void =>
  defineCommand(group, {
    usage: 'cp <from> <to>',
    does: 'Copy a file or a folder out of a session or into one; SESSION:PATH is in the session, - is standard output',
    examples: [
      'session cp my-session:/workspace/repo/report.pdf ./',
      'session cp my-session:artifacts ./out',
      'session cp ./data my-session:/workspace/',
      'session cp my-session:notes.txt -',
    ],
    act: async ({ context, args: [from = '', to = ''] }) => {
      const [source, target] = [sessionPath(from), sessionPath(to)];
      if ((source === null) === (target === null)) {
        throw refused(
          'invalid_request',
          'One of the two must be in a session, the other here.',
          'sandlot session cp my-session:/workspace/x ./',
        );
      }
      if (target !== null) {
        const done = await bring(context, from, target);
        context.print.result(done, () => `${done.path} in ${target.session}`);
        return undefined;
      }
      const { session, path } = source ?? { session: '', path: '' };
      const { id } = await findSession(context, session);
      const done = await save(context, await context.ask('files.download', { session_id: id, path }), to);
      if (done !== null) context.print.result(done, () => done.path);
      return undefined;
    },
  });

/** Adds `session files`, `session artifacts` and `session cp`. */
export const addFileCommands = (group: Command): void => {
  addFiles(group);
  addCopy(group);
};
