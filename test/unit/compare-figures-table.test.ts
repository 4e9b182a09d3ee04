import { expect, test } from 'vitest';
import { countTally, getColumns, shuffle } from '../../renderer/run/compare/compare-columns.ts';
import { tokenFigures, totalFigure } from '../../renderer/run/compare/compare-panel.ts';
import {
  createFiguresTable,
  getCsv,
  getMarkdown,
  sortLines,
} from '../../renderer/run/compare/figures-table.ts';
import type { Cell, Comparison } from '../../shared/comparison.ts';
import { noNotes } from '../../shared/comparison-notes.ts';
import type { RunStatus } from '../../shared/run.ts';
import { row, variant } from '../fixtures/comparisons.ts';
import { runSummary } from '../fixtures/run-view.ts';

const named = (id: string, name = '') =>
  variant(id, {
    name,
    request: { model: `model-${id}` },
    differences: id === 'a' ? [] : ['speed 2', 'voice a|b'],
  });

const comparison: Comparison = {
  id: 'c',
  operation: 'speech',
  title: 'Title',
  createdAt: 0,
  conversationId: null,
  sourceComparisonId: null,
  repeats: 3,
  rows: [row('input', {})],
  variants: [named('a'), named('b', '=HYPERLINK("x")')],
};

function cell(place: number, variantId: string, ms: number, status: RunStatus = 'succeeded'): Cell {
  const run = runSummary({
    id: `run-${place}`,
    operation: 'speech',
    model: 'm',
    status,
    createdAt: 1000,
    startedAt: 1000,
    finishedAt: 1000 + ms,
  });
  const where = { place, rowId: 'input', variantId, repeat: place, messageId: null };
  return { ...where, state: 'sent', attempts: 1, run, problem: null };
}

const cells = [
  cell(0, 'a', 1000),
  cell(1, 'a', 3000),
  cell(2, 'a', 2000),
  cell(3, 'b', 500),
  cell(4, 'b', 90_000, 'failed'),
];

const columns = getColumns(comparison, noNotes);
const table = createFiguresTable(comparison, columns, cells, [totalFigure, ...tokenFigures]);

test('computes medians and quartiles of successful requests', () => {
  expect(table.figures.map(({ id }) => id)).toEqual(['total']);
  const [a, b] = table.lines;
  expect(a?.values[0]).toMatchObject({ median: 2000, lowerQuartile: 1500, upperQuartile: 2500 });
  expect(a).toMatchObject({ succeeded: 3, requests: 3, isBest: [false] });
  expect(b).toMatchObject({ succeeded: 1, requests: 2, isBest: [true] });
});

test('sorts by a figure, with variants that lack it last', () => {
  const ofA = cells.filter(({ variantId }) => variantId === 'a');
  const without = createFiguresTable(comparison, columns, ofA, [totalFigure]);
  const ids = (of: typeof table, descending: boolean) =>
    sortLines(of, { by: 'total', descending }).map(({ id }) => id);
  expect([ids(without, true), ids(without, false)].join(' | ')).toBe('a,b | a,b');
  expect([ids(table, true), ids(table, false)].join(' | ')).toBe('a,b | b,a');
});

test('escapes Markdown and CSV, and prevents formulas', () => {
  expect(getMarkdown(table).split('\n')).toEqual([
    '| Variant | Differences | Succeeded | Total time |',
    '| --- | --- | --- | --- |',
    '| model-a |  | 3 of 3 | 2.00 s (1.50 s–2.50 s) |',
    '| =HYPERLINK("x") | model-b; speed 2; voice a\\|b | 1 of 2 | 500 ms |',
  ]);
  expect(getCsv(table).split('\r\n')).toEqual([
    'Variant,Differences,Succeeded,Requests,Total time [ms] (median),Total time [ms] (Q1),Total time [ms] (Q3)',
    'model-a,,3,3,2000,1500,2500',
    `"'=HYPERLINK(""x"")",model-b; speed 2; voice a|b,1,2,500,500,500`,
  ]);
});

test('counts a stopped request as neither sent nor failed', () => {
  const stopped = [...cells, cell(5, 'a', 10, 'cancelled'), cell(6, 'b', 20, 'cancelled')];
  const unsent: Cell = { ...cell(7, 'b', 0), state: 'dropped', run: null };
  const counted = createFiguresTable(comparison, columns, [...stopped, unsent], [totalFigure]);
  expect(counted.lines.map(({ values }) => values)).toEqual(
    table.lines.map(({ values }) => values),
  );
  expect(getMarkdown(counted)).toContain('| 3 of 3 · 1 stopped |');
  expect(getMarkdown(counted)).toContain('| 1 of 2 · 2 stopped |');
  expect(getCsv(counted)).toMatch(/^Variant,Differences,Succeeded,Requests,Stopped,Total time/);
  const only = createFiguresTable(comparison, columns, [unsent], [totalFigure]);
  expect(getMarkdown(only)).toContain('| 1 stopped |');
});

test('shows letters while names are hidden, and counts picks afterwards', () => {
  const picks = { 'input/3': 'b', 'input/4': 'b', 'input/2': 'tie' };
  const blind = { isHidden: true, order: ['b', 'a'], picks };
  const hidden = getColumns(comparison, { ...noNotes, blind });
  expect(hidden.map(({ name, variant: { id } }) => [name, id].join())).toEqual(['A,b', 'B,a']);
  const { lines } = createFiguresTable(comparison, hidden, cells, []);
  expect(lines.flatMap(({ differences }) => differences)).toEqual([]);
  const notes = { ...noNotes, blind: { ...blind, isHidden: false } };
  expect(countTally(comparison, getColumns(comparison, notes), cells, notes)).toEqual([
    { name: '=HYPERLINK("x")', picks: 2 },
    { name: 'model-a', picks: 0 },
    { name: 'Tie', picks: 1 },
  ]);
});

test('shuffles into every possible order', () => {
  const orders = new Set<string>();
  for (let first = 0; first < 3; first += 1) {
    for (let second = 0; second < 2; second += 1) {
      const draws = [first / 3 + 0.01, second / 2 + 0.01];
      orders.add(shuffle(['a', 'b', 'c'], () => draws.shift() ?? 0).join(''));
    }
  }
  expect([...orders].sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
});

test('lists facts before figures, each once for a variant', () => {
  const facts = [
    { id: 'model', label: 'Model', help: '', of: ({ run }: Cell) => run?.model ?? null },
    { id: 'nowhere', label: 'Nowhere', help: '', of: () => null },
  ];
  const said = createFiguresTable(comparison, columns, cells, [totalFigure], facts);
  expect(said.facts.map(({ label }) => label)).toEqual(['Model']);
  expect(said.lines.map((line) => line.facts)).toEqual(said.lines.map(() => ['m']));
  expect(getMarkdown(said).split('\n')[0]).toBe(
    '| Variant | Differences | Succeeded | Model | Total time |',
  );
  expect(getCsv(said)).toMatch(/^Variant,Differences,Succeeded,Requests,Model,Total time/);
});
