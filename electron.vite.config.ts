import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

export default defineConfig({
  main: {
    build: {
      outDir: '.out/main',
      externalizeDeps: false,
      rolldownOptions: {
        input: { main: 'electron/main.ts', browser: 'electron/browser.ts' },
      },
    },
  },
  preload: {
    build: {
      outDir: '.out/preload',
      rolldownOptions: {
        input: { preload: 'electron/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react()],
    build: {
      outDir: '.out/renderer',
      rolldownOptions: { input: 'renderer/index.html' },
    },
  },
});
