// Each hint comes from a script that really fails in a sandbox without a network; what cannot be provoked offline prints the tool's words.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentWith, openSetupHouse, testRuntimes } from './support/setup-house.ts';

const said = (text: string, code = 1): string => `cat >&2 <<'EOF'\n${text}\nEOF\n(exit ${code})`;

const rows: [string, string, RegExp?][] = [
  ['command_not_found', 'jq --version', /apt-get install -y jq/],
  ['command_not_found', 'nosuchcommand_q', /nosuchcommand_q/],
  ['permission', 'echo x > /etc/x', /sudo/],
  ['permission', 'mkdir /opt/tool', /sudo mkdir \/opt\/tool/],
  ['egress_blocked', 'git ls-remote https://example.org/a.git', /example\.org/],
  ['egress_blocked', 'perl -MSocket -e \'inet_aton("example.org") or die "Could not resolve host: example.org\\n"\'', /Allow example\.org/],
  ['egress_blocked', 'sudo apt-get update -o Acquire::Retries=0 -o APT::Update::Error-Mode=any'],
  ['externally_managed_python', said('error: externally-managed-environment'), /\.venv/],
  ['apt_update_first', 'sudo apt-get install -y nosuchpackage-q', /nosuchpackage-q/],
  ['apt_locked', said('E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 9 (apt-get)', 100)],
  ['unsigned_repository', said("W: GPG error: The repository 'http://x stable Release' is not signed.", 100)],
  ['clock', said('E: Release file for http://x is not valid yet (invalid for another 3h).', 100)],
  ['apt_fetch', said('E: Unable to fetch some archives, maybe run apt-get update', 100)],
  ['out_of_memory', said('virtual memory exhausted: Cannot allocate memory')],
  ['killed', '(exit 137)'],
  ['disk_full', 'echo x > /dev/full'],
  ['syntax_error', 'echo a\nif true; then\n  echo )\nfi', /line 3/],
  ['pipe_closed', 'seq 1 200000 | head -n 1'],
  ['not_executable', 'echo x > /tmp/plain; /tmp/plain', /chmod/],
  ['unbound_variable', 'set -u\necho $NOT_SET_Q', /\$\{NOT_SET_Q:-value\}/],
  ['no_such_file', 'cat /workspace/nope.txt', /nope\.txt/],
  ['needs_input', 'read -r answer'],
  ['missing_interpreter', "printf '#!/bin/bash\\r\\necho hi\\r\\n' > /tmp/w.sh; chmod +x /tmp/w.sh; /tmp/w.sh"],
  ['crlf', said("a.sh: line 2: $'\\r': command not found", 127)],
  [
    'architecture',
    "printf '\\177ELF\\002\\001\\001xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' > /tmp/e; chmod +x /tmp/e; /tmp/e",
  ],
  ['git_ownership', 'sudo git init -q /tmp/theirs; git -C /tmp/theirs status', /chown/],
  ['git_auth', said("fatal: could not read Username for 'https://x.test': terminal prompts disabled", 128)],
  ['git_unknown_host', said('Host key verification failed.', 255)],
  ['certificate', said('curl: (60) SSL certificate problem: unable to get local issuer certificate', 60)],
  ['pip_version', said('ERROR: No matching distribution found for ruff==99')],
  ['npm_version', said('npm error code ETARGET')],
  [
    'port_in_use',
    'perl -MIO::Socket::INET -e \'$a=IO::Socket::INET->new(Listen=>1,LocalPort=>8123); IO::Socket::INET->new(Listen=>1,LocalPort=>8123) or die "bind: $!\\n"\'',
  ],
  ['wrong_libc', said("tool: /lib/libc.so.6: version `GLIBC_2.99' not found (required by tool)")],
  ['missing_header', said('x.c:1:10: fatal error: zlib.h: No such file or directory'), /zlib\.h/],
  ['missing_compiler', said("error: command 'gcc' failed: No such file or directory")],
  ['missing_module', said("ModuleNotFoundError: No module named 'requests'"), /requests/],
  ['missing_shared_library', said('x: error while loading shared libraries: libq.so.1: cannot open shared object file', 127), /libq/],
  ['checksum', 'echo "abc" > /tmp/c; echo "0000000000000000000000000000000000000000000000000000000000000000  /tmp/c" | sha256sum -c -'],
  ['unknown', '(exit 17)', /does not know/],
];

const [runtime] = testRuntimes;

describe.skipIf(runtime === undefined)('hints', () => {
  let house: Awaited<ReturnType<typeof openSetupHouse>>;
  beforeAll(async () => {
    house = await openSetupHouse();
  });
  afterAll(() => house.close());

  test.each(rows)('%s: %s', async (code, script, words) => {
    const run = await house.runToEnd(environmentWith(script, { runtime: runtime?.kind ?? 'docker' }));
    expect(run.hint_code, run.stderr_tail).toBe(code);
    expect(`${run.hint} ${run.next_action}`).toMatch(words ?? /./);
    expect(run.failure_code).toBe(code === 'egress_blocked' ? 'egress_blocked' : 'environment_setup_failed');
  });
});
