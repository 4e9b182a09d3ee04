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

/** Of at least one value; `percent` from 0 to 100. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100));
  return sorted[at] ?? Number.NaN;
}

function shown(value: number): string {
  return value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0);
}

function note(testInfo: TestInfo, figure: string): void {
  testInfo.annotations.push({ type: 'figure', description: figure });
  console.log(figure);
}
