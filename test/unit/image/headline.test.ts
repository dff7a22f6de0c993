// What a builder says before a step, as the log of a build shows it.
import { expect, test } from 'vitest';
import { readableHeadline } from '../../../sandbox-engine/image/headline.ts';
import { runInstruction } from '../../../sandbox-engine/recipe/dockerfile.ts';

const run = runInstruction(['/bin/bash', '-eo', 'pipefail'], 'apt-get update\napt-get install -y <<EOF\n\nEOF\n', 'apt');
const commands = '$ apt-get update\n  apt-get install -y <<EOF\n  EOF\n';

test('BuildKit, which says the instruction with its escapes resolved', () => {
  const written = runInstruction(['/bin/bash'], 'printf "a\\n"\necho b', 'step-1');
  expect(readableHeadline('#3 RUN ["/bin/bash","-c","printf "a\\n"\\necho b","step-1"]\n', written)).toBe('$ printf "a\\n"\n  echo b\n');
});

test.each([
  ['BuildKit', `#3 ${run}\n`, commands],
  ['BuildKit, from the cache', `#3 ${run} (cached)\n`, commands],
  ['the classic builder', `Step 3/7 : ${run}\n`, commands],
  ['Podman', `STEP 3/7: ${run}\n`, commands],
  ['no script', '#1 FROM sandlot/base:1 (cached)\n', 'FROM sandlot/base:1 (cached)\n'],
  ['the labels of ours', 'STEP 7/7: LABEL "dev.sandlot.build"="bld_1" \n', 'Labels of Sandlot\n'],
  [
    'the labels of ours as they are written',
    "Step 7/7 : LABEL 'dev.sandlot.build'='bld_1' 'dev.sandlot.role'='image'\n",
    'Labels of Sandlot\n',
  ],
  ['labels of somebody', 'STEP 7/7: LABEL "a"="b"\n', 'LABEL "a"="b"\n'],
  ['a list that is no script of ours', 'STEP 2: RUN ["true"]\n', 'RUN ["true"]\n'],
  ['a list that was cut', '#4 RUN ["/bin/bash","-c","ma\n', 'RUN ["/bin/bash","-c","ma\n'],
  ['what a program printed', '#12 downloading 3 of 7\n', null],
])('%s', (_, said, expected) => {
  expect(readableHeadline(said)).toBe(expected);
});
