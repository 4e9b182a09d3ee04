import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import type { BrowserCommand } from 'vitest/node';
import { mediaPlugin } from './test/fixtures/media-plugin.ts';
import { TEST_MS, WAIT_MS } from './test/fixtures/patience.ts';
import { chromiumArgs, findChromium } from './test/scripts/chromium.ts';

const root = import.meta.dirname;
const executablePath = findChromium();
const patient = { poll: { timeout: WAIT_MS } };
const patientWaits = 'test/fixtures/patient-waits.ts';

/** Files share workers and modules; spies and stubs are restored before each test. */
const shared = { isolate: false, restoreMocks: true, unstubEnvs: true, unstubGlobals: true };

/** Outside watch mode, lets the browser cache modules from one test file to the next. */
const keepModules: Plugin = {
  name: 'gatehouse:keep-modules',
  configureVitest({ vitest, project }) {
    if (vitest.config.watch) return;
    project.vite.config.server.headers = { 'Cache-Control': 'max-age=3600' };
  },
};

/**
 * Waits until Playwright knows the frame of the current file, by the time it started. On a busy machine, Playwright
 * learns of a new frame late, and the first click would go to the previous file's frame and fail.
 */
const enterFrame: BrowserCommand<[timeOrigin: number]> = async ({ frame }, timeOrigin) => {
  const giveUpAt = performance.now() + WAIT_MS;
  while (performance.now() < giveUpAt) {
    const found = await frame()
      .then((known) => known.evaluate(() => performance.timeOrigin))
      .catch(() => null);
    if (found === timeOrigin) return;
    await setTimeout(20);
  }
  throw new Error('Playwright does not see the frame of this file.');
};

export default defineConfig({
  test: {
    // Many tests wait for sockets, timers and threads, so three workers keep two cores busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          ...shared,
          // Threads start faster than processes.
          pool: 'threads',
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
          expect: patient,
          setupFiles: [patientWaits],
        },
      },
      {
        test: {
          name: 'page',
          include: ['test/page/**/*.test.ts'],
          // Each file mocks the main process, so files share no modules.
          pool: 'threads',
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
          expect: patient,
          setupFiles: [patientWaits],
        },
      },
      {
        // Importing the real one from Node would start a download.
        resolve: { alias: { electron: join(root, 'test/fixtures/electron/stand-in.ts') } },
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          ...shared,
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
          expect: patient,
          setupFiles: [patientWaits],
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
        },
      },
      {
        plugins: [mediaPlugin(), keepModules],
        resolve: {
          alias: [{ find: /^.*\/api\.ts$/, replacement: join(root, 'test/component/page-api.ts') }],
        },
        oxc: { jsx: { runtime: 'automatic', development: false } },
        // If Vite discovers a dependency during a run, it reloads the page and breaks the tests.
        optimizeDeps: {
          // React's development build needs a fifth more CPU time.
          rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': "'production'" } } },
          include: [
            '@base-ui/react/alert-dialog',
            '@base-ui/react/dialog',
            '@base-ui/react/field',
            '@base-ui/react/menu',
            '@base-ui/react/meter',
            '@base-ui/react/popover',
            '@base-ui/react/progress',
            '@base-ui/react/radio',
            '@base-ui/react/radio-group',
            '@base-ui/react/slider',
            '@base-ui/react/switch',
            '@base-ui/react/tabs',
            '@base-ui/react/toast',
            '@base-ui/react/tooltip',
            '@cfworker/json-schema',
            '@codemirror/autocomplete',
            '@codemirror/lang-json',
            '@codemirror/language',
            '@codemirror/lint',
            '@codemirror/state',
            '@codemirror/view',
            '@lezer/highlight',
            '@mediabunny/mp3-encoder',
            '@orpc/client',
            '@orpc/client/message-port',
            '@orpc/client/websocket',
            '@orpc/tanstack-query',
            '@tanstack/react-query',
            'codemirror',
            'decode-named-character-reference',
            'katex',
            'katex/contrib/copy-tex',
            'highlight.js/lib/common',
            'highlight.js/lib/languages/dockerfile',
            'highlight.js/lib/languages/http',
            'highlight.js/lib/languages/powershell',
            'highlight.js/lib/languages/scala',
            'marked',
            'libheif-js/libheif-wasm/libheif.js',
            'mediabunny',
            'mermaid',
            'react',
            'react-dom',
            'react-dom/client',
            'react/jsx-runtime',
            'utif2',
            'umap-js',
            'virtua',
            'wavesurfer.js',
            'zustand',
            'zustand/middleware',
            'zustand/react/shallow',
            'zustand/vanilla',
          ],
        },
        test: {
          name: 'component',
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
          expect: patient,
          include: ['test/component/**/*.test.tsx'],
          setupFiles: ['test/component/set-up.ts', patientWaits],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1360, height: 860 },
            commands: { enterFrame },
            provider: playwright({
              actionTimeout: WAIT_MS,
              launchOptions: {
                // A fake microphone that beeps once a second, without a permission prompt.
                args: [
                  ...chromiumArgs,
                  '--use-fake-ui-for-media-stream',
                  '--use-fake-device-for-media-stream',
                  '--autoplay-policy=no-user-gesture-required',
                ],
                ...(executablePath !== null && { executablePath }),
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
