// Joins this terminal to a shell in a session: keys in, bytes out, size along, the shell's exit code as the result.
// Without a terminal (a pipe) it works too: what comes in is typed, and the end of input ends the shell.
import type { Terminal } from '../../sandbox-engine/contract/model.ts';
import type { CommandContext } from './command-context.ts';
import { followStream, writeAll } from './follow-stream.ts';
import { waitFor } from './wait-for.ts';

const sizeOf = (stream: NodeJS.WriteStream): { cols: number; rows: number } => ({
  cols: Math.min(1000, Math.max(1, stream.columns || 80)),
  rows: Math.min(1000, Math.max(1, stream.rows || 24)),
});

/** Types what arrives, in order; keys that come while one write is under way go together with the next. */
const typeInto = (context: CommandContext, terminalId: string): ((bytes: Buffer) => void) => {
  let waiting: Buffer[] = [];
  let isWriting = false;
  const send = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const all = Buffer.concat(waiting);
      waiting = all.length > 65_536 ? [all.subarray(65_536)] : [];
      await context.ask('terminals.write', { terminal_id: terminalId, data: all.subarray(0, 65_536).toString('base64') });
    }
    isWriting = false;
  };
  return (bytes) => {
    waiting.push(bytes);
    // A shell that has ended takes no keys any more; its exit is told elsewhere.
    if (!isWriting) void send().catch(() => undefined);
  };
};

const watchExit = async (context: CommandContext, terminal: Terminal): Promise<Terminal> =>
  await waitFor(context, {
    inEvent: (event) => (event.name === 'terminal.changed' && event.payload.id === terminal.id ? event.payload : null),
    ask: async () => {
      const { terminals } = await context.ask('terminals.list', { session_id: terminal.session_id });
      return terminals.find(({ id }) => id === terminal.id) ?? { ...terminal, status: 'lost' };
    },
    isOver: ({ status }) => status !== 'running',
  });

/** Whoever leaves a shell is told that its session does not end with it. */
const tellGoesOn = async (context: CommandContext, sessionId: string): Promise<void> => {
  const { status, name } = await context.ask('sessions.get', { session_id: sessionId });
  if (status !== 'running') return;
  context.print.note(`"${name}" goes on. Back to it: sandlot session attach ${sessionId}`);
  context.print.note(`To end it: sandlot session stop ${sessionId} keeps its files, sandlot session rm ${sessionId} removes them.`);
};

/** Opens a shell in the session and stays until it ends; answers its exit code, 1 when it was lost. */
export const attachTerminal = async (context: CommandContext, sessionId: string): Promise<number> => {
  const { stdin, stdout } = process;
  const terminal = await context.ask('terminals.open', { session_id: sessionId, title: 'command line', ...sizeOf(stdout) });
  const type = typeInto(context, terminal.id);
  const end = (): void => type(Buffer.from([4]));
  const resize = (): void => void context.ask('terminals.resize', { terminal_id: terminal.id, ...sizeOf(stdout) }).catch(() => undefined);
  const isRaw = stdin.isTTY === true;
  if (isRaw) stdin.setRawMode(true);
  stdin.on('data', type).on('end', end);
  stdout.on('resize', resize);
  try {
    const shown = followStream(context, terminal.stream_id, { onBytes: async (bytes) => await writeAll(stdout, bytes) });
    const [exited] = await Promise.all([watchExit(context, terminal), shown]);
    if (exited.status === 'lost') context.print.note('The terminal was lost: its session stopped or its runtime went away.');
    else if (isRaw) await tellGoesOn(context, sessionId);
    return exited.exit_code ?? 1;
  } finally {
    if (isRaw) stdin.setRawMode(false);
    stdin.off('data', type).off('end', end).pause();
    stdout.off('resize', resize);
    context.close();
  }
};
