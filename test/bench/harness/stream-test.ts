import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { test as base } from '../../e2e/fixtures/app.ts';
import { builtHost } from '../../e2e/fixtures/browser-host-process.ts';
import { openAddress } from '../../e2e/fixtures/chat-page.ts';
import { removeFolder } from '../../fixtures/remove-folder.ts';
import { startGateway } from '../measure/bench-home.ts';

/** Labels the figures of the other build. */
export const OTHER_BUILD = ': the other build';

interface Fixtures {
  /** The address of the streaming gateway. */
  origin: string;
  /** The page of another build, in the checkout that GATEHOUSE_BENCH_OTHER names; null without it. */
  otherApp: Page | null;
}

/** Adds a host that uses the streaming gateway at `origin`. */
export const test = base.extend<Fixtures>({
  origin: async ({}, use) => {
    const { origin, thread } = await startGateway('stream');
    await use(origin);
    await thread.terminate();
  },
  hostEnvironment: async ({ origin }, use) => {
    const baseUrl = `${origin}/stamped`;
    await use({ GATEHOUSE_BASE_URL: baseUrl, GATEHOUSE_API_KEY: 'sk-bench-0123456789abcdef' });
  },
  otherApp: async ({ app, startHost, environment }, use) => {
    const checkout = process.env.GATEHOUSE_BENCH_OTHER;
    if (checkout === undefined) return use(null);
    const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
    const host = await startHost({ home, environment, entry: join(checkout, builtHost) });
    // Cookies of one context would be shared by both hosts, because cookies ignore the port.
    const context = await app.context().browser()?.newContext({ viewport: app.viewportSize() });
    if (context === undefined) throw new Error('Another build’s page needs a browser.');
    const page = await context.newPage();
    await openAddress(page, host.address);
    await use(page);
    await context.close();
    await host.stop();
    removeFolder(home);
  },
});

/**
 * Does the minimum work that a page can do: reads the stream and appends its raw text, one block
 * per line. Returns the text's length.
 */
export function appendStream(page: Page, url: string, model: string): Promise<number> {
  return page.evaluate(
    async ([url, model]) => {
      document.body.replaceChildren();
      document.body.style.whiteSpace = 'pre-wrap';
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ model }) });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let line = document.body.appendChild(document.createElement('div'));
      let rest = '';
      for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
        const events = (rest + piece.value).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) {
          if (event.endsWith('[DONE]')) continue;
          const text: string = JSON.parse(event.slice('data: '.length)).choices[0].delta.content;
          line.append(text);
          if (text.includes('\n')) line = document.body.appendChild(document.createElement('div'));
        }
      }
      return document.body.textContent?.length ?? 0;
    },
    [url, model] as const,
  );
}
