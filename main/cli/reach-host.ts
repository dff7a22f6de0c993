// Finds the host of the data folder, or starts one in the background that ends by itself when nobody needs it.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findHost, type HostClient } from '../host/connect-host.ts';
import { inDataFolder, makePrivateFolder, resolveDataFolder, resolveSocketPath } from '../host/data-folder.ts';
import { entryFile, product } from '../host/product.ts';
import { refused } from './command-failed.ts';

const startTimeoutMs = 30_000;

interface Started {
  /** The exit code once it has ended. */
  ended: () => number | null;
  said: () => string;
}

/** What the host said about its end: its own error line, else the line of a crash that names the error. */
const lastWords = (log: string): string => {
  const lines = log.trim().split('\n');
  return (
    lines.findLast((line) => line.startsWith('sandlot: '))?.slice(9) ?? lines.findLast((line) => /Error\b/.test(line)) ?? lines.at(-1) ?? ''
  );
};

const startBackgroundHost = (dataFolder: string, env: NodeJS.ProcessEnv): Started => {
  const logPath = join(dataFolder, 'host-start.log');
  const log = openSync(logPath, 'w', 0o600);
  let code: number | null = null;
  // The same way of running as ours: with the loader for TypeScript in development, without in the product.
  const child = spawn(process.execPath, [...process.execArgv, entryFile('headless'), '--background'], {
    env: { ...env, SANDLOT_HOME: dataFolder },
    // Not where the command was given: a host must not hold on to that folder.
    cwd: product.root,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.on('exit', (exitCode) => {
    code = exitCode ?? 1;
  });
  child.on('error', () => {
    code = 1;
  });
  child.unref();
  return { ended: () => code, said: () => lastWords(readFileSync(logPath, 'utf8')) };
};

const writeSomething = async (folder: string): Promise<void> => {
  const probe = join(folder, `probe-${process.pid}`);
  try {
    await writeFile(probe, 'x');
  } finally {
    await rm(probe, { force: true });
  }
};

/** Connects to the running host, or starts one. @throws host_unreachable */
export const reachHost = async (env: NodeJS.ProcessEnv): Promise<HostClient> => {
  const dataFolder = resolveDataFolder(env);
  const socketPath = resolveSocketPath(dataFolder, env);
  const running = await findHost(socketPath);
  if (running !== null) return running;
  await makePrivateFolder(dataFolder);
  const started = startBackgroundHost(dataFolder, env);
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    const client = await findHost(socketPath);
    if (client !== null) return client;
    // 0: it joined another one that started at the same moment; its socket will be there.
    if ((started.ended() ?? 0) !== 0) break;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  // On a full disk the host's own words found no room either.
  if (started.said() === '') await inDataFolder(dataFolder, () => writeSomething(dataFolder));
  throw refused(
    'host_unreachable',
    `The host of ${dataFolder} did not start: ${started.said() || 'it said nothing'}`,
    `Run \`sandlot serve\` to see why, or read ${join(dataFolder, 'host.log')}.`,
  );
};
