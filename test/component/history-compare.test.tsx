import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
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
const differences = () => page.getByRole('article', { name: 'Run differences' });

async function open({ width = 1276, height = 836 } = {}) {
  await page.viewport(width, height + 24);
  await render(
    <PanelPage width={width} height={height}>
      <HistoryPanel />
    </PanelPage>,
  );
  await expect.element(row('third')).toBeVisible();
}

describe('the list of runs', () => {
  it.each([908, 1276, 1836])('has rows of 36 pixels in a panel of %i pixels', async (width) => {
    main.comparisons = [
      {
        ...{ id: 'birds', title: 'The herons run', createdAt: 10, conversationId: null },
        ...{ requests: 30, unsent: 0, running: 0, succeeded: 12, failed: 9, stopped: 9 },
      },
    ];
    const of = { id: 'heron', comparisonId: 'birds', cell: 0, createdAt: 10 };
    layDown(runView('completion', { ...of, preview: 'Heron', status: 'succeeded' }));
    await open({ width });
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
  });

  it('selects and compares two runs of a panel by keyboard', async () => {
    await open();
    row('third').element().focus();
    await userEvent.keyboard(' {ArrowDown} ');
    await expect.element(page.getByText('2 selected')).toBeVisible();
    button('Compare').element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(differences()).toBeVisible();
    await expect.element(button('Back to runs')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(row('third')).toHaveFocus();
    await expect.element(button('Delete selected')).toBeVisible();
  });
});

describe('Compare with', () => {
  it('compares a run of a comparison with a single run', async () => {
    const of = { id: 'heron', comparisonId: 'birds', cell: 0, createdAt: 10 };
    layDown(runView('completion', { ...of, preview: 'Heron', status: 'succeeded' }));
    await open();
    await row('third').click();
    await button('Compare with…').click();
    await expect
      .element(page.getByText('Select another Completion run, then Compare.'))
      .toBeVisible();
    await expect.element(button('Cancel comparing')).toHaveFocus();
    useHistory.getState().showRun('heron', 'birds');
    await button(/^Compare with .*\d/).click();
    await expect.element(differences()).toBeVisible();
    expect(useHistory.getState().compared).toEqual(['third', 'heron']);
    await button('Back to runs').click();
    await expect.element(button('Compare with…')).toBeVisible();
  });

  it('offers no run of another panel, and can be canceled', async () => {
    await open();
    await row('third').click();
    await button('Compare with…').click();
    await row('first').click();
    await expect.element(button('Compare with…')).toBeVisible();
    await row('third').click();
    await button('Cancel comparing').click();
    await row('second').click();
    await expect.element(button('Compare with…')).toBeVisible();
  });
});
