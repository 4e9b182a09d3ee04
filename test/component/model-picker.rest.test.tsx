import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { modelSuggestion } from '../fixtures/model-suggestion.ts';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { LinkLostError } from '../../renderer/lib/link.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { getVariantForm } from '../../renderer/run/compare/variant-form.ts';
import type { Form } from '../../renderer/run/form/form.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { RunPickers } from '../../renderer/run/form/run-pickers.tsx';
import type { ModelSuggestion, ModelSuggestions } from '../../shared/contract/models.ts';
import { noFacts } from '../../shared/model-facts.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { ratesSchema } from '../../shared/prices.ts';
import { storedFields } from './fake-forms.ts';
import { resetForms } from './forms-fixtures.ts';
import { recordToasts } from './notes.ts';
import { api, main, resetMain } from './panel-fake-main.ts';
import { demo, mine } from './params-fixtures.tsx';

const list = (...models: ModelSuggestion[]): ModelSuggestions => ({
  models,
  preselected: models[0]?.id ?? null,
  listProblem: null,
});

const seeing = modelSuggestion('eagle', {
  usedAt: 5,
  facts: {
    ...noFacts,
    contextTokens: 128_000,
    inputs: ['text', 'image'],
    outputs: ['text'],
    tools: true,
  },
  price: {
    rates: ratesSchema.parse({ inputPerMillionTokens: 0.15, outputPerMillionTokens: 0.6 }),
    source: { kind: 'gateway', readAt: 0 },
  },
});

let lists: Record<string, ModelSuggestions> = {};

beforeEach(() => {
  resetForms();
  resetMain();
  queryClient.clear();
  main.connections = [demo, mine];
  lists = {
    demo: list(modelSuggestion('demo-story'), modelSuggestion('demo-echo')),
    mine: list(seeing, modelSuggestion('owl'), modelSuggestion('painter', { fits: false })),
  };
  vi.spyOn(api.models, 'suggest').mockImplementation(async (input: object) => {
    const { connectionId = '' } = input as { connectionId?: string };
    return lists[connectionId] ?? list();
  });
});

afterEach(() => vi.restoreAllMocks());

const form = panelForms.completion;

async function open(shown: Form<OperationName> = form) {
  const picker = await show(shown);
  await picker.field.click();
  return picker;
}

async function show(shown: Form<OperationName> = form) {
  await form.load();
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <RunPickers form={shown} />
    </QueryClientProvider>,
  );
  const field = screen.getByRole('combobox', { name: 'Model' });
  await expect.element(field).not.toHaveValue('');
  return { screen, field };
}

const options = () =>
  page
    .getByRole('listbox')
    .getByRole('option')
    .elements()
    .map((option) => option.textContent);

describe('the model picker', () => {
  it('changes only the variant if the user picks a model there', async () => {
    const { field } = await open(getVariantForm(form, 'second'));
    await userEvent.keyboard('owl{Enter}');
    await expect.element(field).toHaveValue('owl');
    expect(main.settings.selectedConnectionId).toBeNull();
    expect(form.state.getState().values.variants.second).toMatchObject({
      connectionId: 'mine',
      models: { mine: 'owl' },
    });
  });

  it('explains why a connection’s models aren’t listed, and accepts a typed ID at once', async () => {
    lists.demo = { models: [], preselected: 'set', listProblem: null };
    lists.mine = { ...list(), listProblem: 'Can’t reach the gateway.' };
    const { screen, field } = await open();
    await expect
      .element(screen.getByText('This gateway lists no models. Enter a model ID.'))
      .toBeVisible();
    await expect.element(screen.getByText('Mine: Can’t reach the gateway.')).toBeVisible();
    expect(screen.getByRole('alert').elements()).toHaveLength(0);
    await userEvent.keyboard('large{Enter}');
    await expect.element(field).toHaveValue('large');
    await expect.poll(() => storedFields('completion')).toEqual({ 'models.demo': 'large' });
  });

  it('renders only the visible rows of a long list and the row that arrow keys reach', async () => {
    lists.demo = list(...Array.from({ length: 2000 }, (_, at) => modelSuggestion(`model-${at}`)));
    const { screen, field } = await open();
    await expect.element(screen.getByRole('option', { name: /^eagle/ })).toBeVisible();
    expect(options().length).toBeLessThan(100);
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    const active = field.element().getAttribute('aria-activedescendant') ?? '';
    await expect.poll(() => document.getElementById(active)?.textContent).toContain('owl');
    await userEvent.keyboard('model-1999{Enter}');
    await expect.element(field).toHaveValue('model-1999');
  });
});

it('sets the connection of all panels, or reports a failure', async () => {
  const toasts = recordToasts();
  const { screen } = await show();
  const connection = screen.getByRole('combobox', { name: 'Connection' });
  const saving = vi.spyOn(api.settings, 'update').mockRejectedValueOnce(new LinkLostError());
  await connection.selectOptions('Mine');
  await vi.waitFor(() =>
    expect(toasts).toMatchObject([{ message: 'Lost connection to Gatehouse.', tone: 'danger' }]),
  );
  saving.mockRestore();
  await connection.selectOptions('Mine');
  await expect.poll(() => main.settings.selectedConnectionId).toBe('mine');
});
