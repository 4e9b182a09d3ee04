import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { HistoryPanel } from '../../renderer/features/history/history-panel.tsx';
import { clearFilters, useHistory } from '../../renderer/features/history/history-store.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels } from './panel-fixtures.tsx';

beforeEach(() => {
  resetPanels();
  useHistory.setState({ shownId: null, marked: new Set(), compared: null, compareFrom: null });
  clearFilters();
  for (const [index, id] of ['first', 'second', 'third'].entries()) {
    const operation = id === 'first' ? 'rerank' : 'completion';
    const more = { preview: `The ${id} run`, status: 'succeeded', createdAt: index } as const;
    layDown(runView(operation, { ...more, id, finishedAt: index + 1 }));
  }
});

const row = (id: string) => page.getByRole('option', { name: new RegExp(`The ${id} run`) });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

const history = (width: number) => (
  <PanelPage width={width}>
    <HistoryPanel />
  </PanelPage>
);

async function open(width = 1276) {
  await page.viewport(1900, 860);
  const screen = await render(history(width));
  await expect.element(row('third')).toBeVisible();
  return screen;
}

function layDownHeron(): void {
  const of = { id: 'heron', comparisonId: 'birds', cell: 0, createdAt: 10 };
  layDown(runView('completion', { ...of, preview: 'Heron', status: 'succeeded' }));
}

it('keeps rows 36 pixels high at every width', async () => {
  main.comparisons = [
    {
      id: 'birds',
      title: 'The herons run',
      createdAt: 10,
      conversationId: null,
      requests: 30,
      unsent: 0,
      running: 0,
      succeeded: 12,
      failed: 9,
      stopped: 9,
    },
  ];
  layDownHeron();
  const { rerender } = await open(1836);
  for (const width of [1836, 1276, 908]) {
    await rerender(history(width));
    await expect.element(row('third')).toBeVisible();
    for (const option of page.getByRole('listbox', { name: 'Runs' }).getByRole('option').all()) {
      expect(option.element().getBoundingClientRect().height).toBe(36);
    }
    const status = row('herons').getByText('12 succeeded, 9 failed, 9 stopped').element();
    expect(getComputedStyle(status).textOverflow).toBe('ellipsis');
    const cell = status.parentElement?.parentElement;
    expect(status.getBoundingClientRect().right).toBeLessThanOrEqual(
      (cell?.getBoundingClientRect().right ?? 0) + 0.5,
    );
    for (const box of page.getByRole('search').getByRole('combobox').all()) {
      expect(box.element().getBoundingClientRect().width).toBeGreaterThan(90);
    }
  }
});

it('compares a run with one from a comparison, but not from another panel', async () => {
  layDownHeron();
  await open();
  await row('third').click();
  await button('Compare with…').click();
  await expect
    .element(page.getByText('Select another Completion run, then Compare.'))
    .toBeVisible();
  await expect.element(button('Cancel comparing')).toHaveFocus();
  await row('first').click();
  await expect.element(button('Compare with…')).toBeVisible();
  await row('third').click();
  await button('Cancel comparing').click();
  await row('second').click();
  await expect.element(button('Compare with…')).toBeVisible();

  await button('Compare with…').click();
  useHistory.getState().showRun('heron', 'birds');
  await button(/^Compare with .*\d/).click();
  await expect.element(page.getByRole('article', { name: 'Run differences' })).toBeVisible();
  expect(useHistory.getState().compared).toEqual(['second', 'heron']);
  await button('Back to runs').click();
  await expect.element(button('Compare with…')).toBeVisible();
});
