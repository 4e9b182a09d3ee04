import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { openPanel, type Panel } from './every-panel.tsx';
import { api, main } from './panel-fake-main.ts';
import { resetPanels } from './panel-fixtures.tsx';

beforeEach(() => resetPanels());

/** Lists, for each panel, the request field that its examples fill. */
it.each<[Panel, string]>([
  ['completion', 'prompt'],
  ['image', 'contents'],
  ['video', 'prompt'],
  ['rerank', 'query'],
  ['speech', 'input'],
  ['transcription', 'response_format'],
  ['console', 'path'],
])('offers three runnable examples of %s, and a way to connect a gateway', async (panel, field) => {
  const { screen, button } = await openPanel(panel);
  const examples = screen.getByRole('list', { name: 'Examples' }).getByRole('button');
  await expect.element(button('Connect your gateway')).toBeVisible();
  for (const index of [0, 1, 2]) {
    await expect.poll(() => examples.elements().length).toBe(3);
    await expect.element(examples.nth(index)).not.toHaveAttribute('aria-disabled');
    const example = examples.nth(index).element();
    if (example instanceof HTMLElement) example.click();
    await expect.poll(() => main.started.length).toBe(index + 1);
    await expect.poll(() => panelForms[panel].state.getState().values.runId).not.toBeNull();
    // Start from a panel that hasn't run anything yet.
    panelForms[panel].change({ runId: null });
    if (panel === 'transcription') panelForms.transcription.change({ input: { mediaId: null } });
  }
  const fields = main.started.map(({ request }) => JSON.stringify(request[field]));
  expect(new Set(fields).size).toBe(3);
  expect(fields).not.toContain(undefined);
});

it('waits for the models without showing a warning', async () => {
  const listed = Promise.withResolvers<void>();
  const suggest = vi.spyOn(api.models, 'suggest').mockImplementation(async () => {
    await listed.promise;
    return main.models;
  });
  onTestFinished(() => suggest.mockRestore());
  main.models = { ...main.models, preselected: null };
  const { screen } = await openPanel('completion');
  const model = screen.getByRole('combobox', { name: 'Model' });
  await expect.element(model).toHaveAttribute('placeholder', 'Loading models…');
  const example = screen.getByRole('list', { name: 'Examples' }).getByRole('button').first();
  await expect.element(example).toHaveAttribute('data-tooltip', 'Models are still loading.');
  await expect.element(screen.getByText(/first\.|loading\./)).not.toBeInTheDocument();
  listed.resolve();
  await expect.element(screen.getByText('Choose a model first.')).toBeVisible();
  await expect.element(model).toHaveAttribute('placeholder', 'Choose a model');
});
