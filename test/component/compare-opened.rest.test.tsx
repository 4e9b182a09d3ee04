import { beforeEach, expect, it } from 'vitest';

import { useLinkState } from '../../renderer/lib/link-state.ts';
import { openComparison } from '../../renderer/run/compare/open-comparison.ts';
import { setComparing } from '../../renderer/run/compare/variants.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import type { Comparison } from '../../shared/comparison.ts';
import { appError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { main } from './panel-fake-main.ts';
import { openVideoPanel, resetVideoPanel } from './video-fixtures.tsx';

beforeEach(() => {
  resetVideoPanel();
  useLinkState.setState('open', true);
});

/** Stores a comparison whose form had the extra parameter `camera`. */
function layDownScenes(): void {
  const variant = (id: string, differences: string[], request: JsonObject) => ({
    id,
    name: '',
    connectionId: 'demo',
    extraBody: {},
    wireNames: {},
    differences,
    request: { model: 'demo-model', ...request },
  });
  const scenes: Comparison = {
    id: 'scenes',
    title: 'Scenes',
    operation: 'video',
    createdAt: 0,
    repeats: 2,
    conversationId: null,
    sourceComparisonId: null,
    rows: [
      {
        id: 'input',
        label: 'A boat',
        sourceRunId: null,
        variants: [],
        request: { prompt: 'A boat', metadata: { camera: 'ink' } },
      },
    ],
    variants: [
      variant('plain', [], {}),
      variant('oil', ['camera oil'], { metadata: { camera: 'oil' } }),
      variant('lake', ['“A lake”'], { prompt: 'A lake', duration: 4 }),
    ],
  };
  main.plans.set('scenes', scenes);
}

it('names a deleted connection in its cell and opens the variant', async () => {
  layDownScenes();
  const scenes = main.plans.get('scenes') ?? expect.fail();
  const variants = scenes.variants.map((variant) => ({ ...variant, connectionId: 'gone' }));
  main.plans.set('scenes', { ...scenes, variants, repeats: 1 });
  const problem = appError('not-found', 'This connection no longer exists.', 'Choose another.');
  main.cells.set(
    'scenes',
    variants.map(({ id }, place) => ({
      place,
      rowId: 'input',
      variantId: id,
      repeat: 0,
      messageId: null,
      state: 'dropped',
      attempts: 0,
      run: null,
      problem,
    })),
  );
  const screen = await openVideoPanel();
  await openComparison('scenes');
  const cell = screen.getByRole('article', { name: 'demo-model · camera oil' });
  await expect
    .element(cell.getByRole('alert'))
    .toMatchTextContent(/This variant’s connection was deleted\./);
  await cell.getByRole('button', { name: 'Edit variant' }).click();
  const editor = screen.getByRole('dialog', { name: 'Edit variant' });
  await expect.element(editor.getByRole('combobox', { name: 'camera' })).toHaveValue('oil');
  await expect.element(editor.getByRole('combobox', { name: 'Connection' })).toBeVisible();
});

it('offers Undo next to the variants, explains what Run needs, and shows the limit', async () => {
  const known = { format: '', ownedBy: null, usedAt: null, description: null };
  main.models.models = Array.from({ length: 101 }, (_, at) => ({
    ...known,
    id: `model-${at}`,
    fits: true,
    facts: null,
    price: null,
  }));
  const screen = await openVideoPanel();
  setComparing(panelForms.video, true);
  const bar = screen.getByRole('region', { name: 'Variants' });
  const more = bar.getByRole('button', { name: /^More actions for demo-model/ });
  for (const name of ['demo-model (1)', 'demo-model (2)']) {
    await expect.element(bar.getByRole('group', { name, exact: true })).toBeVisible();
    await expect.element(bar.getByRole('button', { name: `Edit ${name}` })).toBeVisible();
  }
  const pick = async (item: string) => {
    await more.first().click();
    await screen.getByRole('menuitem', { name: item }).click();
  };
  await pick('Remove');
  await expect.element(bar.getByText('Variant removed')).toBeVisible();
  await expect.element(bar.getByRole('group', { name: 'demo-model', exact: true })).toBeVisible();
  await pick('Exclude');
  const run = screen.getByRole('button', { name: 'Run', exact: true });
  await expect.element(run).toHaveAttribute('data-tooltip', 'Include a variant first.');
  await bar.getByRole('button', { name: 'Undo' }).click();
  await expect.element(more.nth(1)).toBeVisible();

  await screen.getByRole('button', { name: 'From a list…' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Create variants from a list' });
  const status = dialog.getByRole('status');
  const hint = status.getByText(/The limit is 100 variants/);
  const colorOf = (element: Element) => getComputedStyle(element).color;
  await expect.element(hint).toBeVisible();
  expect(colorOf(hint.element())).toBe(colorOf(status.element()));
  // The limit becomes an error only after the user has chosen models.
  await dialog.getByRole('textbox', { name: 'Name contains' }).fill('model');
  expect(colorOf(hint.element())).not.toBe(colorOf(status.element()));
  const models = dialog.getByRole('group', { name: 'Chosen models' });
  await models.getByRole('checkbox', { name: /^All/ }).click();
  await expect.element(status).toMatchTextContent(/^0 variants/);
  await models.getByRole('checkbox', { name: 'model-3', exact: true }).click();
  await expect.element(status).toMatchTextContent(/^1 variant:/);
});
