import { test } from '@playwright/test';
import { z } from 'zod';
import { note } from './harness/figures.ts';
import { runMeasure } from './harness/run-measure.ts';

const delays = z.array(z.object({ p50Ms: z.number(), p95Ms: z.number() }));
const samples = z.object({ hand: delays, ours: delays });
const figuresSchema = z.object({ equal: samples, varied: samples });

test('adds little to the time of a token with 200 users', async ({}, testInfo) => {
  const figures = await runMeasure('load', figuresSchema);
  for (const [name, lengths] of [
    ['varied', 'answers of 30 to 90 tokens'],
    ['equal', 'answers of 60 tokens, which end together'],
  ] as const) {
    const { hand, ours } = figures[name];
    const added = (figure: 'p50Ms' | 'p95Ms') =>
      ours.map((sample, round) => sample[figure] - (hand[round]?.[figure] ?? Number.NaN));
    const what = `200 users, ${lengths}: delay of a token`;
    note(testInfo, `${what}, p50, more than by hand`, added('p50Ms'), 'ms');
    note(testInfo, `${what}, p95, more than by hand`, added('p95Ms'), 'ms', { atMost: 5 });
    const byHand = hand.map(({ p95Ms }) => p95Ms);
    note(testInfo, `${what}, p95, by hand`, byHand, 'ms');
  }
});
