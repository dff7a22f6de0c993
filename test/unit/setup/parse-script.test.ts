import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseScript } from '../../../sandbox-engine/setup/parse-script.ts';

const groups = (script: string): string =>
  parseScript(script)
    .groups.map(({ line, lastLine }) => `${line}-${lastLine}`)
    .join(' ');

test.each([
  ['a\nb', '1-1 2-2'],
  ['a \\\n b\nc', '1-2 3-3'],
  ['if a; then\n b\nfi\nc', '1-3 4-4'],
  ['cat <<E\n$(\nE\nb', '1-3 4-4'],
  ['a && \n\n b\nc', '1-3 4-4'],
  ['f() {\n a\n}\nf', '1-3 4-4'],
  ['f ()\n{\n a\n}\nf', '1-4 5-5'],
  ['case x in\n a) b;;\n *) c\nesac\nd', '1-4 5-5'],
  ['x="a\nb" y=\'c\nd\'\ne', '1-3 4-4'],
  ['x=$(a\nb)\nc', '1-2 3-3'],
  ['for ((i=0;\ni<3;i++)); do\na\ndone\nb', '1-4 5-5'],
  ['(( a = 1 ))\n( (a); b\n)\nc', '1-1 2-3 4-4'],
  ['echo ${a#b} # c\nd', '1-1 2-2'],
  ["echo ${a:-'}'}\nd", '1-1 2-2'],
  ['[[ a =~ ^(b|c)$ ]]\nd', '1-1 2-2'],
  ['{ a; }\n}\nb', '1-1 2-2 3-3'],
  ['echo if; echo done\necho }\nb', '1-1 2-2 3-3'],
])('%j has the groups %s', (script, expected) => expect(groups(script)).toBe(expected));

test('any text is read to its end, and quickly', () => {
  const piece = fc.constantFrom(
    'if ',
    'then ',
    'fi ',
    'done ',
    'case x in ',
    'esac',
    '{ ',
    '}',
    '(',
    ')',
    '((',
    '))',
    '$(',
    '${',
    '`',
    '"',
    "'",
    '\\',
    '\n',
    ';',
    ';;',
    '&',
    '|',
    '<<E\n',
    '<(',
    '# ',
    'a',
    '=',
    ' ',
    '!',
    '[[ ',
    ' ]]',
    'f() ',
    'for ',
    'do ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const script = pieces.join('');
      for (const { start, end } of parseScript(script).groups) expect(start).toBeLessThanOrEqual(end);
    }),
    { numRuns: 500 },
  );
});

test('a text that nests without end is let go', () => {
  expect(() => parseScript('(($('.repeat(16_000))).not.toThrow();
});
