// What every tracked file must keep to: packages named in one place, no registry named at all, scripts that parse.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter((line) => line !== '');

// Untracked files count too: what is about to be committed is read before it is.
const tracked = git('ls-files', '-z', '--cached', '--others', '--exclude-standard');
const isText = (file: string): boolean => !/\.(png|ico|icns|woff2?|tar|gz|db)$/.test(file);
const read = (file: string): string => {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''; // Deleted, and the deletion is not committed yet.
    throw error;
  }
};

const groups = ['build', 'docker', 'podman', 'base', 'test'];
const packageNames = execFileSync(
  'bash',
  ['-c', `source scripts/say.sh; source scripts/apt-packages.sh; for g in ${groups.join(' ')}; do apt_group $g; done`],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split(/\s+/)
  .filter((name) => name !== '');

/** The lines outside scripts/apt-packages.sh that install or ask for a package of the machine by its name. */
const installLines = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) =>
      /^\s*(as_root\s+|sudo\s+)?(apt-get|apt|dpkg|aptitude)\s+(-\S+\s+)*(install|remove|purge)\s+[^$]*\b[a-z]/.test(
        line.replace(/\$\S+/g, ''),
      ),
    );

test('the list of packages is not empty and names each once in a group', () => {
  expect(packageNames.length).toBeGreaterThan(8);
  for (const group of groups) {
    const names = execFileSync('bash', ['-c', `source scripts/say.sh; source scripts/apt-packages.sh; apt_group ${group}`], {
      cwd: root,
      encoding: 'utf8',
    });
    const list = names.trim().split(/\s+/);
    expect(new Set(list).size).toBe(list.length);
  }
});

test('a line that installs a package is recognised', () => {
  expect(installLines('as_root apt-get install -y -q podman')).toHaveLength(1);
  expect(installLines('install_packages podman')).toHaveLength(0);
});

test("the machine's packages are installed by scripts/apt-packages.sh and by no other script", () => {
  const scripts = tracked.filter(
    (file) => (file.endsWith('.sh') || file === 'bin/sandlot' || file === '.ci/run') && file !== 'scripts/apt-packages.sh',
  );
  expect(scripts.flatMap((file) => installLines(read(file)).map((line) => `${file}: ${line.trim()}`))).toEqual([]);
});

// Put together from pieces, so that this file does not name what it forbids.
const dot = '\\.';
const hosts = [
  ['registry', 'npm' + 'js', 'org'],
  ['registry', 'yarn' + 'pkg', 'com'],
  ['deb', 'deb' + 'ian', 'org'],
  ['security', 'deb' + 'ian', 'org'],
  ['snapshot', 'deb' + 'ian', 'org'],
  ['archive', 'ubu' + 'ntu', 'com'],
  ['py' + 'pi', 'org'],
  ['files', 'python' + 'hosted', 'org'],
  ['crates', 'io'],
  ['proxy', 'go' + 'lang', 'org'],
  ['repo1?', 'maven', `(apache${dot}org|org)`],
].map((parts) => new RegExp(`(?<![\\w-])${parts.join(dot)}(?![\\w-])`, 'i'));

// What people of Sandlot open in their own policies is data of the product: it may name the destinations they want to reach.
const mayName = /^(sandbox-engine\/egress\/presets\.ts|docs\/presets\.md)$/;

test('a named registry is recognised', () => {
  const named = ['registry', 'npm' + 'js', 'org'].join('.');
  expect(hosts.some((host) => host.test(`https://${named}/x`))).toBe(true);
  expect(hosts.some((host) => host.test('registry.example.org'))).toBe(false);
});

test('no tracked file names the host of a package registry', () => {
  const offenders = tracked
    .filter((file) => isText(file) && !mayName.test(file))
    .filter((file) => hosts.some((host) => host.test(read(file))));
  expect(offenders).toEqual([]);
});

test('every shell script parses', () => {
  const broken = tracked
    .filter((file) => file.endsWith('.sh') || file === '.ci/run')
    .filter((file) => spawnSync('bash', ['-n', join(root, file)]).status !== 0);
  expect(broken).toEqual([]);
  expect(spawnSync('sh', ['-n', join(root, 'bin/sandlot')]).status).toBe(0);
});
