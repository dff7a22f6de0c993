// Node and the programs of the benches inside containers, whose images have no Node: the one that runs here, and the programs as JavaScript,
// mounted.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { MountSpec } from '../../sandbox-engine/container/container-runtime.ts';

const nodeInside = '/opt/bench/node';

/** The mounts that bring Node and a program of this folder; the program is written into `folder` first. */
export const mountsOf = (file: string, folder: string): MountSpec[] => {
  const source = readFileSync(join(import.meta.dirname, file), 'utf8');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const script = join(folder, file.replace(/ts$/, 'mjs'));
  writeFileSync(script, ts.transpileModule(source, { compilerOptions }).outputText);
  return [
    { kind: 'bind', source: process.execPath, target: nodeInside, readOnly: true },
    { kind: 'bind', source: script, target: '/opt/bench/program.mjs', readOnly: true },
  ];
};

/** The command that runs the program. */
export const commandOf = (args: string[], nodeArgs: string[] = []): string[] => [
  nodeInside,
  ...nodeArgs,
  '/opt/bench/program.mjs',
  ...args,
];
