// Changes nodes of a YAML document into wanted values, touching as few of them as it can: what stays keeps its comments and quotes.
// The document must have been read with the failsafe schema, where every scalar is the text that was written.
import type { Node } from 'yaml';
import { isMap, isScalar, isSeq, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';

/** What a section is to read as: a text, a list, or a map (entries in order, so that no name of a key is special). */
export type Wanted = string | Wanted[] | Map<string, Wanted>;

const readsOtherwise = /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?\.?[0-9].*|[-+]?\.(?:inf|nan).*)$/i;

// What a plain or block scalar cannot carry unchanged: control characters, other line breaks, halves of surrogate pairs.
const needsEscapes = (text: string): boolean =>
  [...text].some((character) => {
    const code = character.codePointAt(0) ?? 0;
    const isControl = code < 0x20 && code !== 0x0a && code !== 0x09;
    return (
      isControl ||
      (code >= 0x7f && code <= 0x9f) ||
      (code >= 0xd800 && code <= 0xdfff) ||
      [0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff].includes(code)
    );
  });

const styleOf = (text: string): Scalar.Type => {
  if (text === '' || needsEscapes(text)) return 'QUOTE_DOUBLE';
  if (text.includes('\n')) return /^\s|\n[\t ]+$/.test(text) ? 'QUOTE_DOUBLE' : 'BLOCK_LITERAL';
  return text !== text.trim() || readsOtherwise.test(text) ? 'QUOTE_DOUBLE' : 'PLAIN';
};

const setText = (node: Scalar, text: string): void => {
  const style = styleOf(text);
  const isQuoted = node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE';
  node.value = text;
  delete node.source;
  if (!isQuoted || style !== 'PLAIN') node.type = style;
};

const newText = (text: string): Scalar => {
  const node = new Scalar('');
  setText(node, text);
  return node;
};

/** Makes nodes for a value that was not there before. */
export const newNode = (wanted: Wanted): Node => {
  if (typeof wanted === 'string') return newText(wanted);
  if (wanted instanceof Map) {
    const map = new YAMLMap();
    for (const [key, value] of wanted) map.items.push(new Pair(newText(key), newNode(value)));
    map.flow = wanted.size === 0;
    return map;
  }
  const list = new YAMLSeq();
  list.items = wanted.map(newNode);
  list.flow = wanted.length === 0;
  return list;
};

const keyOf = (pair: Pair): string => (isScalar(pair.key) ? String(pair.key.value) : '');

const readsAs = (node: unknown, wanted: Wanted): boolean => {
  if (typeof wanted === 'string') return isScalar(node) && node.value === wanted;
  if (wanted instanceof Map) {
    if (!isMap(node) || node.items.length !== wanted.size) return false;
    return node.items.every((pair) => {
      const value = wanted.get(keyOf(pair));
      return value !== undefined && readsAs(pair.value, value);
    });
  }
  return isSeq(node) && node.items.length === wanted.length && wanted.every((value, index) => readsAs(node.items[index], value));
};

const changeMap = (map: YAMLMap, wanted: Map<string, Wanted>): Node => {
  map.items = map.items.filter((pair) => wanted.has(keyOf(pair)));
  const there = new Set(map.items.map(keyOf));
  for (const pair of map.items) pair.value = changeNode(pair.value as Node | null, wanted.get(keyOf(pair)) ?? '');
  for (const [key, value] of wanted) if (!there.has(key)) map.items.push(new Pair(newText(key), newNode(value)));
  if (map.items.length === 0) map.flow = true;
  return map;
};

/** Items that read the same are kept wherever they are to stand; others are changed in place while there are any left. */
const changeList = (list: YAMLSeq, wanted: Wanted[]): Node => {
  if (list.items.length === 0 || wanted.length === 0) return newNode(wanted);
  const left = [...list.items] as (Node | null)[];
  const kept = wanted.map((value) => {
    const index = left.findIndex((node) => node !== null && readsAs(node, value));
    if (index < 0) return null;
    const [node] = left.splice(index, 1, null);
    return node ?? null;
  });
  const rest = left.filter((node) => node !== null);
  list.items = wanted.map((value, index) => {
    const same = kept[index] ?? null;
    if (same !== null) return same;
    const node = rest.shift() ?? null;
    return node === null ? newNode(value) : changeNode(node, value);
  });
  return list;
};

/** Changes a node into what is wanted and answers it, or answers a new one when it is of another kind (an alias, for one). */
export const changeNode = (node: Node | null, wanted: Wanted): Node => {
  if (readsAs(node, wanted) && node !== null) return node;
  if (typeof wanted === 'string' && isScalar(node)) {
    setText(node, wanted);
    return node;
  }
  if (wanted instanceof Map && isMap(node) && node.items.length > 0) return changeMap(node, wanted);
  if (Array.isArray(wanted) && isSeq(node)) return changeList(node, wanted);
  return newNode(wanted);
};
