import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { queryClient } from '../../renderer/lib/query-client.ts';
import type { Form } from '../../renderer/run/form/form.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { RunPickers } from '../../renderer/run/form/run-pickers.tsx';
import { Combobox } from '../../renderer/ui/combobox.tsx';
import type { ModelSuggestion, ModelSuggestions } from '../../shared/contract/models.ts';
import { noFacts } from '../../shared/model-facts.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { ratesSchema } from '../../shared/prices.ts';
import { modelSuggestion } from '../fixtures/model-suggestion.ts';
import { storedFields } from './fake-forms.ts';
import { resetForms } from './forms-fixtures.ts';
import { api, main, resetMain } from './panel-fake-main.ts';
import { demo, mine } from './params-fixtures.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

describe('a combobox', () => {
  const suggestions = [
    { value: 'demo-echo' },
    { value: 'demo-story' },
    { value: 'demo-think' },
    { value: 'gpt-4o-mini' },
    { value: 'gpt-4o' },
  ];

  function ModelField({ initial = 'demo-story' }: { initial?: string }) {
    const [model, setModel] = useState(initial);
    return (
      <Combobox label="Model" value={model} onValueChange={setModel} suggestions={suggestions} />
    );
  }

  it('filters suggestions as the user types, accepts any text, and closes on Escape', async () => {
    const pressed = vi.fn();
    window.addEventListener('keydown', pressed);
    onTestFinished(() => window.removeEventListener('keydown', pressed));
    const screen = await render(<ModelField />);
    const field = screen.getByRole('combobox', { name: 'Model' });
    const options = () => screen.getByRole('option').elements();
    await field.click();
    expect(options()).toHaveLength(5);
    await userEvent.keyboard('{Escape}');
    expect(options()).toHaveLength(0);
    expect(pressed).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    expect(pressed).toHaveBeenCalledOnce();
    await userEvent.keyboard('{Control>}a{/Control}ech');
    expect(options().map(({ textContent }) => textContent)).toEqual(['demo-echo']);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await expect.element(field).toHaveValue('demo-echo');
    await field.fill('my-own-model');
    await userEvent.keyboard('{Enter}');
    await expect.element(field).toHaveValue('my-own-model');
    await expect.element(field).toHaveAttribute('aria-expanded', 'false');
  });

  describe('a picker', () => {
    function ModelPicker() {
      const [model, setModel] = useState('demo-story');
      return (
        <>
          <button type="button">Elsewhere</button>
          <Combobox
            label="Model"
            value={model}
            onValueChange={setModel}
            suggestions={suggestions}
            typedLabel={(text) => `Use “${text}” as model ID`}
            typedNote={(text) => `“${text}” used as model ID`}
          />
          <output>{model}</output>
        </>
      );
    }

    async function open() {
      const screen = await render(<ModelPicker />);
      const field = screen.getByRole('combobox', { name: 'Model' });
      await field.click();
      return { screen, field, chosen: screen.getByRole('status') };
    }

    it('on Enter, selects the first match, or the typed text from the last row or without a match', async () => {
      const { screen, field, chosen } = await open();
      await userEvent.keyboard('th');
      const options = screen.getByRole('option').elements();
      expect(options.map(({ textContent }) => textContent)).toEqual([
        'demo-think',
        'Use “th” as model ID',
      ]);
      await userEvent.keyboard('{Enter}');
      await expect.element(chosen).toHaveTextContent('demo-think');
      await field.fill('think');
      await userEvent.keyboard('{ArrowUp}{Enter}');
      await expect.element(chosen).toMatchTextContent(/^think$/);
      await field.fill('my/own-model');
      await userEvent.keyboard('{Enter}');
      await expect.element(field).toHaveValue('my/own-model');
    });

    it('restores the value on Escape or if the user leaves the field empty', async () => {
      const { field, chosen } = await open();
      await userEvent.keyboard('my/own-model');
      await expect.element(chosen).toHaveTextContent('my/own-model');
      await userEvent.keyboard('{Escape}');
      await expect.element(field).toHaveValue('demo-story');
      await expect.element(chosen).toHaveTextContent('demo-story');
      await field.fill('');
      await userEvent.tab();
      await expect.element(field).toHaveValue('demo-story');
      await expect.element(chosen).toHaveTextContent('demo-story');
    });
  });
});

describe('a model picker', () => {
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
    it('once open, lists the models of all connections, recent ones first', async () => {
      const { screen, field } = await show();
      const asked = vi.mocked(api.models.suggest).mock.calls.map(([input]) => input);
      expect(asked).toMatchObject([{ connectionId: 'demo', operation: 'completion' }]);
      await field.click();
      await expect.element(screen.getByRole('option', { name: 'owl' })).toBeVisible();
      expect(options().map((text) => text.split(' ')[0])).toEqual([
        expect.stringContaining('eagle'),
        'demo-story',
        'demo-echo',
        'owl',
      ]);
      const row = screen.getByRole('option', { name: /^eagle/ });
      await expect.element(row).toMatchTextContent(/128K.*\$0\.15 \/ \$0\.60.*vision.*tools/);
      expect(row.element().querySelector('[title]')?.getAttribute('title')).toContain(
        'Price: $0.15/1M in, $0.60/1M out (from the gateway)',
      );
    });

    it('selects the connection of a listed model, but not of a typed ID', async () => {
      const { field } = await open();
      await userEvent.keyboard('owl{ArrowUp}{Enter}');
      await expect.element(field).toHaveValue('owl');
      expect(main.settings.selectedConnectionId).toBeNull();
      await expect.poll(() => storedFields('completion')).toEqual({ 'models.demo': 'owl' });
      await field.click();
      await userEvent.keyboard('eagle{Enter}');
      await expect.poll(() => main.settings.selectedConnectionId).toBe('mine');
      await expect
        .poll(() => storedFields('completion'))
        .toEqual({ 'models.demo': 'owl', 'models.mine': 'eagle' });
      await expect.element(field).toHaveValue('eagle');
    });
  });
});
