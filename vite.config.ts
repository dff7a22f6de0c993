// Bundles the renderer for the Electron window and the browser door. Everything it needs is in the bundle: no remote content.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
  build: { outDir: '../dist/renderer', emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 4096 },
});
