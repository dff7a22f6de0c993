// Files in a session: lists and reads them through programs that run inside (files-programs.ts). What comes back is data, whatever it says.
import { posix } from 'node:path';
import { SandlotError } from '../base/errors.ts';
import { workspace } from '../container/sandbox-spec.ts';
import type { CallOutput } from '../contract/calls.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { FileEntry } from '../contract/model.ts';
import { askInside, type InsideAnswer, type InsidePlace } from './ask-inside.ts';
import { findProgram, listProgram, readProgram } from './files-programs.ts';

const limitSeconds = 20;
const mostEntries = 5_000;
const mostArtifacts = 1_000;
const mostListBytes = 8_388_608;

/** Where a session puts what is worth keeping. */
const artifactsFolder = `${workspace}/artifacts`;

/** The path as the sandbox is asked for it: absolute, without `..`, never an option. */
export const insidePath = (path: string): string => posix.resolve(workspace, path);

const failures: Record<number, { code: ErrorCode; nextAction?: string }> = {
  2: { code: 'not_found' },
  3: { code: 'forbidden', nextAction: 'The sandbox user may not do that: in a terminal, give it the right with sudo chown or chmod.' },
  4: { code: 'invalid_request' },
};

/** What a program of ours said when it failed. Its words are the sandbox's. */
export const fileFailure = (exitCode: number | null, stderr: string): SandlotError => {
  if (exitCode === null)
    return new SandlotError('timeout', 'The sandbox did not answer in time.', { nextAction: 'Ask again when it is less busy.' });
  const words = stderr.trim().split('\n').at(-1)?.slice(0, 1_000) || `The sandbox answered with code ${exitCode}`;
  const isFull = words.includes('No space left');
  const { code, ...more } = failures[exitCode] ?? { code: isFull ? 'disk_full' : 'runtime_error' };
  return new SandlotError(code, words.replace(/\.?$/, '.'), more);
};

const kinds: Record<string, FileEntry['kind']> = { f: 'file', d: 'folder', l: 'link' };
const leads: Record<string, FileEntry['leads_to']> = { f: 'file', d: 'folder', o: 'other', '-': 'nothing' };

const whole = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

/** Reads the records of a listing, and no more of them than were asked for. Pure. */
const readEntries = (output: string, most: number): { entries: FileEntry[]; total: number } => {
  const [total = '0', ...fields] = output.split('\0', most * 7 + 1);
  const entries: FileEntry[] = [];
  for (let at = 0; at + 6 < fields.length; at += 7) {
    const [kind = '', size = '', seconds = '', mode = '', target = '', leadsTo = '', name = ''] = fields.slice(at, at + 7);
    const isLink = kind === 'l';
    entries.push({
      ...{ name, kind: kinds[kind] ?? 'other', size: whole(size), mode: /^[0-7]{4}$/.test(mode) ? mode : '0000' },
      modified_at: new Date(Math.min(whole(seconds), 8_640_000_000_000) * 1_000).toISOString(),
      target: isLink ? target : null,
      leads_to: isLink ? (leads[leadsTo] ?? 'other') : null,
    });
  }
  return { entries, total: Math.max(whole(total), entries.length) };
};

const ask = async (place: InsidePlace, script: string, args: string[], mostBytes: number): Promise<InsideAnswer> => {
  const answer = await askInside(place, { script, args, by: 'perl', limitSeconds, mostBytes });
  if (answer.exitCode !== 0) throw fileFailure(answer.exitCode, answer.stderr);
  return answer;
};

/** A folder's entries. @throws not_found @throws forbidden */
export const listFolder = async (place: InsidePlace, given: string): Promise<CallOutput<'files.list'>> => {
  const path = insidePath(given);
  const { stdout } = await ask(place, listProgram, [path, String(mostEntries)], mostListBytes);
  return { path, ...readEntries(stdout.toString('utf8'), mostEntries) };
};

/** All artifacts. */
export const listArtifacts = async (place: InsidePlace): Promise<CallOutput<'artifacts.list'>> => {
  const { stdout } = await ask(place, findProgram, [artifactsFolder, String(mostArtifacts)], mostListBytes);
  const { entries, total } = readEntries(stdout.toString('utf8'), mostArtifacts);
  return { path: artifactsFolder, artifacts: entries, total };
};

/** The bytes as text when they are; what was cut in the middle of a letter still is. */
const asText = (bytes: Buffer): { text: string; length: number } | null => {
  if (bytes.includes(0)) return null;
  for (let cut = 0; cut < 4 && cut <= bytes.length; cut += 1) {
    const part = bytes.subarray(0, bytes.length - cut);
    try {
      return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part), length: part.length };
    } catch {
      // Perhaps a letter was cut in two.
    }
  }
  return null;
};

/** A piece of a file for looking at. @throws not_found @throws forbidden */
export const readPiece = async (
  place: InsidePlace,
  { path, from, maxBytes }: { path: string; from: number; maxBytes: number },
  redact: (text: string) => string,
): Promise<CallOutput<'files.read'>> => {
  const { stdout } = await ask(place, readProgram, [insidePath(path), String(from), String(maxBytes)], maxBytes + 32);
  const end = stdout.indexOf(10);
  const bytes = stdout.subarray(end + 1);
  const size = whole(stdout.subarray(0, Math.max(0, end)).toString('latin1'));
  const text = asText(bytes);
  if (text === null) return { content: bytes.toString('base64'), encoding: 'base64', from, next: from + bytes.length, size };
  return { content: redact(text.text), encoding: 'utf8', from, next: from + text.length, size };
};
