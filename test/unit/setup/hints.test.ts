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
  ['out_of_memory', 'the kernel ended the sandbox', '', { exitCode: 137, oomKilled: true, isGone: true }],
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

// As they were printed by the tools themselves in a sandbox; one wording of each kind runs for real in the runtime test.
test.each([
  ['needs_bash', 'sh: 1: set: Illegal option -o pipefail', { exitCode: 2 }],
  ['needs_bash', 'sh: 1: source: not found', { exitCode: 127 }],
  [
    'crlf',
    '/usr/bin/env: ‘bash\\r’: No such file or directory\n/usr/bin/env: use -[v]S to pass options in shebang lines',
    { exitCode: 127 },
  ],
  ['crlf', "a.sh: line 1: cd: $'/tmp\\r': No such file or directory", {}],
  ['syntax_error', `${scriptPath}: line 1: \${a b}: bad substitution`, {}],
  ['needs_input', 'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nEOFError: EOF when reading a line', {}],
  ['needs_terminal', 'tput: No value for $TERM and no -T specified', { exitCode: 2 }],
  ['no_such_file', "ERROR: Could not open requirements file: [Errno 2] No such file or directory: 'requirements.txt'", {}],
  ['no_such_file', "python3: can't open file '/workspace/nope.py': [Errno 2] No such file or directory", { exitCode: 2 }],
  [
    'no_such_file',
    "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/workspace/package.json'",
    {},
  ],
  ['permission', "npm error Error: EACCES: permission denied, symlink 'a' -> '/usr/local/lib/node_modules/a'", { exitCode: 243 }],
  ['not_even_root', 'sysctl: permission denied on key "vm.max_map_count"', { failedCommand: 'sudo sysctl -w vm.max_map_count=1' }],
  ['not_even_root', 'tee: /proc/sys/vm/swappiness: Read-only file system', { failedCommand: 'echo 1 | sudo tee /proc/sys/vm/swappiness' }],
  ['command_not_found', 'sudo: locale-gen: command not found', {}],
  ['command_not_found', '/usr/bin/env: ‘ruby’: No such file or directory', { exitCode: 127 }],
  ['no_services', 'postgresql: unrecognized service', {}],
  ['crashed', `${scriptPath}: line 1:    16 Aborted                 python3 a.py`, { exitCode: 134 }],
  ['out_of_memory', 'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nMemoryError', {}],
  ['out_of_memory', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', { exitCode: 134 }],
  ['disk_full', `${scriptPath}: line 1: echo: write error: No space left on device`, {}],
  ['missing_module', "Can't locate JSON.pm in @INC (you may need to install the JSON module)", { exitCode: 2 }],
  ['missing_module', "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'leftish' imported from /tmp/a.mjs", {}],
  ['missing_module', '/usr/bin/python3: No module named leftish', {}],
  ['git_auth', "fatal: unable to access 'http://x.example.org/a.git/': The requested URL returned error: 403", { exitCode: 128 }],
  ['git_ref', "error: pathspec 'v9' did not match any file(s) known to git", {}],
  ['file_exists', "fatal: destination path 'q' already exists and is not an empty directory.", { exitCode: 128 }],
  ['egress_blocked', 'wget: unable to resolve host address ‘example.org’', { network: 'none', exitCode: 4 }],
  ['egress_blocked', '[cause]: Error: getaddrinfo EAI_AGAIN example.org', { network: 'none' }],
  // What a breaker met in real sandboxes.
  ['no_such_file', 'tar (child): /tmp/missing.tgz: Cannot open: No such file or directory\ntar: Child returned status 2', { exitCode: 2 }],
  ['no_such_file', 'unzip:  cannot find or open nofile.zip, nofile.zip.zip or nofile.zip.ZIP.', { exitCode: 9 }],
  ['no_such_file', `${scriptPath}: line 2: cd: f: Not a directory`, {}],
  ['no_such_file', '80:error:80000002:system library:file_open:No such file or directory:../a.c:268:calling stat(missing.pem)', {}],
  ['no_such_file', "Error: Cannot find module '/workspace/missing.js'", {}],
  ['no_such_file', "ERROR: Invalid requirement: './nodir'\nHint: It looks like a path. File './nodir' does not exist.", {}],
  ['missing_header', '/usr/bin/ld: cannot find -lz: No such file or directory\ncollect2: error: ld returned 1 exit status', {}],
  ['missing_header', 'Error: pg_config executable not found.', {}],
  ['missing_header', "Package 'libpq', required by 'virtual:world', not found", {}],
  ['pip_version', "ERROR: Invalid requirement: 'foo=1.0'\nHint: = is not a valid operator. Did you mean == ?", {}],
  ['program_syntax', 'Makefile:2: *** missing separator (did you mean TAB instead of 8 spaces?).  Stop.', { exitCode: 2 }],
  ['program_syntax', "sed: -e expression #1, char 5: unterminated `s' command", {}],
  ['program_syntax', 'awk: line 2: missing } near end of file', { exitCode: 2 }],
  ['program_syntax', 'syntax error at -e line 1, at EOF\nExecution of -e aborted due to compilation errors.', { exitCode: 255 }],
  ['program_syntax', 'a.c:1:11: error: expected declaration specifiers', {}],
  ['not_an_archive', '\ngzip: stdin: unexpected end of file\ntar: Unexpected EOF in archive', { exitCode: 2 }],
  ['not_an_archive', "dpkg-deb: error: 'a.deb' is not a Debian format archive", {}],
  ['not_an_archive', 'gpg: no valid OpenPGP data found.', { exitCode: 2 }],
  ['not_an_archive', "bash: line 1: syntax error near unexpected token `newline'\nbash: line 1: `<!DOCTYPE HTML>'", { exitCode: 2 }],
  ['architecture', 'dpkg: error processing archive a.deb (--install):\n package architecture (s390x) does not match system (amd64)', {}],
  ['apt_conflict', 'dpkg: error processing package leftish (--install):\n dependency problems - leaving unconfigured', {}],
  ['apt_conflict', "E: Version '9.9' for 'jq' was not found", { exitCode: 100 }],
  ['wrong_option', 'E: Invalid operation instal', { exitCode: 100 }],
  ['is_a_folder', "cp: -r not specified; omitting directory 'd'", {}],
  ['file_exists', "rmdir: failed to remove 'd': Directory not empty", {}],
  ['permission', 'Password: su: Authentication failure', { failedCommand: 'su - root -c true' }],
  [
    'not_even_root',
    `${scriptPath}: line 1: ulimit: open files: cannot modify limit: Operation not permitted`,
    { failedCommand: 'ulimit -n 9' },
  ],
  ['not_even_root', "rm: cannot remove '/etc/hosts': Device or resource busy", { failedCommand: 'sudo rm /etc/hosts' }],
  ['too_many_files', 'Error: ENOSPC: System limit for number of file watchers reached', {}],
  ['unbound_variable', 'Traceback:\n  File "<frozen os>", line 679, in __getitem__\nKeyError: \'API_TOKEN\'', {}],
  ['pipe_closed', 'BrokenPipeError: [Errno 32] Broken pipe', { failedCommand: 'python3 a.py | head -n 1' }],
  ['command_not_found', 'xargs: nosuch_cmd: No such file or directory', { exitCode: 127 }],
  ['command_not_found', "git: 'lfs' is not a git command. See 'git --help'.", {}],
  ['command_not_found', '/dev/fd/3: Zeile 2: nosuch_cmd: Kommando nicht gefunden.', { exitCode: 127 }],
  ['no_services', 'sudo: timedatectl: command not found', {}],
  ['syntax_error', `${scriptPath}: line 1: echo\u00a0hi: command not found`, { exitCode: 127, failedCommand: 'echo\u00a0hi' }],
  ['syntax_error', 'cat: “/etc/hostname”: No such file or directory', { failedCommand: 'cat “/etc/hostname”' }],
  ['syntax_error', `${scriptPath}: line 3: hi: command not found`, { exitCode: 127, failedCommand: '```bash\necho hi\n```' }],
  ['killed', 'Terminated', { exitCode: 143 }],
  ['command_timeout', 'Killed', { exitCode: 137, failedCommand: 'timeout --signal=KILL 1 sleep 30' }],
  ['http_error', '', { exitCode: 22, failedCommand: 'curl -sf http://127.0.0.1/nope -o x' }],
  ['http_error', '', { exitCode: 8, failedCommand: 'wget -q http://127.0.0.1/nope' }],
  ['permission', '', { exitCode: 23, failedCommand: 'curl -sSLo /usr/local/bin/f http://127.0.0.1/f' }],
  ['connection_refused', 'curl: (28) Operation timed out after 1020 milliseconds with 0 bytes received', { network: 'none', exitCode: 28 }],
  ['connection_refused', 'curl: (56) Recv failure: Connection reset by peer', { exitCode: 56 }],
  ['http_error', '2026-11-29 21:36:08 ERROR 404: File not found.', { exitCode: 8 }],
  ['certificate', 'ERROR: The certificate of ‘127.0.0.1’ is not trusted.', { exitCode: 5 }],
  ['checksum', 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.', {}],
  ['checksum', 'npm error code EINTEGRITY\nnpm error sha512-z4P integrity checksum failed when using sha512', {}],
  ['checksum', 'E: Failed to fetch file:/tmp/r/./leftish.deb  Hash Sum mismatch\nE: Unable to fetch some archives', { exitCode: 100 }],
  ['missing_compiler', "error: command 'x86_64-linux-gnu-gcc' failed: No such file or directory\nerror: legacy-install-failure", {}],
  ['make_target', 'make: *** No targets specified and no makefile found.  Stop.', { exitCode: 2 }],
  ['not_an_archive', 'gzip: stdin: not in gzip format\ntar: Child returned status 1', { exitCode: 2 }],
  ['not_an_archive', '  End-of-central-directory signature not found.  Either this file is not', { exitCode: 9 }],
] as const)('the words of a tool are known as %s: %s', (code, said, over) => {
  expect(codeOf(said, over)).toBe(code);
});

test.each([
  ['none', /recipe's apt packages: this environment has no network/],
  ['bridge', /apt-get update` before this line/],
] as const)('a package that apt does not know is had, with network %s, by what works there', (network, words) => {
  expect(hintFor(failed('E: Unable to locate package jqq', { network, exitCode: 100 }))?.nextAction).toMatch(words);
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
