// `sandlot session diff | commit | patch`: what a session has changed since it began.
import type { Command } from 'commander';
import type { ChangedFile, Changes, Transfer } from '../../../sandbox-engine/contract/model.ts';
import { counted } from '../../../sandbox-engine/index.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord, textOption } from '../define-command.ts';
import { findSession } from '../find-by-name.ts';
import { writeAll } from '../follow-stream.ts';
import { pullBytes } from '../move-bytes.ts';
import { plainText, toTable } from '../print.ts';

const letters: Record<ChangedFile['status'], string> = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R' };

const noteOf = ({ kind, is_binary }: ChangedFile): string =>
  kind === 'repository' ? 'a repository of its own' : kind === 'large' ? 'too large to compare' : is_binary ? 'binary' : '';

const rowOf = (file: ChangedFile): (string | null)[] => [
  letters[file.status],
  file.added === null ? '' : `+${file.added}`,
  file.removed === null ? '' : `-${file.removed}`,
  file.old_path === null ? file.path : `${file.old_path} -> ${file.path}`,
  noteOf(file),
];

const summaryOf = (changes: Changes): string => {
  const { files_total, added, removed, commits, has_uncommitted, root, branch, files } = changes;
  if (files_total === 0) return `Nothing has changed in ${root} since the session began.`;
  const more = files_total > files.length ? `\n… and ${counted(files_total - files.length, 'more file')}` : '';
  const done = commits > 0 ? `, ${counted(commits, 'commit')}` : '';
  const rest = has_uncommitted && changes.kind === 'repository' ? ', not all committed' : '';
  return `${more}\n${counted(files_total, 'file')} in ${root}${branch === null ? '' : ` on ${branch}`}: +${added} -${removed}${done}${rest}`;
};

const tableOf = (changes: Changes): string =>
  `${changes.files.length === 0 ? '' : `${toTable(['', 'ADDED', 'REMOVED', 'FILE', ''], changes.files.map(rowOf))}\n`}${summaryOf(changes).trim()}`;

const addDiff = (group: Command): void =>
  defineCommand(group, {
    usage: 'diff <session> [files...]',
    does: 'Show what a session has changed since it began, committed or not',
    options: [
      ['-p, --patch', 'the changes themselves, with secrets masked'],
      ['--stat', 'only how many files and lines'],
    ],
    examples: ['session diff my-session', 'session diff my-session --patch src/main.ts', 'session diff my-session -o json'],
    act: async (given) => {
      const { context, options, rest } = given;
      const session = await findSession(context, firstWord(given));
      const wantsPatch = options['patch'] === true;
      const files = rest.length === 0 ? {} : { files: rest };
      const changes = await context.ask('sessions.diff', { session_id: session.id, ...files, ...(wantsPatch ? { patch: true } : {}) });
      context.print.result(changes, () => {
        if (options['stat'] === true) return summaryOf(changes).trim();
        return wantsPatch ? plainText(changes.patch ?? '').trimEnd() : tableOf(changes);
      });
      if (wantsPatch && !changes.is_patch_whole)
        context.print.note(`That was the beginning. All of it: sandlot session patch ${session.id}`);
      return undefined;
    },
  });

/** `Name <address>`. @throws invalid_request */
const readAuthor = (text: string): { name: string; email: string } => {
  const [, name = '', email = ''] = /^(.+?)\s*<([^<>]+)>$/.exec(text) ?? [];
  if (name !== '') return { name, email };
  throw refused('invalid_request', `"${text}" is no author.`, 'Write it as: --author "Ada Lovelace <ada@example.com>"');
};

const addCommit = (group: Command): void =>
  defineCommand(group, {
    usage: 'commit <session>',
    does: 'Commit everything that is changed in the repository of a session, there',
    options: [
      ['-m, --message <text>', 'what it says'],
      ['--author <author>', 'as "Name <address>"; else what git knows in the sandbox'],
    ],
    examples: ['session commit my-session -m "Mend the login"'],
    act: async (given) => {
      const { context, options } = given;
      const message = textOption(options, 'message');
      if (message === undefined)
        throw refused('invalid_request', 'A commit needs a message.', 'sandlot session commit SESSION -m "What it does"');
      const author = textOption(options, 'author');
      const session = await findSession(context, firstWord(given));
      const who = author === undefined ? {} : { author: readAuthor(author) };
      const made = await context.ask('sessions.commit', { session_id: session.id, message, ...who });
      context.print.result(made, () => `${made.commit.slice(0, 12)} ${plainText(made.subject)} (${counted(made.files, 'file')})`);
      return undefined;
    },
  });

type Format = 'diff' | 'commits' | 'bundle';

const formatOf = (options: Record<string, unknown>): Format => {
  if (options['bundle'] === true) return 'bundle';
  return options['commits'] === true ? 'commits' : 'diff';
};

/** As one JSON value: for programs, which ask for little. */
const printWhole = async (context: CommandContext, transfer: Transfer, format: Format): Promise<undefined> => {
  const parts: Buffer[] = [];
  for await (const bytes of pullBytes(context, transfer)) parts.push(bytes);
  const encoding = format === 'bundle' ? 'base64' : 'utf8';
  context.print.result({ format, encoding, content: Buffer.concat(parts).toString(encoding) }, () => '');
};

const addPatch = (group: Command): void =>
  defineCommand(group, {
    usage: 'patch <session>',
    does: 'Write what a session has changed to standard output: as one patch, as its commits, or as a bundle',
    options: [
      ['--commits', 'its commits, for: git am'],
      ['--bundle', 'its commits, for: git fetch FILE'],
    ],
    examples: [
      'session patch my-session > changes.patch',
      'session patch my-session --commits | git am',
      'session patch my-session --bundle > x.bundle',
    ],
    act: async (given) => {
      const { context, options } = given;
      const format = formatOf(options);
      if (process.stdout.isTTY && format === 'bundle') {
        throw refused('invalid_request', 'A bundle is no text for a terminal.', 'sandlot session patch SESSION --bundle > x.bundle');
      }
      const session = await findSession(context, firstWord(given));
      const transfer = await context.ask('sessions.patch', { session_id: session.id, format });
      if (context.print.mode === 'json') return await printWhole(context, transfer, format);
      for await (const bytes of pullBytes(context, transfer))
        await writeAll(process.stdout, process.stdout.isTTY ? Buffer.from(plainText(bytes.toString('utf8'))) : bytes);
      return undefined;
    },
  });

/** Adds `session diff`, `session commit` and `session patch`. */
export const addChangeCommands = (group: Command): void => {
  addDiff(group);
  addCommit(group);
  addPatch(group);
};
