// `sandlot session editor | ssh-config | ssh-proxy`: ways of an editor and of an SSH client into a session.
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { product } from '../../host/product.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord, type Given } from '../define-command.ts';
import { findSession } from '../find-by-name.ts';

const editorsOf = async (given: Given) => {
  const session = await findSession(given.context, firstWord(given));
  return await given.context.ask('editors.get', { session_id: session.id });
};

/** The words of our own in a configuration, as the shell finds them whatever its PATH. */
const withProgram = (config: string): string => {
  const program = join(product.root, 'bin', 'sandlot');
  const word = /^[\w./-]+$/.test(program) ? program : `'${program.replaceAll("'", `'\\''`)}'`;
  return config.replace('sandlot session ssh-proxy', `${word.replaceAll('%', '%%')} session ssh-proxy`);
};

/** Joins our ends to a socket until the other side has closed. */
const joinSocket = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once('error', (cause) => reject(refused('host_unreachable', `The way into the session broke off: ${cause.message}`)));
    socket.once('close', () => resolve());
    process.stdin.pipe(socket);
    socket.pipe(process.stdout);
    process.stdout.on('error', () => socket.destroy());
  });

const addSsh = (group: Command): void => {
  defineCommand(group, {
    usage: 'ssh-config <session>',
    does: 'Print the lines for ~/.ssh/config by which ssh, scp and editors reach a session; no port is opened for it',
    examples: ['session ssh-config my-session >> ~/.ssh/config', 'session ssh-config my-session -o json'],
    act: async (given) => {
      const { ssh } = await editorsOf(given);
      given.context.print.result({ ...ssh, config: withProgram(ssh.config) }, () => withProgram(ssh.config).trimEnd());
      if (ssh.message !== null) given.context.print.note(ssh.message);
      return undefined;
    },
  });
  defineCommand(group, {
    usage: 'ssh-proxy <session>',
    does: 'Be the ProxyCommand of an SSH client: joins its own input and output to the SSH server in the session',
    examples: ['session ssh-proxy my-session'],
    act: async (given) => {
      const { ssh } = await editorsOf(given);
      if (ssh.message !== null) throw refused('session_not_running', 'An SSH client cannot get into this session.', ssh.message);
      await joinSocket(ssh.socket_path);
      process.stdin.destroy();
      return undefined;
    },
  });
};

/** Adds these. */
export const addEditorCommands = (group: Command): void => {
  defineCommand(group, {
    usage: 'editor <session>',
    does: 'Print the address that opens a session in VS Code (Dev Containers extension)',
    examples: ['session editor my-session', 'open "$(sandlot session editor my-session)"'],
    act: async (given) => {
      const found = await editorsOf(given);
      given.context.print.result(found, () => found.vscode_url);
      if (found.vscode_note !== null) given.context.print.note(found.vscode_note);
      return undefined;
    },
  });
  addSsh(group);
};
