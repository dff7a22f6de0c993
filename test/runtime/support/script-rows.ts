// Scripts with what must come of them. `line` null: nothing failed.
export interface ScriptRow {
  script: string;
  code?: number;
  line?: number;
  command?: string;
  out?: string;
  err?: RegExp;
  markers?: number[];
}

const lines = (...text: string[]): string => text.join('\n');

export const scriptRows: [string, ScriptRow][] = [
  ['two commands', { script: lines('echo a', 'echo b'), out: 'a\nb\n', markers: [1, 2] }],
  ['an empty script', { script: '', out: '', markers: [] }],
  ['comments and blank lines only', { script: lines('# a', '', '  # b'), markers: [] }],
  ['no marker for comments and blanks', { script: lines('# a', 'echo a', '', '# b', 'echo b'), markers: [2, 5], out: 'a\nb\n' }],
  ['a plain failure', { script: lines('echo a', 'false', 'echo never'), code: 1, line: 2, command: 'false', out: 'a\n', markers: [1, 2] }],
  ['a failure on the first line', { script: 'false', code: 1, line: 1 }],
  ['a failure after a comment', { script: lines('# one', '', 'ls /nope'), code: 2, line: 3, command: 'ls /nope' }],
  [
    'a continued command',
    {
      script: lines('echo ok', 'ls \\', '  --color=never \\', '  /does-not-exist', 'echo never'),
      code: 2,
      line: 2,
      command: 'ls --color=never /does-not-exist',
      out: 'ok\n',
      markers: [1, 2],
    },
  ],
  [
    'an unset variable under set -u',
    { script: lines('set -u', 'echo "[$NOT_SET]"', 'echo never'), code: 1, line: 2, err: /NOT_SET: unbound/, out: '' },
  ],
  [
    'a reader that stops early',
    { script: lines('seq 1 200000 | head -n 1', 'echo never'), code: 141, line: 1, out: '1\n', command: 'seq 1 200000 | head -n 1' },
  ],
  ['pipefail', { script: lines('false | cat', 'echo never'), code: 1, line: 1 }],
  ['a pipe over lines', { script: lines('echo a |', '  cat |', '  grep -q b', 'echo never'), code: 1, line: 1 }],
  [
    'blocks and here-documents are not cut',
    {
      script: lines(
        'if [ -d /tmp ]; then',
        '  for i in 1 2; do',
        '    echo "n=$i"',
        '  done',
        'fi',
        "cat > /tmp/note <<'EOF'",
        'echo not-a-command',
        'false',
        'EOF',
        'echo end',
      ),
      out: 'n=1\nn=2\nend\n',
      markers: [1, 6, 10],
    },
  ],
  ['a failure in an if', { script: lines('if true; then', '  echo in', '  false', 'fi'), code: 1, line: 3, command: 'false', out: 'in\n' }],
  ['a failure in an else', { script: lines('if false; then', '  echo in', 'else', '  ls /nope', 'fi'), code: 2, line: 4 }],
  [
    'a failing condition is no failure',
    { script: lines('if ls /nope 2>/dev/null; then', '  echo yes', 'fi', 'echo on'), out: 'on\n', markers: [1, 4] },
  ],
  ['a failure in a for loop', { script: lines('for i in 1 2 3; do', '  test $i != 2', 'done'), code: 1, line: 2 }],
  [
    'a failure in a while loop',
    { script: lines('n=0', 'while [ $n -lt 5 ]; do', '  n=$((n+1))', '  [ $n -lt 3 ]', 'done'), code: 1, line: 4 },
  ],
  ['a failure in a until loop', { script: lines('until false; do', '  nosuchcommand_x', 'done'), code: 127, line: 2 }],
  ['a failure in a case', { script: lines('case abc in', '  x) echo x ;;', '  a*)', '    false', '    ;;', 'esac'), code: 1, line: 4 }],
  ['a failure in a group', { script: lines('{', '  echo a', '  false', '}'), code: 1, line: 3 }],
  ['a failure in a subshell', { script: lines('echo a', '(', '  true', '  false', ')', 'echo never'), code: 1, line: 4 }],
  [
    'a failure in a function',
    { script: lines('f() {', '  true', '  false', '}', 'echo a', 'f', 'echo never'), code: 1, line: 3, out: 'a\n', markers: [1, 5, 6] },
  ],
  [
    'a failure in a function of a function',
    { script: lines('g() {', '  ls /nope', '}', 'function f {', '  g', '}', 'f'), code: 2, line: 2 },
  ],
  ['a function that returns a code', { script: lines('f() {', '  return 4', '}', 'echo a', 'f'), code: 4, line: 2, command: 'return 4' }],
  ['a command substitution', { script: lines('echo a', 'x=$(ls /nope)', 'echo never'), code: 2, line: 2, out: 'a\n' }],
  ['a command substitution over lines', { script: lines('x=$(', '  true', '  nosuchcommand_y', ')'), code: 127, line: 3 }],
  ['a failure in a substituted argument is none', { script: lines('echo "a$(false)"', 'echo b'), out: 'a\nb\n' }],
  [
    'a process substitution',
    {
      script: lines('while read -r l; do', '  echo "$l"', 'done < <(printf "a\\nb\\n")', 'false'),
      code: 1,
      line: 4,
      out: 'a\nb\n',
      markers: [1, 4],
    },
  ],
  ['a here-document that feeds a failing command', { script: lines('grep -q x <<EOF', 'false', 'EOF', 'echo never'), code: 1, line: 1 }],
  [
    'two here-documents on a line',
    { script: lines('cat <<A; cat <<B', 'one', 'A', 'two', 'B', 'false'), code: 1, line: 6, out: 'one\ntwo\n', markers: [1, 6] },
  ],
  ['a here-document with tabs', { script: lines('cat <<-E', '\tx', '\tE', 'false'), code: 1, line: 4, out: 'x\n' }],
  ['a here-string', { script: lines('cat <<< "a', 'b"', 'false'), code: 1, line: 3, out: 'a\nb\n' }],
  ['quotes over lines', { script: lines("echo 'a", 'false', "b'", 'false'), code: 1, line: 4, out: 'a\nfalse\nb\n', markers: [1, 4] }],
  ['an and-list that stops quietly', { script: lines('false && echo never', 'echo on'), out: 'on\n' }],
  ['the end of an and-list', { script: lines('true &&', '  false', 'echo never'), code: 1, line: 2 }],
  ['an or-list that fails', { script: lines('false ||', '  ls /nope'), code: 2, line: 2 }],
  ['|| true', { script: lines('false || true', 'ls /nope 2>/dev/null || :', 'echo on'), out: 'on\n', markers: [1, 2, 3] }],
  ['a negated command', { script: lines('! true', 'echo on'), out: 'on\n' }],
  [
    'several commands on one line',
    { script: lines('echo a; false; echo never', 'echo never'), code: 1, line: 1, command: 'false', out: 'a\n' },
  ],
  ['set +e', { script: lines('set +e', 'false', 'echo "$?"', 'set -e', 'ls /nope'), code: 2, line: 5, out: '1\n' }],
  ['set +e to the end', { script: lines('set +e', 'true', '(exit 5)'), code: 5, line: 3 }],
  ['set +o pipefail', { script: lines('set +o pipefail', 'false | true', 'echo on'), out: 'on\n' }],
  ['exit 0 half-way', { script: lines('echo a', 'exit 0', 'echo never'), out: 'a\n', markers: [1, 2] }],
  ['exit half-way', { script: lines('echo a', 'exit 3', 'echo never'), code: 3, line: 2, command: 'exit 3' }],
  ['exit in a block', { script: lines('if true; then', '  echo a', '  exit 9', 'fi'), code: 9, line: 3 }],
  ['exit in a function', { script: lines('die() {', '  echo "$1"', '  exit 6', '}', 'die oops'), code: 6, line: 3, out: 'oops\n' }],
  ['exec of a command', { script: lines('echo a', 'exec ls /nope'), code: 2, line: 2, out: 'a\n' }],
  ['exec of nothing known', { script: lines('exec nosuchcommand_z'), code: 127, line: 1 }],
  ['an EXIT trap of the script', { script: lines("trap 'echo bye' EXIT", 'echo a', 'false'), code: 1, line: 3, out: 'a\nbye\n' }],
  ['an EXIT trap that changes the code', { script: lines("trap 'exit 42' EXIT", 'false'), code: 42, line: 2 }],
  ['an ERR trap of the script', { script: lines("trap 'echo at $LINENO' ERR", 'echo a', 'false'), code: 1, line: 3, out: 'a\nat 3\n' }],
  ['a DEBUG trap of the script', { script: lines("trap 'echo dbg' DEBUG", 'true', 'false'), code: 1, line: 3, out: 'dbg\ndbg\n' }],
  [
    'traps inside of a block',
    { script: lines('if true; then', "  trap 'echo bye' EXIT", '  exit 7', 'fi'), code: 7, line: 3, out: 'bye\n' },
  ],
  ['the script sees no trap of ours', { script: lines('trap -p', 'trap', 'echo end'), out: 'end\n' }],
  ['the script sees no function or alias', { script: lines('declare -F', 'alias', 'echo "$-"'), out: 'ehB\n' }],
  [
    'options are those of set -eo pipefail',
    {
      script: lines('set -o | grep -E "on$" | tr -d "\\t " | paste -sd,'),
      out: 'braceexpandon,errexiton,hashallon,interactive-commentson,pipefailon\n',
    },
  ],
  ['no variable of ours', { script: lines("compgen -v | grep -iE 'sandlot|marker|nonce|report' || echo none"), out: 'none\n' }],
  ['no descriptor of ours', { script: 'ls /proc/self/fd | tr "\\n" " "', out: '0 1 2 3 ' }],
  [
    "LINENO is the script's own",
    { script: lines('echo $LINENO', '', 'f() {', '  echo $LINENO', '}', 'f', 'echo $LINENO'), out: '1\n4\n7\n' },
  ],
  ['input is at its end', { script: lines('read -r -p "Continue? " a', 'echo "got $a"'), code: 1, line: 1 }],
  ['input of a child is at its end', { script: lines('cat', 'echo on'), out: 'on\n' }],
  ['no terminal', { script: lines('test -t 0 || test -t 1 || test -t 2 || echo none'), out: 'none\n' }],
  ['the PATH of the image', { script: 'echo "$PATH"', out: '/opt/tool/bin:/usr/local/bin:/usr/bin:/bin\n' }],
  [
    'a login shell in /workspace',
    { script: lines('shopt -q login_shell && pwd', 'printenv DEBIAN_FRONTEND'), out: '/workspace\nnoninteractive\n' },
  ],
  ['a syntax error names its line', { script: lines('echo a', 'echo )', 'echo never'), code: 2, line: 2, out: 'a\n' }],
  ['a block that is never closed', { script: lines('echo a', 'if true; then', '  echo b'), code: 2, line: 2, out: 'a\n' }],
  ['a quote that is never closed', { script: lines('echo a', 'echo "b', 'echo c'), code: 2, line: 2, out: 'a\n' }],
  ['a missing done', { script: lines('for i in 1; do', '  echo $i', 'echo x'), code: 2, line: 1 }],
  ['an unknown command', { script: lines('echo a', 'nosuchcommand_a --flag', 'echo never'), code: 127, line: 2 }],
  ['a file that cannot be run', { script: lines('echo x > /tmp/plain', '/tmp/plain'), code: 126, line: 2 }],
  [
    'a sourced file',
    {
      script: lines('printf "true\\nfalse\\n" > /tmp/sourced.sh', 'echo a', '. /tmp/sourced.sh', 'echo never'),
      code: 1,
      line: 3,
      out: 'a\n',
    },
  ],
  ['a sourced file that exits', { script: lines('echo "exit 8" > /tmp/exits.sh', 'source /tmp/exits.sh', 'echo never'), code: 8, line: 2 }],
  ['eval', { script: lines('echo a', 'eval "true; false"', 'echo never'), code: 1, line: 2 }],
  ['a background job', { script: lines('sleep 0.1 &', 'wait $!', 'false'), code: 1, line: 3, markers: [1, 2, 3] }],
  ['wait for a failed job', { script: lines('false &', 'wait $!', 'echo never'), code: 1, line: 2 }],
  ['an arithmetic failure', { script: lines('(( 1 + 1 ))', '(( 0 ))', 'echo never'), code: 1, line: 2 }],
  ['a failing test', { script: lines('[[ a == a ]]', '[[ a == b ]]'), code: 1, line: 2 }],
  [
    'an array over lines',
    {
      script: lines('a=(', '  one # first', '  two', ')', 'echo "${a[@]}"', 'false'),
      code: 1,
      line: 6,
      out: 'one two\n',
      markers: [1, 5, 6],
    },
  ],
  ['a killed shell', { script: lines('echo a', 'kill -9 $$'), code: 137, line: 2 }],
  ['a killed child', { script: lines("bash -c 'kill -TERM $$'", 'echo never'), code: 143, line: 1 }],
  ['a required variable', { script: lines('echo a', ': "${MISSING:?must be set}"'), code: 1, line: 2 }],
  ['an unset variable in a function', { script: lines('set -u', 'f() {', '  echo "$NOPE_X"', '}', 'f'), code: 1, line: 3 }],
  ['a readonly variable', { script: lines('readonly A=1', 'A=2', 'echo never'), code: 1, line: 2 }],
  [
    'Windows line ends',
    { script: "echo 'one é 🚀'\r\ncat > /tmp/f <<EOF\r\nx\r\nEOF\r\necho two", out: 'one é 🚀\ntwo\n', markers: [1, 2, 5] },
  ],
  [
    'blanks that mean something',
    { script: "printf '[%s]\\n' a\\ \necho end\ncat > /tmp/m <<E\ntwo spaces  \nE\n\n\n\n", out: '[a ]\nend\n', markers: [1, 2, 3] },
  ],
  ['the exit code of a command before is kept', { script: lines('set +e', '(exit 3)', 'echo $?', 'true'), out: '3\n' }],
  [
    '$_ and PIPESTATUS are kept',
    { script: lines('set +eo pipefail', 'false | true', 'echo ${PIPESTATUS[0]}', 'echo a b', 'echo $_'), out: '1\na b\nb\n' },
  ],
  ['a script of 64 KiB', { script: `${'echo 0123456789 >/dev/null\n'.repeat(2400)}ls /nope`, code: 2, line: 2401 }],
  ['one line of 60 000 bytes', { script: `x='${'y'.repeat(60_000)}'\necho \${#x}\nfalse`, code: 1, line: 3, out: '60000\n' }],
  [
    'a multi-line block of 20 000 bytes',
    { script: `if true; then\n${'  true # fill fill fill\n'.repeat(900)}  false\nfi`, code: 1, line: 902 },
  ],
];
