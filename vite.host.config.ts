// Bundles the programs that run in Node and in Electron's main process: one file to read instead of a thousand, which halves what a start
// costs. All lie in one folder, since a program finds the others, and its threads, beside itself (base/start-thread.ts, host/product.ts).
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const programs = {
  headless: 'main/headless.ts',
  cli: 'main/cli.ts',
  electron: 'main/electron.ts',
  'proxy-worker': 'sandbox-engine/egress/proxy-worker.ts',
  'pack-thread': 'sandbox-engine/session/pack-thread.ts',
};

export default defineConfig({
  // What loads a compiled library or a file beside itself stays in node_modules; so does what only development has.
  ssr: { noExternal: true, external: ['sqlite3', 'koffi', 'dockerode', 'electron', 'vite', 'tsx'] },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/app',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    copyPublicDir: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, fileURLToPath(new URL(file, import.meta.url))])),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
