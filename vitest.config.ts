// Four projects: unit and renderer need no runtime; runtime and browser do and run one file at a time.
import { defineConfig } from 'vitest/config';

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
        },
      },
      {
        test: {
          name: 'renderer',
          include: ['test/unit/renderer/**/*.test.ts', 'test/unit/renderer/**/*.test.tsx'],
          environment: 'happy-dom',
        },
      },
      { test: { name: 'runtime', include: ['test/runtime/**/*.test.ts'], ...serial } },
      { test: { name: 'browser', include: ['test/browser/**/*.test.ts'], ...serial } },
    ],
  },
});
