// Commands that are not there, and what brings them.
import type { HintRule } from './hint-kinds.ts';
import type { Hint, HintInput } from './hints.ts';
import { alwaysThere, managerOf, packageOf } from './package-of.ts';

const noServices = {
  code: 'no_services',
  hint: 'Nothing manages services in a sandbox: there is no systemd.',
  nextAction: 'Start the program itself, in the script or as a session start command; what runs at the end of setup is ended.',
};

const notFound = (hint: string, nextAction: string): Hint => ({ code: 'command_not_found', hint, nextAction });

/** What a package alone would not mend. */
const special = new Map(
  Object.entries({
    ...{ systemctl: noServices, timedatectl: noServices, hostnamectl: noServices, journalctl: noServices, loginctl: noServices },
    docker: notFound(
      'There is no Docker inside of a sandbox.',
      'Install what its containers would bring (a database, a tool) with apt, or start it outside of the sandbox.',
    ),
    sudo: notFound(
      'The command "sudo" is not installed, so that nothing can be done as root here.',
      'Add "sudo" to the recipe\'s apt packages, or do this in the recipe, which is built as root.',
    ),
    $: notFound('The "$" in front of this command is the prompt of a terminal.', 'Leave it away: the command begins after it.'),
  }),
);

// Shells, sudo, env, make, tar and those that start other programs each say it in their own way.
const missing = [
  /(?:^|\n)(?:[^\n]*?: )?(?:line \d+: )?([^\s:]+): (?:command )?not found\b/,
  /(?:^|\n)\S*env: ['‘]([^'’\n]+)['’]: No such file or directory/,
  /(?:^|\n)make(?:\[\d+\])?: ([^\s:/]+): No such file or directory/,
  /: ([^\s:]+): Cannot exec: No such file or directory/,
  /(?:^|\n)\S+: line \d+: \/usr\/(?:local\/)?s?bin\/([^\s:/]+): No such file or directory/,
  /(?:^|\n)xargs: ([^\s:/]+): No such file or directory/,
  /(?:^|\n)\w+: failed to run command ['‘]([^'’\n/]+)['’]: No such file or directory/,
  /(?:^|\n)git: '(lfs)' is not a git command/,
];

/** Why it must be there before the script begins. */
const closed = ': this environment has no network to fetch it from.';

/** The line that bash says it in, in any language: the name stands after the number of the line. */
const inAnyLanguage = /(?:^|\n)\S+: \S+ \d+: ([^\s:/]+): [^\n]+/;

const named = (name: string, network: HintInput['network']): Hint => {
  const [needed, manager] = [packageOf.get(name), managerOf.get(name)];
  if (alwaysThere.has(name))
    return notFound(
      `The command "${name}" is in every sandbox, but the PATH does not lead to it any more.`,
      'Keep what is on the PATH when something is added to it: export PATH="/new/folder:$PATH"',
    );
  const isClosed = network === 'none';
  if (needed !== undefined)
    return notFound(
      `The command "${name}" is not installed; Debian's package is "${needed}".`,
      `Add "${needed}" to the recipe's apt packages${isClosed ? closed : `, or before this line: sudo apt-get update && sudo apt-get install -y ${needed}`}`,
    );
  const inRecipe = manager === undefined ? null : `dd "${name}" to the recipe's ${manager} packages`;
  const earlier = `Install what brings "${name}" earlier in the script, or ${inRecipe === null ? 'in the recipe' : `a${inRecipe}`}.`;
  const how = inRecipe === null ? `Install what brings "${name}" in the recipe${closed}` : `A${inRecipe}${closed}`;
  return notFound(`The command "${name}" is not installed, or not on the PATH.`, isClosed ? how : earlier);
};

/** What was no command at all, but text of another kind. */
const noCommand = (command: string, name: string | undefined): Hint | null => {
  if (/^[A-Za-z_]\w* = /.test(command) && command.startsWith(`${name} `))
    return notFound(`Bash took "${name}" for a command: a value is given without blanks around the "=".`, `Write it as ${name}=…`);
  const builtin = /^sudo (?:-\S+ )*(cd|source|\.|export|pushd|set|ulimit|umask|alias)\b/.exec(command)?.[1];
  return builtin === undefined || builtin !== name
    ? null
    : notFound(`"${builtin}" is part of the shell, which sudo cannot run.`, "Give sudo a shell that does it: sudo bash -c '…'");
};

/** A command that is not there, with the package that brings it when it is well known. */
export const commandNotFound: HintRule = ({ exitCode, stderrTail, failedCommand, network }) => {
  if (/System has not been booted with systemd|Failed to connect to bus|: unrecognized service/.test(stderrTail)) return noServices;
  const [plain, ...others] = missing.map((pattern) => pattern.exec(stderrTail)?.[1]);
  const isPlain = plain !== undefined && (exitCode === 127 || /command not found/.test(stderrTail));
  const said = isPlain ? plain : others.find((one) => one !== undefined);
  const name = said === 'lfs' ? 'git-lfs' : (said ?? (exitCode === 127 ? inAnyLanguage.exec(stderrTail)?.[1] : undefined));
  if (name === undefined) return null;
  return noCommand(failedCommand ?? '', name) ?? special.get(name) ?? named(name, network);
};
