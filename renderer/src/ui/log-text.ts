// A log as lines of text, held once and whole, however many there are. Reads what programs send to a terminal as far as a log needs it:
// line ends, a return that writes the line anew, and colours; every other control is left out. Knows text, not pixels.
// Source: ECMA-48 (control sequences).
import { classOfStyle, type LogStyle, plainStyle, styleAfter } from './log-style.ts';

/** From here on in its line, characters have these classes. */
export interface LogSpan {
  from: number;
  className: string;
}

export interface LogText {
  append: (text: string) => void;
  /** Names the line that is written next. A name used again stays with its first line. */
  mark: (key: number) => void;
  clear: () => void;
  count: () => number;
  line: (index: number) => string;
  spans: (index: number) => readonly LogSpan[];
  lineOfMark: (key: number) => number | undefined;
  markOfLine: (index: number) => number | undefined;
  /** The first line that is new or other than at the last call. */
  takeChanged: () => number;
}

const controls = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/g;
const colours = /\x1b\[([0-9;:]*)m/y;
const sequences = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-OQ-WYZ\\`-~]/y;
/** Beyond this an escape that does not end is no sequence. */
const longestSequence = 4096;

const at = (pattern: RegExp, text: string, place: number): RegExpExecArray | null => {
  pattern.lastIndex = place;
  return pattern.exec(text);
};

const untabbed = (text: string, column: number): string => {
  if (!text.includes('\t')) return text;
  let drawn = '';
  for (const character of text) drawn += character === '\t' ? ' '.repeat(8 - ((column + drawn.length) % 8)) : character;
  return drawn;
};

interface Lines {
  texts: string[];
  spans: Map<number, LogSpan[]>;
  style: LogStyle;
  /** The next character begins the line anew. */
  isReturned: boolean;
  /** A sequence whose end has not come yet. */
  carried: string;
  changed: number;
}

const put = (lines: Lines, piece: string): void => {
  if (piece === '') return;
  const last = lines.texts.length - 1;
  if (lines.isReturned) {
    lines.texts[last] = '';
    lines.spans.delete(last);
    lines.isReturned = false;
  }
  const before = lines.texts[last] ?? '';
  const className = classOfStyle(lines.style);
  const known = lines.spans.get(last);
  if (className !== (known?.at(-1)?.className ?? '')) lines.spans.set(last, [...(known ?? []), { from: before.length, className }]);
  lines.texts[last] = before + untabbed(piece, before.length);
  lines.changed = Math.min(lines.changed, last);
};

/** Takes in an escape; answers where to read on, or -1 where its end has not come. */
const takeEscape = (lines: Lines, text: string, place: number): number => {
  const colour = at(colours, text, place);
  if (colour !== null) {
    lines.style = styleAfter(lines.style, colour[1] ?? '');
    return colours.lastIndex;
  }
  if (at(sequences, text, place) !== null) return sequences.lastIndex;
  return text.length - place < longestSequence ? -1 : place + 1;
};

/** Takes in a control; answers where to read on, or -1 where it must be read again with what comes. */
const takeControl = (lines: Lines, text: string, place: number): number => {
  const control = text[place];
  if (control === '\x1b') return takeEscape(lines, text, place);
  if (control === '\r' && place + 1 === text.length) return -1;
  if (control === '\r') lines.isReturned = text[place + 1] !== '\n';
  if (control === '\n') {
    lines.isReturned = false;
    lines.changed = Math.min(lines.changed, lines.texts.push('') - 1);
  }
  return place + 1;
};

const take = (lines: Lines, text: string): void => {
  let place = 0;
  while (place < text.length) {
    controls.lastIndex = place;
    const found = controls.exec(text)?.index ?? text.length;
    put(lines, text.slice(place, found));
    place = found === text.length ? found : takeControl(lines, text, found);
    if (place < 0) {
      lines.carried = text.slice(found);
      return;
    }
  }
};

const noLines = (): Lines => ({ texts: [''], spans: new Map(), style: plainStyle, isReturned: false, carried: '', changed: 0 });

/** An empty log. Its last line is the one that is being written: after a line end it is empty. */
export const createLogText = (): LogText => {
  let lines = noLines();
  const lineOfKey = new Map<number, number>();
  const keyOfLine = new Map<number, number>();
  return {
    append: (text) => {
      const whole = lines.carried + text;
      lines.carried = '';
      take(lines, whole);
    },
    mark: (key) => {
      if (lineOfKey.has(key)) return;
      lineOfKey.set(key, lines.texts.length - 1);
      keyOfLine.set(lines.texts.length - 1, key);
    },
    clear: () => {
      lines = noLines();
      lineOfKey.clear();
      keyOfLine.clear();
    },
    count: () => lines.texts.length,
    line: (index) => lines.texts[index] ?? '',
    spans: (index) => lines.spans.get(index) ?? [],
    lineOfMark: (key) => lineOfKey.get(key),
    markOfLine: (index) => keyOfLine.get(index),
    takeChanged: () => {
      const { changed } = lines;
      lines.changed = lines.texts.length;
      return changed;
    },
  };
};
