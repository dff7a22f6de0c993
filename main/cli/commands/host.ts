// `sandlot serve`, `open`, `stop`, `down`, `completion`: the host process and the shell around the command line.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../../sandbox-engine/index.ts';
import { findHost, type HostClient } from '../../host/connect-host.ts';
import { resolveDataFolder, resolveSocketPath } from '../../host/data-folder.ts';
import { openInBrowser } from '../../host/open-in-browser.ts';
import { entryFile } from '../../host/product.ts';
import type { CommandContext } from '../command-context.ts';
import { callFailed, refused } from '../command-failed.ts';
import { completionScript, type Shell, shells } from '../completion.ts';
import { askOnTerminal } from '../confirm.ts';
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

interface Ending {
  /** Sessions are to be stopped: those that went on without a host need one for that. */
  mustStop: boolean;
  stopsSessions: (client: HostClient) => Promise<boolean>;
}

/** Those that run; null when the host did not say. */
const runningNames = async (client: HostClient): Promise<string[] | null> => {
  const listed = await client.call('sessions.list', {});
  return listed.ok ? listed.value.sessions.filter(({ status }) => status === 'running').map(({ name }) => name) : null;
};

interface Ended {
  stopped: boolean;
  /** Names of the sessions that ran then. */
  running: string[] | null;
}

/** Ends the host; answers whether sessions went with it, null when no host was running and none was needed. */
const endHost = async (context: CommandContext, { mustStop, stopsSessions }: Ending): Promise<Ended | null> => {
  const { env } = context;
  const dataFolder = resolveDataFolder(env);
  const running = await findHost(resolveSocketPath(dataFolder, env));
  if (running === null && !(mustStop && existsSync(join(dataFolder, 'registry.db')))) return null;
  const client = running ?? (await context.host());
  const stop_sessions = await stopsSessions(client);
  const names = await runningNames(client);
  const reply = await client.call('app.shutdown', { stop_sessions });
  if (!reply.ok) throw callFailed(reply.error);
  await client.closed;
  await untilReleased(join(dataFolder, 'host.lock'));
  return { stopped: stop_sessions, running: names };
};

/** What became of host and sessions, as a sentence or two. */
const endedText = (ended: Ended | null): string => {
  if (ended === null) return 'No host was running.';
  if (ended.stopped) return 'The host ended, and all sessions are stopped; their workspaces are kept.';
  if (ended.running === null) return 'The host ended. Sessions that run go on.';
  if (ended.running.length === 0) return 'The host ended. No session runs.';
  return `The host ended. ${counted(ended.running.length, 'session goes', 'sessions go')} on without it: ${ended.running.join(', ')}.`;
};

const tellEnded = ({ print }: CommandContext, ended: Ended | null): void =>
  print.result({ stopped: ended !== null }, () => endedText(ended));

const addStop = (program: Command): void =>
  defineCommand(program, {
    usage: 'stop',
    does: 'End the host of this data folder; sessions go on unless told otherwise',
    options: [['-s, --sessions', 'stop all running sessions, too']],
    examples: ['stop', 'stop --sessions'],
    act: async ({ context, options }) => {
      const mustStop = options['sessions'] === true;
      tellEnded(context, await endHost(context, { mustStop, stopsSessions: async () => mustStop }));
      return undefined;
    },
  });

const isStopWanted = async (client: HostClient): Promise<boolean> => {
  const [known, settings] = await Promise.all([runningNames(client), client.call('settings.get', {})]);
  const running = known ?? [];
  const wish = settings.ok ? settings.value.on_quit : 'ask';
  if (running.length === 0 || wish !== 'ask') return wish === 'stop';
  const answer = await askOnTerminal(`Running: ${running.join(', ')}. Keep them running, or stop all? [K/s]`);
  return ['s', 'stop'].includes(answer?.toLowerCase() ?? 'keep');
};

const addDown = (program: Command): void =>
  defineCommand(program, {
    usage: 'down',
    does: 'Quit Sandlot: keep its sessions running or stop them all, as you say, or as you said before',
    options: [
      ['--keep', 'keep them running'],
      ['--stop', 'stop all'],
      ['--remember', 'do the same from now on, in the app too'],
    ],
    examples: ['down', 'down --stop', 'down --keep --remember'],
    act: async ({ context, options }) => {
      const said = options['stop'] === true ? 'stop' : options['keep'] === true ? 'keep' : null;
      const stopsSessions = async (client: HostClient): Promise<boolean> => {
        if (said !== null && options['remember'] === true) await client.call('settings.update', { on_quit: said });
        return said === null ? await isStopWanted(client) : said === 'stop';
      };
      tellEnded(context, await endHost(context, { mustStop: said === 'stop', stopsSessions }));
      return undefined;
    },
  });

/** Adds the commands about the host and the shell. */
export const addHostCommands = (program: Command): void => {
  addServe(program);
  addOpen(program);
  addStop(program);
  addDown(program);
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
