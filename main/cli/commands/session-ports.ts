// `sandlot session ports | forward`: what a session listens at, and the ports of this machine that lead there.
import type { Command } from 'commander';
import type { Forward, ListeningPort, SessionPorts } from '../../../sandbox-engine/contract/model.ts';
import { openInBrowser } from '../../host/open-in-browser.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord } from '../define-command.ts';
import { findSession } from '../find-by-name.ts';
import { toTable } from '../print.ts';

const addressOf = (forward: Forward | undefined): string | null => {
  if (forward === undefined) return null;
  return forward.status === 'open' ? `127.0.0.1:${forward.local_port}` : forward.status;
};

const rowsOf = ({ listening, forwards }: SessionPorts): (string | number | null)[][] => {
  const found = new Map<number, ListeningPort | null>((listening ?? []).map((one) => [one.port, one]));
  for (const { port } of forwards) if (!found.has(port)) found.set(port, null);
  return [...found]
    .sort(([left], [right]) => left - right)
    .map(([port, one]) => [
      port,
      one === null ? 'nothing listens' : one.addresses.join(', '),
      one?.process ?? null,
      addressOf(forwards.find((forward) => forward.port === port)),
    ]);
};

/** `3000` or `3000:8080`. @throws invalid_request */
export const parsePorts = (text: string): { port: number; local_port?: number } => {
  const [inside, here] = (/^(\d{1,5})(?::(\d{1,5}))?$/.exec(text) ?? [])
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const isPort = (value: number | undefined): value is number => value !== undefined && value >= 1 && value <= 65_535;
  if (!isPort(inside) || (here !== undefined && !isPort(here))) {
    throw refused('invalid_request', `"${text}" is no port.`, 'Write PORT or PORT:PORT-HERE, such as 3000 or 3000:8080.');
  }
  return { port: inside, ...(here === undefined ? {} : { local_port: here }) };
};

const addForward = (group: Command): void =>
  defineCommand(group, {
    usage: 'forward <session> <port>',
    does: 'Lead a port of 127.0.0.1 here to a port in a session: PORT, or PORT:PORT-HERE. It ends with the session and comes back with it',
    options: [
      ['--stop', 'take the forward away'],
      ['--open', 'open it in the browser'],
    ],
    examples: ['session forward my-session 3000', 'session forward my-session 3000:8080 --open', 'session forward my-session 3000 --stop'],
    act: async (given) => {
      const { context, args, options } = given;
      const { id: session_id } = await findSession(context, firstWord(given));
      const { port, local_port } = parsePorts(args[1] ?? '');
      if (options['stop'] === true) {
        const done = await context.ask('ports.stop', { session_id, port });
        context.print.result(done, () => `Port ${port} leads nowhere now.`);
        return undefined;
      }
      const forward = await context.ask('ports.forward', { session_id, port, ...(local_port === undefined ? {} : { local_port }) });
      const { url } = options['open'] === true ? await context.ask('ports.url', { session_id, port }) : { url: null };
      const isShown = url !== null && openInBrowser(url, context.env);
      context.print.result(forward, () => `${url ?? `127.0.0.1:${forward.local_port}`} leads to port ${port}.`);
      if (url !== null && !isShown) context.print.note('There is no display to open a browser on.');
      return undefined;
    },
  });

/** Adds `session ports` and `session forward`. */
export const addPortCommands = (group: Command): void => {
  defineCommand(group, {
    usage: 'ports <session>',
    does: 'List the TCP ports that something in a session listens at, and where they are forwarded to',
    examples: ['session ports my-session', 'session ports my-session -o json'],
    act: async (given) => {
      const session = await findSession(given.context, firstWord(given));
      const ports = await given.context.ask('ports.list', { session_id: session.id });
      given.context.print.result(ports, () => toTable(['PORT', 'ADDRESS', 'PROGRAM', 'HERE'], rowsOf(ports)));
      return undefined;
    },
  });
  addForward(group);
};
