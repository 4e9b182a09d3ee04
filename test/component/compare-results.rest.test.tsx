import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { render } from 'vitest-browser-react';
import { CompareGrid, RowPick } from '../../renderer/run/compare/compare-grid.tsx';
import { costFigure, sizeFigure, totalFigure } from '../../renderer/run/compare/compare-panel.ts';
import { emptyVariant } from '../../renderer/run/compare/variant-form.ts';
import { fillVariants, getVariants } from '../../renderer/run/compare/variants.ts';
import { forgetPasted, showPastedNotice } from '../../renderer/run/form/pasted-notice.ts';
import type { Cell, Comparison } from '../../shared/comparison.ts';
import { noNotes } from '../../shared/comparison-notes.ts';
import type { JsonObject } from '../../shared/json.ts';
import { runView } from '../fixtures/run-view.ts';
import { api, main } from './panel-fake-main.ts';

import { resetPanels } from './panel-fixtures.tsx';
import { boxOf, form, openPanel, openRankings } from './ranking-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  location.hash = '#/rerank';
  resetPanels();
});

const variant = (id: string) => ({
  id,
  name: id,
  connectionId: 'demo',
  request: { model: id },
  extraBody: {},
  wireNames: {},
  differences: [],
});

const warnings = [
  'A result refers to a document that wasn’t sent.',
  'Two results refer to the same document.',
];

describe('two rankings', () => {
  it('lists a response’s warnings in its cell', async () => {
    const { cell } = await openRankings({ warnings });
    const listed = cell('second').getByRole('list', { name: 'Warnings' });
    for (const warning of warnings) await expect.element(listed.getByText(warning)).toBeVisible();
    expect(cell('first').getByRole('list', { name: 'Warnings' }).elements()).toEqual([]);
  });
});

describe('Blind', () => {
  it('hides times and warnings that could reveal a model', async () => {
    const blind = { isHidden: true, order: ['second', 'first'], picks: {} };
    const { results, cell } = await openRankings({ notes: { blind }, warnings });
    await expect.element(cell('A')).toBeVisible();
    expect(results.getByText(/46 ms/).elements()).toEqual([]);
    expect(results.getByText(/^(first|second)$/).elements()).toEqual([]);
    const listed = results.getByRole('list', { name: 'Warnings' });
    await expect.element(listed.getByText('2 warnings. Turn off Blind to see.')).toBeVisible();
    expect(listed.getByText('Two results').elements()).toEqual([]);
    await results.getByText('Metrics', { exact: true }).click();
    await expect
      .element(results.getByText('Metrics appear after the first successful request.'))
      .toBeVisible();
  });
});

describe('Blind', () => {
  const hidden = { isHidden: true, order: ['second', 'first'], picks: {} };
  const reveal = {
    kind: 'blind',
    blind: { isHidden: false, order: ['second', 'first'] },
  };

  it('shows the names once the best is picked', async () => {
    const { results } = await openRankings({ notes: { blind: hidden } });
    await results.getByRole('radiogroup', { name: 'Best' }).getByText('A').click();
    await expect
      .poll(() => main.noted)
      .toEqual([{ kind: 'pick', place: 'input/0', pick: 'second' }, reveal]);
  });

  it('waits for a pick in every row', async () => {
    const row = { cells: [], label: '', repeat: 0 };
    const rows = ['one', 'two'].map((rowId) => ({ ...row, rowId }));
    const notes = { ...noNotes, blind: { ...hidden, picks: { 'two/0': 'first' } } };
    const columns = ['second', 'first'].map((id, at) => {
      const name = 'AB'.charAt(at);
      return { variant: variant(id), name, title: name, isHidden: true };
    });
    const [first = expect.fail(), second = expect.fail()] = rows;
    const shared = { comparisonId: 'c', notes, rows, columns };
    const screen = await render(
      <>
        <RowPick {...shared} row={second} />
        <RowPick {...shared} row={first} />
      </>,
    );
    await screen.getByRole('radio', { name: 'Tie' }).first().click();
    await expect.poll(() => main.noted).toEqual([{ kind: 'pick', place: 'two/0', pick: 'tie' }]);
    await screen.getByRole('radio', { name: 'Tie' }).last().click();
    await expect
      .poll(() => main.noted.slice(1))
      .toEqual([{ kind: 'pick', place: 'one/0', pick: 'tie' }, reveal]);
  });
});

it('asks before it resends requests whose response was lost', async () => {
  const retry = vi.spyOn(api.comparisons, 'retry');
  const { screen, results } = await openRankings({ second: 'unknown' });
  const question = screen.getByRole('alertdialog', { name: 'Retry 1 request?' });
  await results.getByRole('button', { name: 'Retry failed' }).click();
  await expect.element(question).toMatchTextContent(/may have been processed and billed/);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(retry).not.toHaveBeenCalled();
  await results.getByRole('button', { name: 'Retry failed' }).click();
  await question.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect.poll(() => retry.mock.lastCall?.[0]).toMatchObject({ id: 'ranked', places: null });
});

it('asks before variants get a request that was pasted for another gateway', async () => {
  const start = vi.spyOn(api.comparisons, 'start');
  const { screen } = await openRankings();
  fillVariants(form, [emptyVariant, { ...emptyVariant, name: 'Other' }], 'instead');
  showPastedNotice(form, {
    message: 'Pasted a rerank request.',
    unknownOrigin: 'https://new.example',
    action: null,
  });
  onTestFinished(() => forgetPasted(form));
  const run = screen.getByRole('button', { name: 'Run', exact: true });
  await run.click();
  const question = screen.getByRole('alertdialog', { name: 'Send to the variants’ connections?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(start).not.toHaveBeenCalled();
  await run.click();
  await question.getByRole('button', { name: /^Send to/ }).click();
  await expect.poll(() => start.mock.calls.length).toBe(1);
});

it('shows a time whole or not at all, at every width', async () => {
  const { results } = await openRankings();
  const figures = [...results.element().querySelectorAll('[data-time]')];
  expect(figures.length).toBeGreaterThan(0);
  const box = figures[0]?.parentElement ?? expect.fail();
  let shown = 0;
  for (let width = 0; width <= 240; width += 4) {
    box.style.flex = `0 0 ${width}px`;
    const outer = box.getBoundingClientRect();
    for (const figure of box.children) {
      const { left, right, top, bottom } = figure.getBoundingClientRect();
      if (top >= outer.bottom || bottom <= outer.top) continue;
      shown += 1;
      expect(left, `${width} px`).toBeGreaterThanOrEqual(outer.left);
      expect(right, `${width} px`).toBeLessThanOrEqual(outer.right);
    }
  }
  expect(shown).toBeGreaterThan(0);
});

it('opens the second variant’s picker, and labels Connection and Model', async () => {
  const screen = await openPanel();
  await screen.getByRole('button', { name: 'Compare', exact: true }).click();
  const editor = screen.getByRole('dialog', { name: 'Edit variant' });
  const model = editor.getByRole('combobox', { name: 'Model' });
  await expect.element(model).toHaveFocus();
  await expect.element(model).toHaveValue('');
  await expect.element(model).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('{Escape}');
  for (const label of ['Connection', 'Model']) {
    const shown = editor.getByText(label, { exact: true });
    await expect.element(shown).toBeVisible();
    expect(boxOf(shown).width).toBeGreaterThan(20);
  }
  const [, second] = getVariants(form.state.getState().values.variants);
  expect(second?.models).toEqual({ demo: '' });
});

/** A comparison of takes of one text, and its cells before they are sent. */
function makeTakes(ids: readonly string[], request: JsonObject = {}) {
  const comparison: Comparison = {
    id: 'takes',
    title: 'Gates',
    operation: 'speech',
    createdAt: 0,
    repeats: 1,
    conversationId: null,
    sourceComparisonId: null,
    variants: ids.map(variant),
    rows: [{ id: 'r', label: '', sourceRunId: null, variants: [], request }],
  };
  const cells = ids.map((id, place): Cell => {
    return {
      place,
      rowId: 'r',
      repeat: 0,
      variantId: id,
      state: 'waiting',
      run: null,
      problem: null,
      messageId: null,
      attempts: 0,
    };
  });
  const columns = ids.map((id) => {
    return { variant: variant(id), name: id, title: id, isHidden: false };
  });
  return { comparison, cells, columns };
}

it('shows six results as rows if columns don’t fit', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const figures = [totalFigure, sizeFigure, costFigure];
  const screen = await render(
    <div style={{ width: 900 }}>
      <CompareGrid {...makeTakes(ids)} Result={undefined} figures={figures} fitsRows />
    </div>,
  );
  const boxes = () =>
    screen
      .getByRole('article')
      .elements()
      .map((element) => element.getBoundingClientRect());
  await expect.poll(() => boxes().map(({ left }) => left)).toEqual(ids.map(() => boxes()[0]?.left));
  expect(boxes()).toHaveLength(6);
  expect(boxes().every(({ height }) => height < 80)).toBe(true);
  expect(screen.getByRole('tab').elements()).toEqual([]);
});

it('starts columns at the question, and ends them in aligned metrics', async () => {
  const question = 'The gate opens at dawn.';
  const { comparison, cells, columns } = makeTakes(['short', 'long'], { input: question });
  const sent = cells.map((cell, at): Cell => {
    const times = { createdAt: 0, startedAt: 0, finishedAt: 200 * (at + 1) };
    const run = runView('speech', { id: `run-${at}`, status: 'succeeded', ...times });
    return { ...cell, state: 'sent', run };
  });
  const screen = await render(
    <div style={{ width: 900 }}>
      <CompareGrid
        comparison={comparison}
        cells={sent}
        columns={columns}
        Result={({ run }) => <p style={{ height: run.id === 'run-1' ? 300 : 20 }}>{run.id}</p>}
        figures={[totalFigure, costFigure]}
        readQuestion={({ input }) => (typeof input === 'string' ? input : null)}
      />
    </div>,
  );
  const asked = screen.getByRole('heading', { name: question });
  const answered = screen.getByText('run-0');
  await expect.element(asked).toBeVisible();
  await expect.element(answered).toBeVisible();
  expect(boxOf(asked).bottom).toBeLessThanOrEqual(boxOf(answered).top);
  const labels = screen.getByRole('term').elements();
  expect(labels.map(({ textContent }) => textContent)).toEqual([
    'Total time',
    'Est. cost',
    'Total time',
    'Est. cost',
  ]);
  expect(new Set(labels.map((label) => label.getBoundingClientRect().top)).size).toBe(1);
  const values = screen.getByRole('definition').elements();
  expect(values.map(({ textContent }) => textContent)).toEqual(['200 ms', '–', '400 ms', '–']);
});

it('lists nDCG of labeled rankings among the metrics', async () => {
  const { results } = await openRankings({ notes: { labels: { 0: 3, 1: 0 } } });
  await results.getByText('Metrics', { exact: true }).click();
  const table = results.getByRole('table', { name: 'Metrics' });
  await expect.element(table.getByRole('button', { name: 'nDCG@10' })).toBeVisible();
  await expect.element(table.getByText(/1\.000$/).first()).toBeVisible();
});
