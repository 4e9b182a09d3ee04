import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { LinkLostError } from '../../renderer/lib/link.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { RunPickers } from '../../renderer/run/form/run-pickers.tsx';
import { storedFields } from './fake-forms.ts';
import { resetForms } from './forms-fixtures.ts';
import { recordToasts } from './notes.ts';
import { api, main, resetMain } from './panel-fake-main.ts';
import { demo, demoModels, mine, Queries } from './params-fixtures.tsx';

beforeEach(() => {
  resetForms();
  resetMain();
  main.connections = [demo, mine];
  main.models = demoModels;
});

afterEach(() => vi.restoreAllMocks());

async function pickers() {
  await panelForms.completion.load();
  return render(
    <Queries>
      <RunPickers form={panelForms.completion} />
    </Queries>,
  );
}

test('preselects a model of the connection', async () => {
  const suggest = vi.spyOn(api.models, 'suggest');
  const screen = await pickers();
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-story');
  expect(suggest.mock.lastCall?.[0]).toEqual({
    connectionId: 'demo',
    operation: 'completion',
  });
});

test('accepts any model name and keeps it for the connection', async () => {
  const screen = await pickers();
  await screen.getByRole('combobox', { name: 'Model' }).fill('my/own-model');
  await expect.poll(() => storedFields('completion')).toEqual({ 'models.demo': 'my/own-model' });
});

test('notes a missing list and still accepts a name', async () => {
  main.models = {
    models: [],
    preselected: null,
    listProblem: 'The gateway has no model list (404).',
  };
  const screen = await pickers();
  await screen.getByRole('combobox', { name: 'Model' }).click();
  await expect.element(screen.getByText('The gateway has no model list (404).')).toBeVisible();
  expect(screen.getByRole('alert').elements()).toHaveLength(0);
  await userEvent.keyboard('large');
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('large');
});

test('chooses the connection for all panels', async () => {
  const screen = await pickers();
  await screen.getByRole('combobox', { name: 'Connection' }).selectOptions('Mine');
  await expect.poll(() => main.settings.selectedConnectionId).toBe('mine');
});

test('reports that a connection couldn’t be chosen', async () => {
  vi.spyOn(api.settings, 'update').mockRejectedValueOnce(new LinkLostError());
  const toasts = recordToasts();
  const screen = await pickers();
  await screen.getByRole('combobox', { name: 'Connection' }).selectOptions(mine.name);
  await vi.waitFor(() =>
    expect(toasts).toMatchObject([{ message: 'Lost connection to Gatehouse.', tone: 'danger' }]),
  );
});
