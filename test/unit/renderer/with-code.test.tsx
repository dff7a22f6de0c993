// What stands between backticks in a sentence of the host is code wherever it is shown.
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SetupWarnings } from '../../../renderer/src/environment/SetupWarnings.tsx';
import { withCode } from '../../../renderer/src/ui/with-code.tsx';
import { draw } from './drawn.tsx';

test.each([
  ['Add `-y` to it.', 'Add <code class="mono">-y</code> to it.'],
  ['`a` or `b`', '<code class="mono">a</code> or <code class="mono">b</code>'],
  ['One ` alone', 'One ` alone'],
  ['The marks of a document (```).', 'The marks of a document (```).'],
])('%s', (text, expected) => {
  expect(renderToStaticMarkup(withCode(text))).toBe(expected);
});

test('a warning about the script shows it as code', () => {
  const warning = { code: 'apt', line: 2, text: 'apt install jq', reason: 'Without `sudo` and `-y` it fails.', fix: null };
  const nothing = () => undefined;
  draw(<SetupWarnings warnings={[warning]} onGoTo={nothing} onFix={nothing} onFixAll={nothing} />);
  expect([document.body.textContent?.includes('`'), [...document.querySelectorAll('code')].map((code) => code.textContent)]).toEqual([
    false,
    ['sudo', '-y'],
  ]);
});
