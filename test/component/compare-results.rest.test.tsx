import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { getVariants } from '../../renderer/run/compare/variants.ts';

import { resetPanels } from './panel-fixtures.tsx';
import { boxOf, form, openPanel, openRankings } from './ranking-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  location.hash = '#/rerank';
  resetPanels();
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
