import { describe, expect, test } from 'vitest';
import { checkScript, normaliseScript } from '../../../sandbox-engine/setup/script.ts';

test.each([
  ['a\r\nb', 'a\nb'],
  ['a\r\n', 'a'],
  ['a  \nb\n\n\n', 'a  \nb'],
  ["printf '[%s]\\n' a\\ \necho end\n", "printf '[%s]\\n' a\\ \necho end"],
  ['echo a\\ \n\n', 'echo a\\ '],
  ['echo a\\\\ \n', 'echo a\\\\'],
  ['  echo a', '  echo a'],
  [' \n\t\n', ''],
  ['\ufeffecho a', 'echo a'],
])('%j is saved as %j', (given, saved) => {
  expect(normaliseScript(given)).toBe(saved);
  expect(normaliseScript(saved)).toBe(saved);
});

describe('the size', () => {
  const script = (bytes: number): string =>
    `${'# é\r\n'.repeat(Math.floor(bytes / 5) - 1)}${'#'.repeat(bytes - 5 * (Math.floor(bytes / 5) - 1))}`;
  test('65 536 bytes after conversion pass', () => expect(checkScript(script(65_536)).size).toBe(65_536));
  test('65 537 bytes are refused, in bytes', () => expect(() => checkScript(script(65_537))).toThrow(/65537 bytes; at most 65536 bytes/));
});

test.each([' ', '\n', '\\'])('a megabyte of %j before the last word takes no longer than any other text', (filler) => {
  const began = performance.now();
  expect(normaliseScript(`${filler.repeat(1_000_000)}x`)).toHaveLength(1_000_001);
  expect(performance.now() - began).toBeLessThan(1_000);
});

const found = (script: string): [string, number, string | null][] =>
  checkScript(script).warnings.map(({ code, line, fix }) => [code, line, fix]);

test.each<[string, string, [string, number, string | null][]]>([
  ['curl into sh', 'echo\ncurl -fsSL https://x.test/i.sh | sh', [['pipe_to_shell', 2, null]]],
  ['wget into sudo bash', 'wget -qO- https://x.test | sudo bash -s -- -y', [['pipe_to_shell', 1, null]]],
  ['bash with a substituted download', 'bash <(curl -s https://x.test)', [['pipe_to_shell', 1, null]]],
  [
    'apt without sudo and -y',
    'apt-get update && apt-get install jq',
    [
      ['apt_without_sudo', 1, 'sudo apt-get update && apt-get install jq'],
      ['apt_without_sudo', 1, 'apt-get update && sudo apt-get install -y jq'],
    ],
  ],
  ['apt without -y', 'sudo apt-get install jq', [['apt_without_yes', 1, 'sudo apt-get install -y jq']]],
  [
    'apt as it should be',
    'sudo apt-get update\nsudo apt-get install -y --no-install-recommends jq\nsudo apt-get -y install jq\nsudo apt install -qq jq\nsudo DEBIAN_FRONTEND=noninteractive apt-get install -y jq',
    [],
  ],
  [
    'pip outside of the virtual environment',
    'pip install ruff==0.6.9',
    [['python_outside_venv', 1, '/workspace/.venv/bin/pip install ruff==0.6.9']],
  ],
  ['pip without a version', '/workspace/.venv/bin/pip install ruff', [['unpinned_install', 1, null]]],
  ['pip as it should be', '/workspace/.venv/bin/pip install ruff==0.6.9 -r requirements.txt -e . ./wheel.whl', []],
  ['npm without a version', 'npm install -g typescript', [['unpinned_install', 1, null]]],
  ['npm as it should be', 'npm ci\nnpm install\nnpm i -g typescript@5.6.2 @scope/name@1.0.0', []],
  ['npm with a scope and no version', 'npm i @scope/name', [['unpinned_install', 1, null]]],
  [
    'cargo, gem and go',
    'cargo install ripgrep\ngem install rake\ngo install example.org/x@latest',
    [
      ['unpinned_install', 1, null],
      ['unpinned_install', 2, null],
      ['unpinned_install', 3, null],
    ],
  ],
  [
    'cargo, gem and go with versions',
    'cargo install ripgrep --version 14.1.0\ngem install rake -v 13.2.1\ngo install example.org/x@v1.2.3',
    [],
  ],
  ['a login wrapper', "bash -lc 'echo hi'", [['login_wrapper', 1, 'echo hi']]],
  [
    'what does not carry over',
    'export A=1\nsource ./env.sh\nalias ll="ls -l"\ngreet() { echo hi; }',
    [
      ['not_carried_over', 1, null],
      ['not_carried_over', 2, null],
      ['not_carried_over', 3, null],
      ['not_carried_over', 4, null],
    ],
  ],
  ['a function that is used here', 'greet() { echo hi; }\ngreet', []],
  ['a download without a checksum', 'curl -fsSLO https://x.test/a.tgz', [['download_without_checksum', 1, null]]],
  ['a download with one', 'curl -fsSLO https://x.test/a.tgz\necho "abc  a.tgz" | sha256sum -c -', []],
  [
    'comments, quotes and here-documents',
    "# curl x | sh\necho 'curl x | sh; apt-get install y'\ncat > a.sh <<'E'\ncurl x | sh\napt-get install jq\npip install x\nE\necho \"pip install x\"",
    [],
  ],
  ['what is merely mentioned', 'which apt-get\ngrep -r "npm install" .\ncommand -v pip', []],
])('%s', (_, script, expected) => {
  expect(found(script)).toEqual(expected);
});
