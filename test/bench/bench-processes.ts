// The processes of the benches: started, heard once, ended.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts a file of this folder; with `enter` by that command, in front of Node's. */
export const runProcess = (file: string, args: string[], nodeArgs: string[] = [], enter: string[] = []): ChildProcess => {
  const [execPath = '', ...execArgv] = [...enter, process.execPath, '--import', 'tsx', ...nodeArgs];
  return fork(join(import.meta.dirname, file), args, {
    execPath,
    execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
};

/** The first thing that it says. */
export const firstWord = async <T>(child: ChildProcess): Promise<T> => {
  const said = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => null)]);
  if (said === null) throw new Error('A process of the bench ended before it said a word.');
  return said[0] as T;
};

/** Ends it in order and waits until it has. */
export const endProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};
