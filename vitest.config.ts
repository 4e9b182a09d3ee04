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

/** Files share a worker, and what they import; what a test spies on or stubs is put back before the next one. */
const shared = { isolate: false, restoreMocks: true, unstubEnvs: true, unstubGlobals: true };

/** Where nobody edits meanwhile, a page that has loaded a module need not ask for it again for its next file. */
const keepModules: Plugin = {
  name: 'gatehouse:keep-modules',
  configureVitest({ vitest, project }) {
    if (vitest.config.watch) return;
    project.vite.config.server.headers = { 'Cache-Control': 'max-age=3600' };
  },
};

/**
 * Waits until Playwright knows the frame of a file by the time it began. On a busy machine it hears of it late: the first
 * click would go to the frame of the file before, and fail as that is gone.
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
    // Some wait for sockets, timers and threads: three keep two cores busy. Vitest alone would use one.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          ...shared,
          // Nothing in them needs a process of its own, which starts more slowly than a thread.
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
          // Each has a stand-in of its own for main, and modules that know it.
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
        // A dependency that Vite only finds in the middle of a run reloads the page under the tests.
        optimizeDeps: {
          // React's development build needs a fifth more CPU time.
          rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': "'production'" } } },
          include: [
            '@base-ui/react/alert-dialog',
            '@base-ui/react/dialog',
            '@base-ui/react/field',
            '@base-ui/react/menu',
            '@base-ui/react/popover',
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
              launchOptions: {
                // A microphone that beeps once a second, and no question whether it may be used.
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
