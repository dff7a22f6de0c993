// How a test starts a program of Sandlot: as it was built where the run has built it (`npm test` does), else from its source.
// The built one starts in a fraction of the time.
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

/** The arguments for Node that start it. */
export const programArgs = (name: 'headless' | 'cli'): string[] =>
  process.env['SANDLOT_TEST_BUILT'] === '1'
    ? [fileURLToPath(new URL(`dist/app/${name}.js`, root))]
    : ['--import', 'tsx', fileURLToPath(new URL(`main/${name}.ts`, root))];
