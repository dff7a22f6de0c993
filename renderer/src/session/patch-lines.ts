// Reads a patch as lines that can be shown: what each is, and where it stands before and after. Pure.
// Source: git-diff(1), "Generating patch text with -p".

export interface PatchLine {
  kind: 'head' | 'hunk' | 'added' | 'removed' | 'same' | 'note';
  text: string;
  /** Line numbers; null where there is none. */
  before: number | null;
  after: number | null;
}

/** Where the reading is: the next line of either side, and how many of the hunk are still to come. */
interface Place {
  before: number;
  after: number;
  oldLeft: number;
  newLeft: number;
}

const kinds: Record<string, 'added' | 'removed' | 'same'> = { '+': 'added', '-': 'removed', ' ': 'same' };

const readInHunk = (place: Place, text: string): PatchLine | null => {
  const kind = kinds[text.charAt(0)];
  if (kind === undefined) return null;
  const [old, now] = [kind === 'added' ? 0 : 1, kind === 'removed' ? 0 : 1];
  const line: PatchLine = { kind, text: text.slice(1), before: old ? place.before : null, after: now ? place.after : null };
  place.before += old;
  place.oldLeft -= old;
  place.after += now;
  place.newLeft -= now;
  return line;
};

const readOutside = (place: Place, text: string): PatchLine => {
  const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
  if (hunk === null) return { kind: text.startsWith('\\') ? 'note' : 'head', text, before: null, after: null };
  const [, before, oldCount = 1, after, newCount = 1] = hunk;
  Object.assign(place, { before: Number(before), oldLeft: Number(oldCount), after: Number(after), newLeft: Number(newCount) });
  return { kind: 'hunk', text, before: null, after: null };
};

/** The lines of a patch of one or more files. */
export const readPatch = (patch: string): PatchLine[] => {
  if (patch === '') return [];
  const place: Place = { before: 0, after: 0, oldLeft: 0, newLeft: 0 };
  const lineOf = (text: string): PatchLine => {
    const inHunk = place.oldLeft > 0 || place.newLeft > 0 ? readInHunk(place, text) : null;
    return inHunk ?? readOutside(place, text);
  };
  return patch.replace(/\n$/, '').split('\n').map(lineOf);
};
