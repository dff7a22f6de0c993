// What is known about this copy of Sandlot: its version and where its built page lies.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with package.json: the same one whether this file runs from its source or from dist. */
const findRoot = (folder: string): string => (existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder)));

/** As a shell takes it for one word. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

const root = findRoot(dirname(fileURLToPath(import.meta.url)));

// A clone has its command in bin/, on no PATH; a package puts it there.
const ownCommand = join(root, 'bin', 'sandlot');

export const product = {
  root,
  /** What one types to call the command line, from any folder. */
  commandLine: existsSync(ownCommand) ? quoted(ownCommand) : 'sandlot',
  version: (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
  rendererFolder: join(root, 'dist', 'renderer'),
  preloadFile: join(root, 'dist', 'preload', 'index.cjs'),
  iconFile: join(root, 'assets', 'icon.png'),
} as const;

/** The file of a program: its source where the source is running, else the built one, which lies beside this one. */
export const entryFile = (name: 'headless' | 'cli' | 'electron'): string => {
  const here = dirname(fileURLToPath(import.meta.url));
  return import.meta.url.endsWith('.ts') ? join(dirname(here), `${name}.ts`) : join(here, `${name}.js`);
};
