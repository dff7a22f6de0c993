// `--set key=value` as an object: the value is JSON where it can be read as JSON, else a text; a dot in the key goes deeper.
import { refused } from './command-failed.ts';

const readValue = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

type Settings = { [key: string]: unknown };

const put = (into: Settings, path: string[], value: unknown): Settings => {
  const [head = '', ...rest] = path;
  if (rest.length === 0) return { ...into, [head]: value };
  const inner = into[head];
  return { ...into, [head]: put(inner !== null && typeof inner === 'object' ? (inner as Settings) : {}, rest, value) };
};

/** All settings together; a later one wins. @throws invalid_request for one without `=` */
export const parseSettings = (settings: readonly string[]): Settings =>
  settings.reduce<Settings>((all, setting) => {
    const at = setting.indexOf('=');
    if (at < 1) throw refused('invalid_request', `"${setting}" is not a setting.`, 'Write it as --set key=value.');
    return put(all, setting.slice(0, at).split('.'), readValue(setting.slice(at + 1)));
  }, {});
