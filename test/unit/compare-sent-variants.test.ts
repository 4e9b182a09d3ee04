import { describe, expect, it } from 'vitest';
import { replaceVariants } from '../../electron/comparisons/replace-variants.ts';
import { getColumnNotes } from '../../renderer/features/chat/columns/column-branches.ts';
import {
  countTally,
  getColumns,
  listPreviousSettings,
  listSentVariants,
} from '../../renderer/run/compare/compare-columns.ts';
import { totalFigure } from '../../renderer/run/compare/compare-panel.ts';
import { createFiguresTable, getMarkdown } from '../../renderer/run/compare/figures-table.ts';
import {
  type Cell,
  type ComparedVariant,
  type Comparison,
  getCellVariant,
  isSameRequest,
} from '../../shared/comparison.ts';
import { noNotes } from '../../shared/comparison-notes.ts';
import { makeMessage, makeRun } from '../component/chat-fake-state.ts';
import { row, variant } from '../fixtures/comparisons.ts';

const cool = variant('a', {
  request: { model: 'demo-chat', temperature: 0.2 },
  differences: ['temperature 0.2'],
});
const hot: ComparedVariant = {
  ...cool,
  request: { model: 'demo-chat', temperature: 0.9 },
  differences: ['temperature 0.9'],
};
const other = variant('b');
const cellAt = (rowId: string, variantId: string) => ({ rowId, variantId });

describe('a plan whose variants change between two turns', () => {
  it('keeps the earlier settings in the rows that were sent with them', () => {
    const first = { rows: [row('1', {}), row('2', {})], variants: [cool, other] };
    const sent = [cellAt('1', 'a'), cellAt('1', 'b'), cellAt('2', 'b')];
    const second = replaceVariants(first, [hot, other], sent);
    expect(second.variants).toEqual([hot, other]);
    // The second row has no cell for this variant.
    expect(second.rows.map(({ variants }) => variants)).toEqual([[cool], []]);
    expect(getCellVariant(second, cellAt('1', 'a'))).toEqual(cool);
    expect(getCellVariant(second, cellAt('1', 'b'))).toEqual(other);

    const rows = [...second.rows, row('3', {})];
    const third = replaceVariants({ ...second, rows }, [cool], [...sent, cellAt('3', 'a')]);
    expect(third.rows.map(({ variants }) => variants)).toEqual([[cool], [], [hot]]);
    expect(third.variants).toEqual([cool, other]);
    expect(isSameRequest(getCellVariant(third, cellAt('1', 'a')) ?? other, cool)).toBe(true);
  });

  it('renames the variant in every row', () => {
    const first = { rows: [row('1', {})], variants: [cool] };
    const sent = [cellAt('1', 'a')];
    const named = replaceVariants(first, [{ ...cool, name: 'Mine', differences: [] }], sent);
    expect(named.rows[0]?.variants).toEqual([]);
    const changed = replaceVariants(first, [hot], sent);
    const renamed = replaceVariants(changed, [{ ...hot, name: 'Mine' }], sent);
    expect(renamed.rows[0]?.variants).toEqual([{ ...cool, name: 'Mine' }]);
  });
});

const seeded = { request: { model: 'a', seed: 7 } };
it.each<[string, Partial<ComparedVariant>, Partial<ComparedVariant>, string[]]>([
  ['a field of the form', { request: { model: 'a', seed: 1 } }, seeded, ['seed 1']],
  ['a field that was not sent', {}, seeded, ['seed not sent']],
  [
    'extra fields',
    { extraBody: { top_k: 40 } },
    { extraBody: { min_p: 0 } },
    ['extra: top_k 40', 'extra: min_p not sent'],
  ],
  ['a renamed field', { wireNames: { seed: 's' } }, {}, ['seed as s']],
  ['a connection', { connectionId: 'else' }, {}, ['Staging']],
  ['its own differences once', { ...cool }, { ...hot }, ['temperature 0.2']],
  ['the model alone', { request: { model: 'b' } }, {}, []],
])('describes an earlier turn: %s', (_, before, now, words) => {
  const sent = variant('a', { differences: [], ...before });
  const newest = variant('a', { differences: [], ...now });
  expect(listPreviousSettings(sent, newest, 'Staging')).toEqual(words);
});

const comparison: Comparison = {
  id: 'c',
  operation: 'chat',
  title: 'Twice',
  createdAt: 0,
  conversationId: 'x',
  sourceComparisonId: null,
  repeats: 1,
  variants: [hot],
  rows: [{ ...row('1', {}), variants: [cool] }, row('2', {})],
};

function sentCell(place: number, rowId: string, ms: number): Cell {
  const run = makeRun({
    id: `run-${place}`,
    comparisonId: 'c',
    cell: place,
    model: 'demo-chat',
    startedAt: 0,
    finishedAt: ms,
  });
  return {
    place,
    rowId,
    variantId: 'a',
    repeat: 0,
    messageId: 'm',
    state: 'sent',
    attempts: 1,
    run,
    problem: null,
  };
}
const cells = [sentCell(0, '1', 1000), sentCell(1, '2', 3000)];
const hidden = { ...noNotes, blind: { isHidden: true, order: ['a'], picks: { '1/0': 'a' } } };

it('shows one line per turn’s settings, or a single line while names are hidden', () => {
  const table = createFiguresTable(comparison, getColumns(comparison, noNotes), cells, [
    totalFigure,
  ]);
  expect(getMarkdown(table).split('\n').slice(2)).toEqual([
    '| demo-chat | temperature 0.9 | 1 of 1 | 3.00 s |',
    '| demo-chat | temperature 0.2 | 1 of 1 | 1.00 s |',
  ]);
  const named = { ...comparison, variants: [{ ...hot, name: 'Mine' }] };
  const { lines } = createFiguresTable(named, getColumns(named, noNotes), cells, [totalFigure]);
  expect(lines[0]).toMatchObject({ name: 'Mine', differences: ['demo-chat', 'temperature 0.9'] });
  const blind = createFiguresTable(comparison, getColumns(comparison, hidden), cells, [
    totalFigure,
  ]);
  expect(blind.lines).toMatchObject([{ name: 'A', differences: [], requests: 2 }]);
});

it('shows the settings of an earlier answer unless names are hidden', () => {
  const path = cells.map(({ run }, at) => makeMessage({ id: `answer-${at}`, run }));
  const [column] = getColumns(comparison, noNotes);
  const [blind] = getColumns(comparison, hidden);
  if (column === undefined || blind === undefined) throw new Error('No column');
  expect([...getColumnNotes(comparison, column, cells, path)]).toEqual([
    ['answer-0', 'demo-chat · temperature 0.2'],
  ]);
  expect(getColumnNotes(comparison, blind, cells, path).size).toBe(0);
});

it('counts a blind pick for the settings of its turn', () => {
  const moved = { ...comparison, variants: [{ ...hot, request: { model: 'demo-other' } }] };
  const blind = { isHidden: false, order: ['a'], picks: { '1/0': 'a', '2/0': 'tie' } };
  const notes = { ...noNotes, blind };
  expect(countTally(moved, getColumns(moved, notes), cells, notes)).toEqual([
    { name: 'demo-other · temperature 0.9', picks: 0 },
    { name: 'demo-chat · temperature 0.2', picks: 1 },
    { name: 'Tie', picks: 1 },
  ]);
});

it('gives earlier settings unique names', () => {
  const changed = {
    ...comparison,
    variants: [
      { ...hot, id: 'a' },
      { ...cool, id: 'b' },
      { ...hot, id: 'c', name: 'Hot' },
    ],
    rows: [{ ...row('1', {}), variants: [cool, { ...cool, id: 'c' }] }, row('2', {})],
  };
  const all = ['a', 'b', 'c'].flatMap((variantId, at) => [
    { ...sentCell(2 * at, '1', 1000), variantId },
    { ...sentCell(2 * at + 1, '2', 3000), variantId },
  ]);
  const columns = getColumns(changed, noNotes);
  expect(listSentVariants(changed, columns, all).map(({ title }) => title)).toEqual([
    'demo-chat · temperature 0.9',
    'demo-chat (2) · temperature 0.2',
    'demo-chat · temperature 0.2',
    'Hot',
    'demo-chat (3) · temperature 0.2',
  ]);
  const lines = createFiguresTable(changed, columns, all, [totalFigure]).lines.map(
    ({ name, differences }) => [name, ...differences].join(' · '),
  );
  expect(new Set(lines).size).toBe(lines.length);
});
