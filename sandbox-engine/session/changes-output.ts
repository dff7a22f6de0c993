// Reads what the comparing script prints. It comes out of a sandbox, so it may be anything: what does not fit is passed over. Pure.
// Source: git-diff-index(1), "RAW OUTPUT FORMAT", "OTHER DIFF FORMATS" with -z.
import type { ChangedFile, Changes } from '../contract/model.ts';

type Listed = Pick<Changes, 'branch' | 'commits' | 'has_uncommitted' | 'files' | 'files_total' | 'added' | 'removed'>;

const mostListed = 2_000;

const statuses: Record<string, ChangedFile['status']> = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  M: 'modified',
  T: 'modified',
  C: 'added',
};

/** Takes fields one after the other; the empty text when there is none left. */
const createFields = (text: string) => {
  let at = 0;
  return {
    next: (): string => {
      const end = text.indexOf('\0', at);
      const field = end < 0 ? text.slice(at) : text.slice(at, end);
      at = end < 0 ? text.length : end + 1;
      return field;
    },
    isOver: () => at >= text.length,
  };
};

type Fields = ReturnType<typeof createFields>;

const count = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

const aFile = (over: Partial<ChangedFile> & Pick<ChangedFile, 'path'>): ChangedFile => ({
  ...{ old_path: null, status: 'added', added: null, removed: null, is_binary: false, kind: 'file' },
  ...over,
});

/** What was not compared, up to `end`. */
const readTold = (fields: Fields): { files: ChangedFile[]; more: number } => {
  const files: ChangedFile[] = [];
  let more = 0;
  while (!fields.isOver()) {
    const kind = fields.next();
    if (kind === 'end') break;
    const [tag, path] = [fields.next(), fields.next()];
    const status = tag.startsWith('?') ? 'added' : 'modified';
    if (kind === 'more') more += 1;
    else if (kind === 'large' || kind === 'repository')
      files.push(aFile({ path: path.replace(/\/$/, ''), status, kind, is_binary: kind === 'large' }));
  }
  return { files, more };
};

/** One entry of the raw list, whose first field has been read. */
const readRaw = ([, before, after, letter = '']: RegExpExecArray, fields: Fields): ChangedFile => {
  const first = fields.next();
  const isMoved = letter === 'R' || letter === 'C';
  const path = isMoved ? fields.next() : first;
  const kind = before === '160000' || after === '160000' ? 'repository' : 'file';
  return aFile({ path, old_path: isMoved ? first : null, status: statuses[letter] ?? 'modified', kind });
};

/** One entry of the counted list, whose first field has been read: its lines are written to the file that it names. */
const readCounted = ([, added = '', removed = '', name = '']: RegExpExecArray, fields: Fields, files: Map<string, ChangedFile>): void => {
  // Of what was renamed both names follow.
  if (name === '') fields.next();
  const file = files.get(name === '' ? fields.next() : name);
  if (file === undefined) return;
  if (added === '-') file.is_binary = true;
  else Object.assign(file, { added: count(added), removed: count(removed) });
};

/** The raw list, then the counted one. */
const readLists = (fields: Fields): Map<string, ChangedFile> => {
  const files = new Map<string, ChangedFile>();
  while (!fields.isOver()) {
    const field = fields.next();
    const raw = /^:(\d{6}) (\d{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/.exec(field);
    const counted = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(field);
    if (raw !== null) {
      const file = readRaw(raw, fields);
      files.set(file.path, file);
    } else if (counted !== null) readCounted(counted, fields, files);
  }
  return files;
};

/** The list of what has changed, by name. */
export const readChanges = (text: string): Listed => {
  const fields = createFields(text);
  const [branch, commits, dirty] = [fields.next(), fields.next(), fields.next()];
  const told = readTold(fields);
  const compared = readLists(fields);
  // What is too large now but was not at the beginning stands in both lists.
  for (const { path, kind } of told.files) {
    const before = compared.get(path);
    if (before !== undefined) Object.assign(before, { kind, is_binary: true, added: null, removed: null });
  }
  const all = [...compared.values(), ...told.files.filter(({ path }) => !compared.has(path))];
  all.sort((one, other) => (one.path < other.path ? -1 : 1));
  const sum = (key: 'added' | 'removed') => all.reduce((total, file) => total + (file[key] ?? 0), 0);
  return {
    branch: branch === '' ? null : branch.slice(0, 250),
    commits: count(commits),
    has_uncommitted: dirty === 'yes',
    files: all.slice(0, mostListed),
    files_total: all.length + told.more,
    added: sum('added'),
    removed: sum('removed'),
  };
};
