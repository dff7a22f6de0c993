// The description of the desktop package is one that the packager takes. That packing works is in test/egress/packed-app.test.ts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const ofBuilder = createRequire(require.resolve('electron-builder/package.json'));
const readConfig = () => parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as Record<string, unknown>;

/** What the packager itself says of a description; null when it takes it. */
const problem = (config: unknown): string | null => {
  const { validateSchema } = ofBuilder('app-builder-lib/out/util/config/schemaValidator.js');
  try {
    validateSchema(ofBuilder('app-builder-lib/scheme.json'), structuredClone(config), { name: 'electron-builder' });
    return null;
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

test('the description holds to the schema of the packager, which would see a wrong key', () => {
  const config = readConfig();
  expect([problem(config), problem({ ...config, electronFuses: { runAsNodes: false } })]).toEqual([
    null,
    expect.stringContaining('electronFuses'),
  ]);
});

test('the four packages are made, and links of ours belong to the app', () => {
  const config = readConfig() as Record<string, { target?: string[]; schemes?: string[] }> & { protocols: { schemes: string[] }[] };
  const targets = ['linux', 'mac', 'win'].flatMap((system) => config[system]?.target ?? []);
  expect([targets, config.protocols[0]?.schemes]).toEqual([['deb', 'AppImage', 'dmg', 'nsis'], ['sandlot']]);
});
