import { describe, expect, it } from 'vitest';
import { createComparisonCaps } from '../../electron/runs/comparison-caps.ts';
import { getInput } from '../../electron/runs/comparison-plan.ts';
import { createComparisonWatchers } from '../../electron/runs/comparison-watchers.ts';
import type { LiveComparisonState } from '../../electron/runs/live-comparisons.ts';
import type { PlannedRequest } from '../../electron/runs/spending.ts';
import { noNotes } from '../../shared/comparison-notes.ts';
import { appError } from '../../shared/errors.ts';
import { plan, row, variant } from '../fixtures/comparisons.ts';

const capped = appError('beyond-cap', 'Too much.', 'Run anyway.', {});

/** Two variants, two rows and three repeats, all held behind a cap. */
function heldLive(): LiveComparisonState {
  const rows = [row('once', { prompt: 'Once' }), row('twice', { prompt: 'Twice' })];
  const variants = [variant('a'), variant('b')];
  const places = [0, 1, 2].flatMap((repeat) =>
    rows.flatMap(({ id }) =>
      variants.map((each) => ({ rowId: id, variantId: each.id, repeat, messageId: null })),
    ),
  );
  const cells = places.map((cell, place) => ({
    ...{ ...cell, place, wanted: 1, sent: 0, problem: capped },
  }));
  return {
    comparison: {
      ...plan(variants, { rows, repeats: 3 }),
      ...{ id: 'c', createdAt: 0, conversationId: null },
    },
    notes: noNotes,
    cells: new Map(cells.map((cell) => [cell.place, cell])),
    queued: new Map(),
    beyondCap: new Set(),
    prices: new Map(),
    watchers: createComparisonWatchers({ places: () => [], read: () => expect.fail() }),
  };
}

function countedCaps() {
  const priced: unknown[] = [];
  const checks: PlannedRequest[][] = [];
  const caps = createComparisonCaps(
    {
      check: (planned) => void checks.push([...planned]),
      price({ connectionId, request }) {
        priced.push(request);
        return { connectionId, cost: () => null };
      },
    },
    ({ comparison }, cell) => getInput(comparison, cell),
  );
  return { caps, priced, checks };
}

describe('what a cap holds of a comparison', () => {
  it('is priced once for each row and variant, however often it is looked at', () => {
    const { caps, priced, checks } = countedCaps();
    const live = heldLive();
    caps.heldBy(live);
    caps.heldBy(live);
    expect(priced).toEqual([
      { model: 'a', prompt: 'Once' },
      { model: 'b', prompt: 'Once' },
      { model: 'a', prompt: 'Twice' },
      { model: 'b', prompt: 'Twice' },
    ]);
    expect(checks.map((planned) => planned.map(({ times }) => times))).toEqual([
      [3, 3, 3, 3],
      [3, 3, 3, 3],
    ]);
  });

  it('is priced again where its prices were forgotten', () => {
    const { caps, priced } = countedCaps();
    const live = heldLive();
    caps.heldBy(live);
    live.prices.clear();
    caps.heldBy(live);
    expect(priced).toHaveLength(8);
  });

  it('is not priced where no cap holds it', () => {
    const { caps, priced } = countedCaps();
    const live = heldLive();
    for (const cell of live.cells.values()) cell.problem = null;
    expect(caps.heldBy(live)).toBeNull();
    expect(priced).toEqual([]);
  });
});
