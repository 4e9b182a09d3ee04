import { test } from '@playwright/test';
import { z } from 'zod';
import { note } from './harness/figures.ts';
import { runMeasure } from './harness/run-measure.ts';

const delays = z.array(z.object({ p95Ms: z.number() }));
const samples = z.object({ hand: delays, ours: delays });
const figuresSchema = z.object({ equal: samples, varied: samples });

test('adds little to the time of a token with 200 users', async ({}, testInfo) => {
  const figures = await runMeasure('load', figuresSchema);
  for (const [name, lengths] of [
    ['varied', 'answers of 30 to 90 tokens'],
    ['equal', 'answers of 60 tokens, which end together'],
  ] as const) {
    const { hand, ours } = figures[name];
    const added = ours.map(({ p95Ms }, round) => p95Ms - (hand[round]?.p95Ms ?? Number.NaN));
    const byHand = hand.map(({ p95Ms }) => p95Ms);
    const what = `200 users, ${lengths}: delay of a token, p95`;
    note(testInfo, `${what}, more than by hand`, added, 'ms', { atMost: 5 });
    note(testInfo, `${what}, by hand`, byHand, 'ms');
  }
});
