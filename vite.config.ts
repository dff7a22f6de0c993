// Bundles the renderer for the Electron window and the browser door. Everything it needs is in the bundle: no remote content.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
  // One sheet for all pages: a page must not be without its own when the browser gives up a load, as it does when a network comes or goes.
  build: {
    ...{ outDir: '../dist/renderer', emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 4096, cssCodeSplit: false },
    // What the first page needs comes as one file: in seventy small ones most of the start was waiting for the next.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
});
