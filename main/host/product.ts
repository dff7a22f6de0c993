// What is known about this copy of Sandlot: its version and where its built page lies.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with package.json: the same one whether this file runs from its source or from dist. */
const findRoot = (folder: string): string => (existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder)));

const root = findRoot(dirname(fileURLToPath(import.meta.url)));

export const product = {
  root,
  version: (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
  rendererFolder: join(root, 'dist', 'renderer'),
  preloadFile: join(root, 'dist', 'preload', 'index.cjs'),
  iconFile: join(root, 'assets', 'icon.png'),
} as const;

/** The file of an entry beside `main/`, compiled or not: what is running decides. */
export const entryFile = (name: 'headless' | 'cli' | 'electron'): string => {
  const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return join(dirname(dirname(fileURLToPath(import.meta.url))), `${name}${ending}`);
};
