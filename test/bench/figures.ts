import { expect, type TestInfo } from '@playwright/test';

/** Prints what was measured, keeps it with the test, and holds it to its limit. */
export function expectAtMost(testInfo: TestInfo, what: string, ms: number, limitMs: number): void {
  const figure = `${what}: ${ms.toFixed(ms < 10 ? 1 : 0)} ms (at most ${limitMs})`;
  testInfo.annotations.push({ type: 'figure', description: figure });
  console.log(figure);
  expect(ms, what).toBeLessThanOrEqual(limitMs);
}
