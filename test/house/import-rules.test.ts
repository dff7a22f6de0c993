// Every import rule of .dependency-cruiser.cjs is broken on purpose in a small false house, and must be the one that fires.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as { forbidden: { name: string }[] };

/** The rule, the file that breaks it, and the line that does. A target that is a path of ours is made as an innocent file. */
const broken: [rule: string, file: string, line: string][] = [
  ['contract-stands-on-nothing', 'sandbox-engine/contract/a1.ts', "import '../base/target.ts';"],
  ['base-sees-only-contract', 'sandbox-engine/base/a2.ts', "import '../stream/target.ts';"],
  ['resources-never-look-up', 'sandbox-engine/stream/a3.ts', "import '../image/target.ts';"],
  ['resources-never-meet', 'sandbox-engine/stream/a4.ts', "import '../registry/target.ts';"],
  ['workflows-never-look-up', 'sandbox-engine/image/a5.ts', "import '../../main/host/target.ts';"],
  ['workflows-never-meet', 'sandbox-engine/image/a6.ts', "import '../session/target.ts';"],
  ['engine-is-plain-node', 'sandbox-engine/session/a7.ts', "import 'electron';"],
  ['main-enters-by-index', 'main/host/a8.ts', "import '../../sandbox-engine/base/target.ts';"],
  ['host-knows-no-door', 'main/host/a9.ts', "import '../web/target.ts';"],
  ['doors-never-meet', 'main/web/a10.ts', "import '../cli/target.ts';"],
  ['nobody-imports-an-entry', 'main/web/a11.ts', "import '../headless.ts';"],
  ['only-index-imports-engine', 'main/a12.ts', "import '../sandbox-engine/engine.ts';"],
  ['preload-sees-types-only', 'preload/a13.cts', "import '../main/host/target.ts';"],
  [
    'preload-sees-contract-types-only',
    'preload/a14.cts',
    "import { target } from '../sandbox-engine/contract/target.ts';\nexport const a14 = target;",
  ],
  ['renderer-sees-contract-only', 'renderer/src/store/a15.ts', "import '../../../sandbox-engine/base/target.ts';"],
  [
    'renderer-sees-contract-types-only',
    'renderer/src/store/a16.ts',
    "import { target } from '../../../sandbox-engine/contract/target.ts';\nexport const a16 = target;",
  ],
  ['renderer-has-no-node', 'renderer/src/store/a17.ts', "import 'node:fs';"],
  ['only-store-touches-host', 'renderer/src/home/a18.ts', "import '../host/target.ts';"],
  ['screens-never-meet', 'renderer/src/home/a19.ts', "import '../session/target.ts';"],
  ['ui-knows-nothing', 'renderer/src/ui/a20.ts', "import '../store/target.ts';"],
  ['store-knows-no-view', 'renderer/src/store/a21.ts', "import '../ui/target.ts';"],
  ['one-door-sqlite3', 'sandbox-engine/registry/b1.ts', "import 'sqlite3';"],
  ['one-door-dockerode', 'sandbox-engine/container/b2.ts', "import 'dockerode';"],
  ['one-door-ipaddr-js', 'sandbox-engine/session/b12.ts', "import 'ipaddr.js';"],
  ['one-door-koffi', 'sandbox-engine/gate/b14.ts', "import 'koffi';"],
  ['one-door-tldts', 'sandbox-engine/egress/b13.ts', "import 'tldts';"],
  ['one-door-dns-packet', 'sandbox-engine/session/b13.ts', "import 'dns-packet';"],
  ['one-door-yaml', 'main/cli/b3.ts', "import 'yaml';"],
  ['one-door-zod', 'sandbox-engine/session/b4.ts', "import 'zod';"],
  ['one-door-electron', 'main/web/b5.ts', "import 'electron';"],
  ['one-door-ws', 'main/cli/b6.ts', "import 'ws';"],
  ['one-door-fastify-fastify', 'main/host/b7.ts', "import 'fastify';"],
  ['one-door-commander', 'main/host/b8.ts', "import 'commander';"],
  ['one-door-xterm', 'renderer/src/ui/b9.ts', "import '@xterm/xterm';"],
  ['one-door-novnc', 'renderer/src/ui/b14.ts', "import '@novnc/novnc';"],
  ['one-door-codemirror-lezer', 'renderer/src/ui/b10.ts', "import '@codemirror/state';"],
  ['one-door-zustand', 'renderer/src/store/b11.ts', "import 'zustand';"],
  ['no-cycles', 'sandbox-engine/stream/c1.ts', "import './c1-back.ts';"],
  ['no-orphans', 'sandbox-engine/stream/c2.ts', 'export const c2 = 1;'],
  ['nobody-imports-tests', 'sandbox-engine/stream/c3.ts', "import '../../test/target.ts';"],
  ['resolvable', 'sandbox-engine/stream/c4.ts', "import './nowhere.ts';"],
  ['declared', 'main/host/c5.ts', "import 'docker-modem';"],
  ['shipped', 'main/host/c6.ts', "import 'fast-check';"],
];

/** The same rules, broken by rooms that came later. */
const alsoBroken: typeof broken = [
  ['workflows-never-meet', 'sandbox-engine/gate/a22.ts', "import '../session/target.ts';"],
  ['workflows-never-meet', 'sandbox-engine/setup/a23.ts', "import '../gate/target.ts';"],
  ['workflows-never-look-up', 'sandbox-engine/gate/a24.ts', "import '../engine.ts';"],
  ['resources-never-look-up', 'sandbox-engine/container/a25.ts', "import '../gate/target.ts';"],
];

/** Imports that look alike and are allowed: a rule that fires on them is too wide. */
const allowed: [file: string, line: string][] = [
  ['sandbox-engine/image/d1.ts', "import '../stream/target.ts';\nimport '../base/target.ts';\nimport '../contract/target.ts';"],
  ['main/host/d2.ts', "import '../../sandbox-engine/index.ts';\nimport '../../sandbox-engine/contract/target.ts';"],
  [
    'renderer/src/home/d3.ts',
    "import type { Target } from '../../../sandbox-engine/contract/target.ts';\nimport '../ui/target.ts';\nexport type D3 = Target;",
  ],
  ['renderer/src/ui/d4.ts', "import type { Terminal } from '@xterm/xterm';\nexport type D4 = Terminal;"],
];

const targets = [
  ...['contract', 'base', 'stream', 'registry', 'image', 'session', 'gate'].map((room) => `sandbox-engine/${room}/target.ts`),
  ...['host', 'web', 'cli'].map((room) => `main/${room}/target.ts`),
  ...['store', 'host', 'ui', 'session'].map((room) => `renderer/src/${room}/target.ts`),
  ...['main/headless.ts', 'sandbox-engine/engine.ts', 'sandbox-engine/index.ts', 'test/target.ts'],
];

let house = '';
let fired: { from: string; rule: string }[] = [];

const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(house, file)), { recursive: true });
  writeFileSync(join(house, file), `${text}\n`);
};

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'sandlot-house-'));
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.base.json', 'package.json']) cpSync(join(root, name), join(house, name));
  symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'));
  for (const file of targets) put(file, 'export interface Target { a: 1 }\nexport const target = 1;');
  for (const [, file, line] of [...broken, ...alsoBroken]) put(file, line);
  for (const [file, line] of allowed) put(file, line);
  put('sandbox-engine/stream/c1-back.ts', "import './c1.ts';");
  let json: string;
  try {
    json = execFileSync(
      join(root, 'node_modules/.bin/depcruise'),
      ['--output-type', 'json', 'sandbox-engine', 'main', 'preload', 'renderer', 'test'],
      {
        cwd: house,
        encoding: 'utf8',
        maxBuffer: 1 << 26,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
  } catch (error) {
    json = (error as { stdout: string }).stdout;
  }
  const report = JSON.parse(json) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  fired = report.summary.violations.map(({ from, rule }) => ({ from, rule: rule.name }));
}, 60_000);

afterAll(() => rmSync(house, { recursive: true, force: true }));

test.each([...broken, ...alsoBroken])('%s fires on %s', (rule, file) => {
  // A cycle is reported once, from whichever of its files is met first.
  const names = fired.filter(({ from }) => from === file || from === file.replace('.ts', '-back.ts')).map((each) => each.rule);
  expect(names).toContain(rule);
});

test.each(allowed)('no rule but the one about orphans fires on %s', (file) => {
  expect(fired.filter(({ from, rule }) => from === file && rule !== 'no-orphans')).toEqual([]);
});

test('no import rule goes without a file that breaks it', () => {
  expect(config.forbidden.map(({ name }) => name).sort()).toEqual(broken.map(([rule]) => rule).sort());
});
