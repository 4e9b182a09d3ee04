import { expect, it } from 'vitest';
import { estimateProgress } from '../../renderer/features/video/estimate-progress.ts';

it.each([
  ['the gateway’s progress', 5000, '42%', [], { done: 0.42, leftMs: null, basis: 0 }],
  [
    'the median of earlier tasks',
    5000,
    null,
    [20000, 10000, 90000],
    { done: 0.25, leftMs: 15000, basis: 3 },
  ],
  ['both', 5000, '10 %', [10000], { done: 0.1, leftMs: 5000, basis: 1 }],
  ['a task that takes longer', 50000, null, [10000], { done: 0.95, leftMs: null, basis: 1 }],
  ['no number and no earlier task', 5000, 'rendering', [], null],
])('estimates progress from %s', (_, elapsedMs, reported, earlier, estimate) => {
  expect(estimateProgress(elapsedMs, reported, earlier)).toEqual(estimate);
});
