import type { Page } from '@playwright/test';
import { test as base } from '../../e2e/fixtures/app.ts';
import { startGateway } from '../measure/bench-home.ts';

/** Adds a host that uses the streaming gateway at `origin`. */
export const test = base.extend<{ origin: string }>({
  origin: async ({}, use) => {
    const { origin, thread } = await startGateway('stream');
    await use(origin);
    await thread.terminate();
  },
  hostEnvironment: async ({ origin }, use) => {
    const baseUrl = `${origin}/stamped`;
    await use({ GATEHOUSE_BASE_URL: baseUrl, GATEHOUSE_API_KEY: 'sk-bench-0123456789abcdef' });
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
