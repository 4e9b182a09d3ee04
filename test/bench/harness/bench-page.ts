import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig, preview } from 'vite';

const ROOT = join(import.meta.dirname, '../../..');

export interface BenchPage {
  page: Page;
  /** The folder whose files the page's server serves. */
  folder: string;
  close(): Promise<void>;
}

/** Opens a page with one script from `../peers`, bundled with the same React as Gatehouse. */
export async function openBenchPage(browser: Browser | null, script: string): Promise<BenchPage> {
  if (browser === null) throw new Error('A bench page needs a browser.');
  const root = join(ROOT, '.test/bench-pages', basename(script, '.js'));
  mkdirSync(root, { recursive: true });
  const entry = join(ROOT, 'test/bench/peers', script);
  writeFileSync(
    join(root, 'index.html'),
    `<!doctype html><meta charset="utf-8"><script type="module" src=${JSON.stringify(entry)}></script><body></body>`,
  );
  const config: InlineConfig = {
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    resolve: {
      alias: ['react', 'react-dom', 'scheduler'].map((name) => ({
        find: new RegExp(`^${name}(?=/|$)`),
        replacement: join(ROOT, 'node_modules', name),
      })),
    },
    build: { outDir: join(root, 'built'), target: 'es2022', emptyOutDir: true },
    preview: { host: '127.0.0.1', port: 0 },
  };
  await build(config);
  const server = await preview(config);
  const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  return {
    page,
    folder: join(root, 'built'),
    async close() {
      await page.close();
      await server.close();
    },
  };
}
