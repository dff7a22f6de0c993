// Hints from the words of tools that cannot be run in a test's sandbox, and what must bring no hint, or another one.
// Each kind from a script that really fails: test/runtime/setup-hints.test.ts.
import { expect, test } from 'vitest';
import { scriptPath } from '../../../sandbox-engine/setup/feeder.ts';
import { type HintInput, hintFor } from '../../../sandbox-engine/setup/hints.ts';

const failed = (stderrTail: string, over: Partial<HintInput> = {}): HintInput => ({
  ...{ exitCode: 1, stderrTail, failedCommand: 'tool --do', phase: 'setup', network: 'bridge' },
  ...{ oomKilled: false, timedOut: false, timeoutSeconds: 600 },
  ...over,
});
const codeOf = (stderrTail: string, over: Partial<HintInput> = {}): string | undefined => hintFor(failed(stderrTail, over))?.code;

test('nothing is advised where nothing failed', () => {
  expect(hintFor(failed('warning: No space left on device', { exitCode: 0 }))).toBeNull();
});

test.each([
  ['dns', 'dial tcp: lookup proxy.example.org on 10.0.0.1:53: no such host', /proxy\.example\.org/],
  ['dns', "[6] Couldn't resolve host name (Could not resolve host: index.example.org)", /index\.example\.org/],
  ['dns', "Err:1 http://mirror.example.org x InRelease\n  Could not resolve 'mirror.example.org'", /mirror\.example\.org/],
  ['certificate', 'tls: failed to verify certificate: x509: certificate signed by unknown authority', /ca-certificates/],
  ['certificate', 'sun.security.validator.ValidatorException: PKIX path building failed', /ca-certificates/],
  ['certificate', 'curl: (77) error setting certificate verify locations:  CAfile: /etc/ssl/certs/ca-certificates.crt', /ca-certificates/],
  ['expired', "Error: certificate has expired\n  code: 'CERT_HAS_EXPIRED'", /clock/],
  ['clock', 'ERROR: The certificate of ‘x.example.org’ is not yet activated.', /clock/],
  ['git_not_found', 'ERROR: Repository not found.\nfatal: Could not read from remote repository.', /private/],
  ['needs_terminal', 'the input device is not a TTY', /-it/],
  ['no_services', 'System has not been booted with systemd as init system (PID 1).', /no systemd/],
  ['missing_compiler', 'error: linker `cc` not found', /build-essential/],
  ['missing_compiler', 'configure: error: no acceptable C compiler found in $PATH', /build-essential/],
  ['checksum', 'SHA256 checksum mismatch: expected 12, got 34', /Download it again/],
  ['npm_lock', '`npm ci` can only install packages when your package.json and package-lock.json are in sync.', /agree/],
  ['npm_version', 'npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for a@9.', /ETARGET/],
  ['file_exists', "useradd: user 'sandbox' already exists", /mkdir -p/],
  ['program_syntax', '  File "a.py", line 2\nIndentationError: unexpected indent', /unexpected indent/],
])('the hint is %s: %s', (code, said, words) => {
  const hint = hintFor(failed(said));
  expect(hint?.code).toBe(code);
  expect(`${hint?.hint} ${hint?.nextAction}`).toMatch(words);
});

test.each([
  ['npm_conflict', 'what npm "could not resolve" is no name', 'npm error code ERESOLVE\nnpm error Could not resolve dependency:', {}],
  ['connection_refused', 'only the sandbox itself refuses', 'connect ECONNREFUSED 127.0.0.1:5432', { network: 'none' }],
  ['connection_refused', 'localhost is not outside', 'curl: (7) Failed to connect to localhost port 9', { network: 'none' }],
  ['egress_blocked', 'another address is outside', 'curl: (7) Failed to connect to 192.0.2.1 port 80', { network: 'none' }],
  ['connection_refused', 'with a network nothing is closed', 'curl: (7) Failed to connect to 192.0.2.1 port 80', {}],
  [
    'pip_version',
    'pip was told not to look outside',
    'No matching distribution found for a (from versions: none)',
    {
      network: 'none',
      failedCommand: 'pip install --no-index a',
    },
  ],
  ['unknown', 'arithmetic broke, and did not answer "no"', `${scriptPath}: line 1: ((: 1/0: division by 0`, { failedCommand: '((1/0))' }],
  ['unknown', 'grep itself broke', '', { exitCode: 2, failedCommand: 'grep a b' }],
  [
    'answered_no',
    'what an earlier line said does not count',
    "mkdir: cannot create directory '/a': File exists",
    {
      failedCommand: 'grep -q a b',
    },
  ],
  ['crashed', 'a bus error', '', { exitCode: 135 }],
  ['out_of_memory', 'the kernel says it', '', { exitCode: 137, oomKilled: true }],
  ['unknown', 'a name that every object has', 'no words', { exitCode: 127 }],
  ['command_not_found', 'a name that every object has', 'sh: 1: constructor: not found', { exitCode: 127 }],
  ['not_even_root', 'root was refused', 'mount: /mnt: permission denied.', { failedCommand: 'sudo mount -t tmpfs x /mnt' }],
  ['permission', 'another user was refused', "touch: '/x': Permission denied", { failedCommand: 'sudo -u postgres touch /x' }],
  ['command_timeout', "the command's own limit", '', { exitCode: 124, failedCommand: 'timeout 5 sleep 9' }],
  ['timeout', "the run's limit", '', { exitCode: 124, timedOut: true }],
  [
    'unknown',
    "sudo's complaint without a network is no reason",
    'sudo: unable to resolve host a: Temporary failure in name resolution',
    {
      network: 'none',
    },
  ],
] as const)('%s, since %s', (code, _, said, over) => {
  expect(codeOf(said, over)).toBe(code);
});

test.each([
  ['mkdir /opt/a', '', 'Use sudo: sudo mkdir /opt/a'],
  ['echo a > /etc/b', `${scriptPath}: line 3: /etc/b: Permission denied`, '`| sudo tee /etc/b`'],
  ['cd /root', `${scriptPath}: line 3: cd: /root: Permission denied`, 'cannot be run with sudo'],
  ['echo a | tee /etc/b', 'tee: /etc/b: Permission denied', 'before the one command'],
  ['for a in b; do\n  touch /etc/$a\ndone', '', 'before the one command'],
])('who may not run %j is told what helps', (failedCommand, said, words) => {
  expect(hintFor(failed(`${said}\na: Permission denied`, { failedCommand }))?.nextAction).toContain(words);
});

test('an unreadable file is told apart from the script', () => {
  const said = 'line 4: syntax error: unexpected end of file';
  expect(hintFor(failed(`${scriptPath}: ${said}`))?.hint).toBe(
    'Bash cannot read the script: syntax error: unexpected end of file (line 4).',
  );
  expect(hintFor(failed(`a.sh: ${said}`))?.hint).toBe('Bash cannot read a.sh: syntax error: unexpected end of file (line 4).');
});
