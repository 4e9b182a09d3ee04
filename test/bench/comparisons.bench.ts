import { expect, test } from '@playwright/test';
import { z } from 'zod';
import { note } from './harness/figures.ts';
import { percentile } from './harness/rounds.ts';
import { runMeasure } from './harness/run-measure.ts';

const delay = z.object({ p99Ms: z.number(), maxMs: z.number() });
const stepsSchema = z.record(z.string(), delay);
const figuresSchema = z.object({
  few: stepsSchema,
  many: stepsSchema,
  counts: z.object({
    requests: z.int(),
    refused: z.int(),
    mostAtOnce: z.int(),
    whilePaused: z.int(),
    gapsMs: z.array(z.number()),
  }),
});

test('keeps the main process responsive with 1,000 cells queued at a limited gateway', async ({}, testInfo) => {
  const { few, many, counts } = await runMeasure('comparisons', figuresSchema);
  for (const [cells, steps] of Object.entries({ '200': few, '1,000': many })) {
    for (const [step, { p99Ms, maxMs }] of Object.entries(steps)) {
      note(testInfo, `${cells} cells, ${step}: delay of main, p99`, p99Ms, 'ms', { atMost: 50 });
      note(testInfo, `${cells} cells, ${step}: longest delay of main`, maxMs, 'ms');
    }
  }
  const { gapsMs, ...caps } = counts;
  console.log(JSON.stringify(caps));
  expect(caps.mostAtOnce).toBeLessThanOrEqual(3);
  expect(caps.whilePaused).toBe(0);
  expect(caps.refused).toBeGreaterThan(10);
  // Gatehouse sends requests 50 ms apart, but some arrive faster than others.
  note(testInfo, 'Between two requests, median', percentile(gapsMs, 50), 'ms', { atLeast: 49 });
});
