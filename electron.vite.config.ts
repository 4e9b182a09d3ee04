import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

/** Also what `npm run dev` serves. */
export const renderer = {
  root: 'renderer',
  plugins: [react()],
  build: {
    outDir: resolve('.out/renderer'),
    // The page is also for the browsers that people have; electron-vite would build for Electron's.
    target: 'es2022',
    minify: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: resolve('renderer/index.html') },
  },
};

export default defineConfig({
  main: {
    build: {
      outDir: '.out/main',
      // Everything is bundled: the packaged app has no node_modules.
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          main: 'electron/main.ts',
          browser: 'electron/browser.ts',
          // A thread starts from a file of its own.
          'media-worker': 'electron/media/worker/media-worker.ts',
        },
      },
    },
  },
  preload: {
    build: {
      outDir: '.out/preload',
      rolldownOptions: {
        input: { preload: 'electron/desktop/preload.ts' },
        // A sandboxed preload cannot be a module.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer,
});
