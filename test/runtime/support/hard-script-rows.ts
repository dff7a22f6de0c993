// Scripts that try to make the line, the code, the markers or the output wrong, with what must come of them.
import type { ScriptRow } from './script-rows.ts';

const lines = (...text: string[]): string => text.join('\n');

export const hardScriptRows: [string, ScriptRow][] = [
  [
    'an empty array under set -u',
    { script: lines('set -u', 'a=() b+=()', 'echo "${a[@]}" "$nope"'), code: 1, line: 3, markers: [1, 2, 3] },
  ],
  [
    'a here-document with tabs in a function',
    {
      script: 'f() {\n\tcat <<-E\n\thello\n\tE\n\tgrep -q zzz <<-E\n\tfalse\n\tE\n}\nf',
      code: 1,
      line: 5,
      command: 'grep -q zzz <<-E',
      out: 'hello\n',
    },
  ],
  [
    'a sourced substitution',
    { script: "source <(echo 'echo from; false')", code: 1, line: 1, command: "source <(echo 'echo from; false')", out: 'from\n' },
  ],
  [
    'a cleanup that fails as the script did',
    { script: lines('cleanup() {', '  set +e', '  false', '}', 'trap cleanup EXIT', 'test a = b', 'echo never'), code: 1, line: 6 },
  ],
  [
    'a cleanup that fails after a function did',
    { script: lines('c() { set +e; false; }; trap c EXIT', 'f() {', '  true', '  false', '}', 'f'), code: 1, line: 4 },
  ],
  [
    '$_ is the one of the script after a failure too',
    { script: lines('set +e', 'false a_b', 'echo "$_ $?"', 'f() { false q; echo "$_"; }', 'f'), out: 'a_b 1\nq\n' },
  ],
  ['set -v prints nothing of ours', { script: lines('set -euo pipefail -v', 'false'), code: 1, line: 2, err: /^false\n$/ }],
  [
    'a trace elsewhere holds nothing of ours',
    {
      script: lines('exec 7>/tmp/trace', 'BASH_XTRACEFD=7', 'set +e -x', 'false', 'exec 7>&-', 'set +x 2>/dev/null', 'cat /tmp/trace'),
      out: '+ false\n+ exec\n',
    },
  ],
  ['printf of the script is not called by us', { script: lines('printf() { exit 99; }', 'set +e', 'false', 'echo on'), out: 'on\n' }],
  [
    'builtin of the script is not called by us',
    { script: lines('builtin() { echo "B $*"; command builtin "$@"; }', 'set +e', 'false', 'echo "$_"'), out: 'false\n' },
  ],
  [
    'a comment that says trap, shopt and set -E costs no precision',
    { script: lines('# trap, shopt and set -E', 'f() {', '  true', '  ls /nope', '}', 'f'), code: 2, line: 4 },
  ],
  [
    'names and words beyond ASCII',
    {
      script: lines('größe() {', '  echo é', '  test "ü ü" = "ä %41"', '}', 'größe'),
      code: 1,
      line: 3,
      command: 'test "ü ü" = "ä %41"',
      out: 'é\n',
    },
  ],
  [
    'noise of a job while a long failure is told',
    {
      script: lines(
        '(while :; do echo noise >&2; done) & j=$!',
        'f() {',
        '  true',
        `  ls /nope ${'"x y" '.repeat(1400)}`,
        '}',
        '(sleep 0.2; kill $j) &',
        'f',
      ),
      code: 2,
      line: 4,
      err: /^[^%\0]*$/,
    },
  ],
  ['pkill sleep ends the sleeps of the script only', { script: lines('sleep 50 &', 'pkill sleep || true', 'echo on'), out: 'on\n' }],
  ['a script that kills all it may', { script: lines('echo a', 'kill -9 -1', 'echo never'), code: 137, line: 2 }],
  ['the container outlives that', { script: 'echo on', out: 'on\n' }],
  [
    'a child that makes the outputs non-blocking',
    {
      script: lines(
        'perl -e \'use Fcntl; fcntl($_, F_SETFL, O_NONBLOCK | fcntl($_, F_GETFL, 0)) for *STDOUT, *STDERR; syswrite STDERR, "y" x 60000 for 1..200\' &',
        'true',
        'wait',
        'false',
      ),
      code: 1,
      line: 4,
      markers: [1, 2, 3, 4],
      out: '',
    },
  ],
  [
    'descriptors 3 to 9 are the script’s',
    {
      script: lines(
        'exec 3>/tmp/three 4</etc/hostname 5>&1 6>&2 7<>/tmp/seven 8>/tmp/eight 9>/tmp/nine',
        'echo three >&3; echo five >&5',
        'exec 3>&- 4<&- 7<&- 8>&- 9>&-',
        'cat /tmp/three >&6',
        'false',
      ),
      code: 1,
      line: 5,
      out: 'five\n',
      err: /^three\n$/,
    },
  ],
  ['outputs that the script closes', { script: lines('exec 1>&- 2>&-', 'true', 'ls /nope'), code: 2, line: 3, out: '', err: /^$/ }],
  ['output into a file', { script: lines('exec >/tmp/kept', 'echo hidden', 'ls /nope'), code: 2, line: 3, out: '' }],
  [
    'what looks like a frame of ours is output',
    {
      script: lines("printf '\\0M5\\n\\0E0\\n'", "printf '\\0M1\\n' >/proc/self/fd/1", 'false'),
      code: 1,
      line: 3,
      out: '\0M5\n\0E0\n\0M1\n',
      markers: [1, 2, 3],
    },
  ],
  [
    'a coprocess',
    {
      script: lines('coproc C { cat; }', 'echo hi >&"${C[1]}"', 'read -r l <&"${C[0]}"', 'echo "$l"', 'false'),
      code: 1,
      line: 5,
      out: 'hi\n',
    },
  ],
  [
    'select at the end of input',
    { script: lines('select x in a b; do', '  echo "$x"', 'done', 'echo on'), out: '\non\n', markers: [1, 4] },
  ],
  ['a code above 255', { script: lines('echo a', 'exit 300'), code: 44, line: 2 }],
  ['eval over lines', { script: lines('echo a', "eval 'true", '  false', "  echo never'"), code: 1, line: 2, out: 'a\n' }],
  [
    'a syntax error in a sourced file',
    { script: lines("printf 'echo 1\\nfi\\n' > /tmp/syn.sh", '. /tmp/syn.sh'), code: 2, line: 2, out: '1\n' },
  ],
  [
    'a syntax error in a program of the script',
    { script: lines("echo '<html>' > /tmp/page; chmod +x /tmp/page", 'true', '/tmp/page'), code: 2, line: 3 },
  ],
  ['a syntax error in what bash is handed', { script: lines('true', 'echo fi | bash'), code: 2, line: 2 }],
  [
    'output that goes through a tee',
    {
      script: lines('exec > >(sleep 0.1; tee /tmp/log) 2>&1', 'echo one', 'ls /nope'),
      code: 2,
      line: 3,
      out: "one\nls: cannot access '/nope': No such file or directory\n",
    },
  ],
  ['a syntax error on the last line', { script: lines('echo a', 'f() { true; }', 'f', 'fi'), code: 2, line: 4, command: 'fi', out: 'a\n' }],
  [
    'a folder that is gone',
    { script: lines('mkdir -p /tmp/gone; cd /tmp/gone', 'rmdir /tmp/gone', 'ls', 'cat nothing'), code: 1, line: 4 },
  ],
  ['a limit on files', { script: lines('ulimit -f 0', 'f() { echo x > /tmp/big; }', 'f'), code: 153, line: 2 }],
  [
    'wait for the second failed job',
    { script: lines('(exit 3) & a=$!', '(exit 4) & b=$!', 'wait $a || echo "a $?"', 'wait $b'), code: 4, line: 4, out: 'a 3\n' },
  ],
  ['a trap on INT', { script: lines("trap 'exit 5' INT", 'kill -INT $$', 'echo never'), code: 5, line: 2 }],
  ['a signal to the whole group', { script: lines('echo a', 'kill -TERM 0', 'echo never'), code: 143, line: 2, out: 'a\n' }],
  [
    'names that we might use are free',
    { script: lines('readonly nonce=1 held=2 PATH HOME IFS SHLVL', 'f() { true', '  ls /nope; }', 'f'), code: 2, line: 3 },
  ],
];
