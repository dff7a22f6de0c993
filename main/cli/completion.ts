// Completion scripts, made from the commands themselves.
import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export interface CommandWords {
  /** `session launch` */
  words: string;
  does: string;
  options: string[];
  below: string[];
}

/** Every command with its full words, parents first. */
export const listCommands = (command: Command, above = ''): CommandWords[] =>
  command.commands.flatMap((child) => {
    const words = `${above}${child.name()}`;
    const options = child.options.flatMap(({ long }) => (long == null ? [] : [long]));
    return [
      { words, does: child.description(), options, below: child.commands.map((one) => one.name()) },
      ...listCommands(child, `${words} `),
    ];
  });

const bash = (program: Command): string => {
  const cases = listCommands(program).map(
    ({ words, options, below }) => `    "${words}") words="${[...below, ...options, '--help'].join(' ')}" ;;`,
  );
  return `_sandlot() {
  local word path="" words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; esac
    path="\${path:+$path }$word"
    case "$path" in ${listCommands(program)
      .map(({ words }) => `"${words}"`)
      .join('|')}) ;; *) path="\${path% *}"; break ;; esac
  done
  case "$path" in
${cases.join('\n')}
    *) words="${program.commands.map((one) => one.name()).join(' ')} --help --version" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sandlot sandlot
`;
};

const zsh = (program: Command): string => `#compdef sandlot\nautoload -U +X bashcompinit && bashcompinit\n${bash(program)}`;

const quote = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

const fish = (program: Command): string =>
  listCommands(program)
    .map(({ words, does, options }) => {
      const parts = words.split(' ');
      const name = parts.at(-1) ?? '';
      const parent = parts.slice(0, -1).join(' ');
      const when = parent === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${parent}`;
      const flags = options.map((option) => `complete -c sandlot -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`);
      return [`complete -c sandlot -f -n '${when}' -a ${name} -d ${quote(does)}`, ...flags].join('\n');
    })
    .join('\n')
    .concat('\n');

/** The script that a shell reads. */
export const completionScript = (program: Command, shell: Shell): string => ({ bash, zsh, fish })[shell](program);
