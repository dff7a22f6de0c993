// `sandlot serve`, `open`, `stop`, `completion`: the host process and the shell around the command line.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { findHost } from '../../host/connect-host.ts';
import { resolveDataFolder, resolveSocketPath } from '../../host/data-folder.ts';
import { openInBrowser } from '../../host/open-in-browser.ts';
import { entryFile } from '../../host/product.ts';
import { callFailed, refused } from '../command-failed.ts';
import { completionScript, type Shell, shells } from '../completion.ts';
import { defineCommand, firstWord, textOption } from '../define-command.ts';

const runEntry = async (args: string[]): Promise<number> => {
  const child = spawn(process.execPath, [...process.execArgv, entryFile('headless'), ...args], { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
  return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)).once('error', () => resolve(1)));
};

const addServe = (program: Command): void =>
  defineCommand(program, {
    usage: 'serve',
    does: 'Be the host in the foreground and serve the app on loopback; prints its URL on stdout',
    options: [
      ['-p, --port <port>', 'the port; else that of last time, else any'],
      ['--open', 'show it in the browser'],
    ],
    examples: ['serve', 'serve --port 4100 --open'],
    act: async ({ options }) => {
      const port = textOption(options, 'port');
      if (port !== undefined && !/^\d{1,5}$/.test(port))
        throw refused('invalid_request', `"${port}" is not a port.`, 'Give a number from 1 to 65535.');
      return await runEntry([...(port === undefined ? [] : ['--port', port]), ...(options['open'] === true ? ['--open'] : [])]);
    },
  });

const addOpen = (program: Command): void =>
  defineCommand(program, {
    usage: 'open',
    does: 'Print a link that opens the app in one browser, once, and show it where there is a display',
    options: [['--print', 'only print it']],
    examples: ['open', 'open --print'],
    act: async ({ context, options }) => {
      const reply = await (await context.host()).control('open');
      if (!reply.ok) throw callFailed(reply.error);
      const url = String(reply.value['url']);
      context.print.result({ url }, () => url);
      if (options['print'] !== true) openInBrowser(url);
      return undefined;
    },
  });

const stopTimeoutMs = 60_000;

/** The socket closes first; the lock goes when sessions are stopped and all is saved. @throws timeout */
const untilReleased = async (lockFile: string): Promise<void> => {
  for (const deadline = performance.now() + stopTimeoutMs; existsSync(lockFile); ) {
    if (performance.now() > deadline) throw refused('timeout', 'The host has not ended yet.', 'See host.log in the data folder.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const addStop = (program: Command): void =>
  defineCommand(program, {
    usage: 'stop',
    does: 'End the host of this data folder; sessions go on unless told otherwise',
    options: [['-s, --sessions', 'stop all running sessions, too']],
    examples: ['stop', 'stop --sessions'],
    act: async ({ context: { env, print }, options }) => {
      // Not context.host(), which would start one.
      const dataFolder = resolveDataFolder(env);
      const client = await findHost(resolveSocketPath(dataFolder, env));
      if (client === null) {
        print.result({ stopped: false }, () => 'No host was running.');
        return undefined;
      }
      const reply = await client.call('app.shutdown', { stop_sessions: options['sessions'] === true });
      if (!reply.ok) throw callFailed(reply.error);
      await client.closed;
      await untilReleased(join(dataFolder, 'host.lock'));
      print.result({ stopped: true }, () => (options['sessions'] === true ? 'The host and all sessions ended.' : 'The host ended.'));
      return undefined;
    },
  });

/** Adds the commands about the host and the shell. */
export const addHostCommands = (program: Command): void => {
  addServe(program);
  addOpen(program);
  addStop(program);
  defineCommand(program, {
    usage: 'completion <shell>',
    does: `Print the completion script of a shell: ${shells.join(', ')}`,
    examples: [
      'completion bash > ~/.local/share/bash-completion/completions/sandlot',
      'completion fish > ~/.config/fish/completions/sandlot.fish',
    ],
    act: async (given) => {
      const shell = firstWord(given) as Shell;
      if (!shells.includes(shell))
        throw refused('invalid_request', `There is no completion for "${shell}".`, `Choose one of ${shells.join(', ')}.`);
      process.stdout.write(completionScript(program, shell));
      return undefined;
    },
  });
};
