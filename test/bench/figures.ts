import { expect, type TestInfo } from '@playwright/test';

/** Prints what was measured, keeps it with the test, and holds it to its limit. */
export function expectAtMost(
  testInfo: TestInfo,
  what: string,
  value: number,
  limit: number,
  unit = 'ms',
): void {
  note(testInfo, `${what}: ${shown(value)} ${unit} (at most ${limit})`);
  expect(value, what).toBeLessThanOrEqual(limit);
}

/** The same, for what should be large. */
export function expectAtLeast(
  testInfo: TestInfo,
  what: string,
  value: number,
  limit: number,
  unit: string,
): void {
  note(testInfo, `${what}: ${shown(value)} ${unit} (at least ${limit})`);
  expect(value, what).toBeGreaterThanOrEqual(limit);
}

function shown(value: number): string {
  return value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0);
}

function note(testInfo: TestInfo, figure: string): void {
  testInfo.annotations.push({ type: 'figure', description: figure });
  console.log(figure);
}
