// Runs the command line as a process of its own, with a data folder of the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { programArgs } from '../../runtime/support/program.ts';

export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  input?: string;
  /** Sees the process as soon as it has begun. */
  onStart?: (child: ChildProcess) => void;
}

/** Runs one command to its end. */
export const runSandlot = async (dataFolder: string, words: string[], { input = '', onStart }: RunOptions = {}): Promise<Said> =>
  await new Promise((resolve) => {
    const env = { ...process.env, SANDLOT_HOME: dataFolder, NO_COLOR: '1' };
    const child = spawn(process.execPath, [...programArgs('cli'), ...words], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (data) => {
      said.stdout += String(data);
    });
    child.stderr.on('data', (data) => {
      said.stderr += String(data);
    });
    child.stdin.end(input);
    onStart?.(child);
    child.on('close', (code) => resolve({ code, ...said }));
  });
