// Finds lines of a setup script that tend to go wrong, each with a reason and, where there is one right way, the line rewritten.
// Works on parsed commands, so comments, quoted text and here-documents raise nothing.
import type { SetupWarning } from '../contract/model.ts';
import { joinLines } from './instrument.ts';
import type { ParsedScript, ScriptCommand } from './parse-script.ts';

interface Finding {
  code: string;
  reason: string;
  /** Rewrites the command's text; null when there is no one right way. */
  fix?: (text: string) => string;
}

type Rule = (words: string[], command: ScriptCommand) => Finding | null;

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ash']);

/** The words after sudo, env and assignments: what really runs. */
const running = (words: string[]): string[] => {
  let at = 0;
  while (at < words.length && (/^[A-Za-z_]\w*=/.test(words[at] ?? '') || /^(?:sudo|env|command|exec|-E|-H|-n)$/.test(words[at] ?? '')))
    at += 1;
  return words.slice(at);
};

const nameOf = (word = ''): string => word.slice(word.lastIndexOf('/') + 1);

const isDownloader = (words: string[]): boolean => ['curl', 'wget'].includes(nameOf(running(words)[0]));

const operands = (words: string[]): string[] => words.filter((word) => !word.startsWith('-'));

const isVariable = (word: string): boolean => /[$`*]/.test(word);

const pipeToShell: Rule = (_, { stages }) => {
  const last = running(stages.at(-1) ?? []);
  if (stages.length < 2 || !stages.slice(0, -1).some(isDownloader) || !shells.has(nameOf(last[0]))) return null;
  return {
    code: 'pipe_to_shell',
    reason: 'A script from the network runs unread, and half of it when the connection breaks. Download it, check it, then run it.',
  };
};

const substitutedScript: Rule = (words) =>
  shells.has(nameOf(running(words)[0])) && words.some((word) => /(?:<\(|\$\()\s*(?:curl|wget)\b/.test(word))
    ? { code: 'pipe_to_shell', reason: 'A script from the network runs unread. Download it, check it, then run it.' }
    : null;

const loginWrapper: Rule = (words) => {
  const [shell, flags] = words;
  if (nameOf(shell) !== 'bash' || flags === undefined || !/^-[a-z]*c$/.test(flags) || !flags.includes('l')) return null;
  const body = words.length === 3 ? /^'([^'\n]*)'$/.exec(words[2] ?? '')?.[1] : undefined;
  const finding = {
    code: 'login_wrapper',
    reason: 'The script already runs in a bash login shell; inside a wrapper its lines and failures are hidden.',
  };
  return body === undefined ? finding : { ...finding, fix: () => body };
};

const notCarried: Rule = (words, { depth }) => {
  const word = words[0] ?? '';
  if (depth > 0 || !['export', 'source', '.', 'alias'].includes(word) || words.length < 2) return null;
  const reasons: Record<string, string> = {
    export: 'The variable ends with this script: sessions do not see it. Put it into the environment variables or the recipe.',
    alias: 'An alias ends with this script, and bash scripts do not expand it. Put a small program into ~/.local/bin instead.',
  };
  return { code: 'not_carried_over', reason: reasons[word] ?? 'What this file sets ends with this script: sessions do not see it.' };
};

const aptRule: Rule = (words, { stages }) => {
  const real = running(words);
  const tool = nameOf(real[0]);
  const verb = real.slice(1).find((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'));
  if (!['apt', 'apt-get'].includes(tool) || verb === undefined) return null;
  if (!['install', 'update', 'upgrade', 'dist-upgrade', 'full-upgrade', 'remove', 'purge', 'autoremove'].includes(verb)) return null;
  const lacksSudo = !words.includes('sudo');
  const lacksYes = verb !== 'update' && !/(^|\s)(-[a-z]*y[a-z]*|--yes|--assume-yes|-qq)(\s|$)/.test(real.join(' ')) && stages.length === 1;
  if (!lacksSudo && !lacksYes) return null;
  const lacks = [lacksSudo ? '`sudo`' : '', lacksYes ? '`-y`' : ''].filter((one) => one !== '').join(' and ');
  return {
    code: lacksSudo ? 'apt_without_sudo' : 'apt_without_yes',
    reason: `This needs ${lacks}: the script runs as the sandbox user, and nobody is there to answer a question.`,
    fix: (text) => {
      const withYes = lacksYes ? text.replace(new RegExp(`(${tool}\\b[^;&|]*?\\b${verb})\\b`), '$1 -y') : text;
      return lacksSudo ? withYes.replace(new RegExp(`(?<![\\w/-])${tool}\\b`), `sudo ${tool}`) : withYes;
    },
  };
};

const unpinned = (what: string, how: string): Finding => ({
  code: 'unpinned_install',
  reason: `${what} has no version: a later run may install something else. Write ${how}.`,
});

const pythonTools = new Set(['pip', 'pip3', 'uv', 'python', 'python3', 'pipx']);

const pipArguments = (real: string[]): string[] | null => {
  const at = real.indexOf('install');
  if (at < 0 || at > 4) return null;
  const before = real.slice(0, at);
  const isPip = before.some((word) => /^pip3?$/.test(nameOf(word)));
  return isPip ? real.slice(at + 1) : null;
};

/** Words of `pip install` that name packages: no options, no files of requirements, no paths. */
const pipPackages = (given: string[]): string[] =>
  given
    .filter(
      (word, at) =>
        !word.startsWith('-') &&
        !/^-(?:r|c|e|t|i)$|^--(?:requirement|constraint|editable|target|index-url|extra-index-url|prefix|root|python)$/.test(
          given[at - 1] ?? '',
        ),
    )
    .filter((word) => !/^["']?[./]|:\/\//.test(word) && !isVariable(word));

const pipRule: Rule = (words) => {
  const real = running(words);
  if (!pythonTools.has(nameOf(real[0])) && !real[0]?.includes('/bin/pip') && !real[0]?.includes('/bin/python')) return null;
  const given = pipArguments(real);
  if (given === null) return null;
  const loose = pipPackages(given).find((word) => !/[=<>~@]/.test(word));
  return loose === undefined ? null : unpinned(`"${loose}"`, `${loose}==VERSION`);
};

const outsideVenv: Rule = (words) => {
  const real = running(words);
  const given = pythonTools.has(nameOf(real[0])) ? pipArguments(real) : null;
  if (given === null || given.some((word) => /^--(?:target|prefix|root|python)|^-t$/.test(word))) return null;
  if (real[0]?.includes('/.venv/')) return null;
  return {
    code: 'python_outside_venv',
    reason:
      'Python packages belong into /workspace/.venv, which sessions select by themselves; Debian refuses to install into its own Python.',
    fix: (text) => text.replace(/(?:sudo\s+)?(?:python3? -m )?\bpip3? install/, '/workspace/.venv/bin/pip install'),
  };
};

const otherManagers: Rule = (words) => {
  const real = running(words);
  const [tool, verb, ...rest] = real;
  const named = operands(rest).filter((word) => !isVariable(word) && !/^["']?[./]/.test(word));
  const loose = named.find((word) => !/.@|==|[=:]/.test(word));
  const has = (flag: RegExp): boolean => rest.some((word) => flag.test(word));
  if (tool === 'npm' && ['install', 'i', 'add'].includes(verb ?? '') && loose !== undefined)
    return unpinned(`"${loose}"`, `${loose}@VERSION`);
  if (tool === 'cargo' && verb === 'install' && loose !== undefined && !has(/^--(?:version|vers|path|git|locked)/))
    return unpinned(`"${loose}"`, `${loose}@VERSION or --version`);
  if (tool === 'gem' && verb === 'install' && loose !== undefined && !has(/^(?:-v|--version)/)) return unpinned(`"${loose}"`, '-v VERSION');
  if (tool !== 'go' || verb !== 'install') return null;
  const floating = named.find((word) => word.endsWith('@latest') || !word.includes('@'));
  return floating === undefined ? null : unpinned(`"${floating}"`, `${floating.replace(/@latest$/, '')}@VERSION`);
};

const download: Rule = (words, { stages }) => {
  const real = running(words);
  if (!isDownloader(words) || stages.length > 1) return null;
  const keepsFile = nameOf(real[0]) === 'wget' || real.some((word) => /^-[a-zA-Z]*[oO]$|^--(?:output|remote-name)/.test(word));
  if (!keepsFile || real.some((word) => /^(?:-O-|\/dev\/null|-qO-)$/.test(word))) return null;
  return {
    code: 'download_without_checksum',
    reason: 'Nothing checks what was downloaded. Follow it with: echo "SHA256  FILE" | sha256sum -c -',
  };
};

const rules: Rule[] = [pipeToShell, substitutedScript, loginWrapper, notCarried, aptRule, pipRule, outsideVenv, otherManagers, download];

const checksums = /\b(?:sha(?:1|224|256|384|512)sum|md5sum|b2sum|gpg|cosign|minisign|openssl)\b/;

/** Warnings about a script, in the order of its lines. */
export const warnAbout = (script: string, { commands, groups }: ParsedScript): SetupWarning[] => {
  const lines = script.split('\n');
  const isChecked = commands.some(({ stages }) => stages.some((words) => checksums.test(running(words)[0] ?? '')));
  const warn = (command: ScriptCommand, { code, reason, fix }: Finding): SetupWarning => {
    const source = script.slice(command.start, command.end);
    const line = lines[command.line - 1] ?? '';
    const isWhole = fix !== undefined && command.line === command.lastLine && line.includes(source);
    const fixed = isWhole ? line.replace(source, () => fix(source)) : null;
    return { code, line: command.line, text: joinLines(source).slice(0, 400), reason, fix: fixed === line ? null : fixed };
  };
  const found = commands.flatMap((command) =>
    command.stages.length === 0
      ? []
      : rules.flatMap((rule) => {
          const finding = rule(command.words, command);
          return finding === null || (finding.code === 'download_without_checksum' && isChecked) ? [] : [warn(command, finding)];
        }),
  );
  const functions = groups.flatMap(({ start, line }) => {
    const named = /^(?:function\s+([\w.:-]+)|([\w.:-]+)\s*\(\s*\))/.exec(script.slice(start, start + 200));
    if (named === null) return [];
    const reason = 'A function ends with this script: sessions do not see it. Used here only, it is fine.';
    const name = named[1] ?? named[2] ?? '';
    const isUsed = commands.some(({ stages }) => stages.some((words) => words[0] === name));
    return isUsed ? [] : [{ code: 'not_carried_over', line, text: (named[0] ?? '').trim(), reason, fix: null }];
  });
  return [...found, ...functions].sort((a, b) => a.line - b.line);
};
