// Reads which commands were typed in a session: the history that its shells write down after each command. It is a file of the sandbox's, so
// it may hold anything: it is read for a short time, up to a size, masked, and control characters are taken out.
// That each is written down at once, with its time, the holder of a terminal sees to (terminal-holder.ts).
// Source: bash(1), HISTFILE, HISTTIMEFORMAT (a line `#SECONDS` stands before each command), PROMPT_COMMAND.
import { stripVTControlCharacters } from 'node:util';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { readExec } from '../container/read-exec.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';
import type { TypedCommand } from '../contract/model.ts';

const mostBytes = 262_144;
const mostCommands = 500;
const longestCommand = 8_192;
const limitMs = 10_000;

const clean = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '')
    .trim();

/** The commands of a history file, the newest last; of commands that follow each other and are the same, one. Pure. */
export const readHistory = (text: string): TypedCommand[] => {
  const found: TypedCommand[] = [];
  const hasTimes = /^#\d{9,11}$/m.test(text);
  let at: string | null = null;
  let lines: string[] = [];
  const end = (): void => {
    const command = clean(lines.join('\n'));
    lines = [];
    if (command === '' || command.length > longestCommand) return;
    if (found.at(-1)?.command === command) found.pop();
    found.push({ at, command });
  };
  for (const line of text.split('\n')) {
    const stamp = /^#(\d{9,11})$/.exec(line);
    // Without times nobody can say which lines belong together.
    if (stamp !== null || !hasTimes) end();
    if (stamp === null) lines.push(line);
    else at = new Date(Number(stamp[1]) * 1_000).toISOString();
  }
  end();
  return found;
};

const script =
  'f=$(bash -lc "printf %s \\"\\${HISTFILE:-$HOME/.bash_history}\\"" </dev/null 2>/dev/null); tail -c "$1" -- "$f" 2>/dev/null';

/** What the shells of a session have written down. */
export const readTyped = async (
  runtime: ContainerRuntime,
  containerId: string,
  redactText: (text: string) => string,
): Promise<{ commands: TypedCommand[]; isCut: boolean }> => {
  const spec = { command: ['/bin/sh', '-c', script, 'sandlot-history', String(mostBytes)], user: sandboxUser, workdir: '/', stdin: false };
  const text = await readExec(runtime, containerId, spec, { signal: AbortSignal.timeout(limitMs), only: 'stdout', mostBytes });
  const bytes = Buffer.byteLength(text);
  const all = readHistory(bytes >= mostBytes ? text.slice(text.indexOf('\n') + 1) : text);
  const commands = all.slice(-mostCommands).map(({ at, command }) => ({ at, command: redactText(command) }));
  return { commands, isCut: bytes >= mostBytes || all.length > mostCommands };
};
