// Five projects: unit and renderer need no runtime; runtime, browser and egress do. egress is the long one about
// the network of sandboxes, run by `npm run test:egress` and not by `npm test`.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// By itself vitest leaves a processor free, which on two of them halves the pace; and some of these wait, for locks and limits. The same for
// unit and renderer, since only then they run side by side.
const quickWorkers = availableParallelism() + 1;
const serial = { fileParallelism: false, maxWorkers: 1, testTimeout: 120_000, hookTimeout: 120_000 } as const;

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/house/**/*.test.ts'],
          exclude: ['test/unit/renderer/**'],
          testTimeout: 20_000,
          // One process for many files: a new one for each takes a quarter of the whole time.
          isolate: false,
          maxWorkers: quickWorkers,
        },
      },
      {
        test: {
          name: 'renderer',
          include: ['test/unit/renderer/**/*.test.ts', 'test/unit/renderer/**/*.test.tsx'],
          environment: 'happy-dom',
          // One window for all: a new one for each file takes eight times as long as the tests in it.
          isolate: false,
          maxWorkers: quickWorkers,
          setupFiles: ['test/unit/renderer/fresh-window.ts'],
        },
      },
      // They wait more than they work, so three files run side by side on two processors.
      { test: { name: 'runtime', include: ['test/runtime/**/*.test.ts'], ...serial, fileParallelism: true, maxWorkers: 3 } },
      { test: { name: 'egress', include: ['test/egress/**/*.test.ts'], ...serial, fileParallelism: true, maxWorkers: 2 } },
      { test: { name: 'browser', include: ['test/browser/**/*.test.ts'], globalSetup: 'test/browser/build-page.ts', ...serial } },
    ],
  },
});
