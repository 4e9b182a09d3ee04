import type { Page } from '@playwright/test';

export interface WatchedTokens {
  /**
   * Returns the number of tokens so far. Reading their ages during the stream would block the page.
   */
  count(): Promise<number>;
  /** Returns ages in milliseconds, starting with token `first`. */
  agesFrom(first: number): Promise<number[]>;
}

/** Records each token's age when it enters the document. */
export async function watchTokens(page: Page): Promise<WatchedTokens> {
  const ages = await page.evaluateHandle(() => {
    const seen = new Map<string, number>();
    new MutationObserver((changes) => {
      const now = performance.timeOrigin + performance.now();
      const changed = changes.flatMap(({ type, target, addedNodes }) =>
        type === 'characterData' ? [target] : [...addedNodes],
      );
      for (const { textContent } of changed) {
        // The browser appends new text at the end.
        for (const [token] of (textContent ?? '').slice(-60_000).matchAll(/\d{13}\.\d-\d+;/g)) {
          if (!seen.has(token)) seen.set(token, now - Number.parseFloat(token));
        }
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  return {
    count: () => ages.evaluate(({ size }) => size),
    agesFrom: (first) => ages.evaluate((seen, first) => [...seen.values()].slice(first), first),
  };
}
