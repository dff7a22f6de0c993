// Advice that must be exact, and words that must bring no hint: a wrong one is worse than none.
import { expect, test } from 'vitest';
import { scriptPath } from '../../../sandbox-engine/setup/feeder.ts';
import { type HintInput, hintFor } from '../../../sandbox-engine/setup/hints.ts';

const failed = (stderrTail: string, over: Partial<HintInput> = {}): HintInput => ({
  ...{ exitCode: 1, stderrTail, failedCommand: 'tool --do', phase: 'setup', network: 'bridge' },
  ...{ oomKilled: false, timedOut: false, timeoutSeconds: 600 },
  ...over,
});
const codeOf = (stderrTail: string, over: Partial<HintInput> = {}): string | undefined => hintFor(failed(stderrTail, over))?.code;

test.each([
  ["a test's own words", 'AssertionError: No such file or directory expected', {}],
  [
    'a warning about the locale',
    `${scriptPath}: line 1: warning: setlocale: LC_ALL: cannot change locale (xx_XX.UTF-8): No such file or directory`,
    {},
  ],
  [
    'a warning of a program',
    'warning: SSL certificate problem: mirror skipped\nerror: config.toml has no [build] section',
    { exitCode: 4 },
  ],
  ['a trace', "+ : 'No space left on device'\n+ false", {}],
  ['a feature that is called so', 'Out of memory protection enabled', {}],
  ['signs in a text that is printed', 'config missing', { failedCommand: 'tool “a” – b' }],
  ['a download that was not asked for', '', { exitCode: 22, failedCommand: 'mycurl x' }],
] as const)('there is no hint from %s', (_, said, over) => {
  expect(codeOf(said, over)).toBe('unknown');
});

test('what stderr says is on stdout when the script sends it there, and only then', () => {
  const stdoutTail = 'cat: /nope: No such file or directory';
  expect(codeOf('', { stdoutTail })).toBe('no_such_file');
  expect(codeOf('sudo: unable to resolve host a', { stdoutTail })).toBe('no_such_file');
  expect(codeOf('error: no such profile', { stdoutTail })).toBe('unknown');
});

test.each([
  [['no_rule'], 'egress_blocked', 'The network policy blocked no_rule.example:443 while this line ran.', /Add a rule/],
  [
    ['no_rule', 'special_address'],
    'egress_blocked',
    'The network policy blocked no_rule.example:443 while this line ran. No rule can open special_address.example:443: it leads to a reserved address.',
    /Add a rule/,
  ],
  [
    ['special_address'],
    'egress_blocked',
    'This line tried special_address.example:443, which leads to a reserved address: no rule can open that.',
    /inside the sandbox.*"allow_private": true/,
  ],
  [['resolve_failed'], 'dns', 'This line tried resolve_failed.example:443, a name that could not be looked up.', /spelling/],
  [['upstream_failed'], 'connection_refused', 'A server did not answer.', /address/],
] as const)('what was seen on the network decides the advice: %j', (reasons, code, hint, nextAction) => {
  const blocked = reasons.map((reason) => ({ host: `${reason}.example`, port: 443, reason }));
  expect(hintFor(failed('curl: (7) Failed to connect', { blocked }))).toMatchObject({
    ...{ code, hint, nextAction: expect.stringMatching(nextAction) },
  });
});

test('lists that an earlier line could not fetch are why apt misses a package', () => {
  const runTail =
    "W: Failed to fetch http://a.example.org/x  Temporary failure resolving 'a.example.org'\nW: Some index files failed to download.";
  const missing = 'E: Unable to locate package leftish';
  expect(codeOf(missing, { runTail: `${runTail}\n${missing}`, network: 'none' })).toBe('egress_blocked');
  expect(codeOf(missing, { runTail: missing, network: 'none' })).toBe('apt_update_first');
});

test.each([
  ['cd', 'sudo: cd: command not found', 'sudo cd /root', /bash -c/],
  ['ls', `${scriptPath}: line 2: ls: command not found`, 'ls', /\$PATH/],
  ['A', `${scriptPath}: line 1: A: command not found`, 'A = 1', /A=…/],
  ['$', `${scriptPath}: line 1: $: command not found`, '$ sudo apt-get update', /Leave it away/],
  ['uv', `${scriptPath}: line 1: uv: command not found`, 'uv sync', /pip packages/],
  ['mvn', `${scriptPath}: line 1: mvn: command not found`, 'mvn -v', /: sudo apt-get update && sudo apt-get install -y maven$/],
])('the command "%s" that is not found brings its own advice', (_, said, failedCommand, words) => {
  const hint = hintFor(failed(said, { exitCode: 127, failedCommand }));
  expect([hint?.code, hint?.nextAction]).toEqual(['command_not_found', expect.stringMatching(words)]);
});

test.each([
  ['curl', 'Add "curl" to the recipe\'s apt packages: this environment has no network to fetch it from.'],
  ['uv', 'Add "uv" to the recipe\'s pip packages: this environment has no network to fetch it from.'],
  ['mytool', 'Install what brings "mytool" in the recipe: this environment has no network to fetch it from.'],
])('without a network nothing is advised that would fetch "%s"', (name, expected) => {
  const hint = hintFor(
    failed(`${scriptPath}: line 1: ${name}: command not found`, { exitCode: 127, failedCommand: name, network: 'none' }),
  );
  expect(hint?.nextAction).toBe(expected);
});

test.each([
  ["ModuleNotFoundError: No module named 'yaml'", /pip install PyYAML/],
  ["ModuleNotFoundError: No module named 'tkinter'", /-y python3-tk/],
  ["Error: Cannot find module 'express'", /npm install express/],
  ["Can't locate JSON/XS.pm in @INC", /libjson-xs-perl/],
  ['mkdir: cannot create directory ‘/workspace/a/b’: No such file or directory', /mkdir -p/],
  ['curl: (22) The requested URL returned error: 503', /try again later/],
  ['curl: (22) The requested URL returned error: 429', /too often/],
  ["rm: cannot remove 'd': Is a directory", /`-r`/],
])('the next action fits: %s', (said, words) => {
  expect(hintFor(failed(said))?.nextAction).toMatch(words);
});
