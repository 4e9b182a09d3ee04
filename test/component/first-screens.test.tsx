import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-react';

import { App } from '../../renderer/app/app.tsx';
import { useConnectDialog } from '../../renderer/lib/connections.ts';
import { panelLabel } from '../../renderer/lib/panels.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { api, demo, main } from './shell-fake-main.ts';
import { resetShellWithModels } from './shell-fixtures.ts';

beforeEach(async () => {
  await resetShellWithModels();
});

/** The field of the request in which the examples of a panel differ. */
const differingFields = [
  ['completion', 'prompt'],
  ['image', 'contents'],
  ['video', 'prompt'],
  ['rerank', 'query'],
  ['speech', 'input'],
  ['transcription', 'response_format'],
  ['console', 'path'],
] as const;

it('offers three examples that run at once in each panel', async () => {
  const screen = await render(<App />);
  for (const [panel, field] of differingFields) {
    location.hash = `#/${panel}`;
    const heading = screen.getByRole('heading', { level: 1, name: panelLabel(panel) });
    await expect.element(heading).toBeVisible();
    const examples = screen.getByRole('list', { name: 'Examples' }).getByRole('button');
    await expect.poll(() => examples.elements().length).toBe(3);
    await expect.element(examples.first()).not.toHaveAttribute('aria-disabled');
    main.started.length = 0;
    for (const index of [0, 1, 2]) {
      await examples.nth(index).click();
      await expect.poll(() => main.started.length).toBe(index + 1);
      await expect.element(screen.getByRole('region', { name: 'Result' })).toBeVisible();
      // As in a panel that has run nothing yet.
      panelForms[panel].change({ runId: null });
      if (panel === 'transcription') panelForms.transcription.change({ input: { mediaId: null } });
      await expect.poll(() => examples.elements().length).toBe(3);
    }
    const requests = main.started.map(({ request }) => JSON.stringify(request[field]));
    expect(new Set(requests).size).toBe(3);
    expect(requests).not.toContain(undefined);
    await expect
      .element(screen.getByRole('button', { name: 'Connect your gateway' }))
      .toBeVisible();
  }
  await screen.getByRole('button', { name: 'Connect your gateway' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Add connection' })).toBeVisible();
  useConnectDialog.setState({ open: false });
});

it('offers no gateway if one is connected', async () => {
  main.connections = [demo, { ...demo, id: 'mine', kind: 'custom', name: 'Mine' }];
  location.hash = '#/completion';
  const screen = await render(<App />);
  await expect.element(screen.getByRole('list', { name: 'Examples' })).toBeVisible();
  await expect
    .element(screen.getByRole('button', { name: 'Connect your gateway' }))
    .not.toBeInTheDocument();
});

it('waits for the models, and shows no warning meanwhile', async () => {
  const listed = Promise.withResolvers<void>();
  const suggest = vi.spyOn(api.models, 'suggest').mockImplementation(async () => {
    await listed.promise;
    return main.models;
  });
  onTestFinished(() => suggest.mockRestore());
  main.models = { ...main.models, preselected: null };
  location.hash = '#/completion';
  const screen = await render(<App />);
  const model = screen.getByRole('combobox', { name: 'Model' });
  await expect.element(model).toHaveAttribute('placeholder', 'Loading models…');
  const example = screen.getByRole('list', { name: 'Examples' }).getByRole('button').first();
  await expect.element(example).toHaveAttribute('data-tooltip', 'Models are still loading.');
  await expect.element(screen.getByText(/first\.|loading\./)).not.toBeInTheDocument();
  listed.resolve();
  await expect.element(screen.getByText('Choose a model first.')).toBeVisible();
  await expect.element(model).toHaveAttribute('placeholder', 'Choose a model');
});
