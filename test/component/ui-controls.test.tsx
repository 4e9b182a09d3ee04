import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { RawTextArea } from '../../renderer/features/chat/composer/message-text.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import type { Form } from '../../renderer/run/form/form.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { RunPickers } from '../../renderer/run/form/run-pickers.tsx';
import { Button } from '../../renderer/ui/button.tsx';
import { Combobox } from '../../renderer/ui/combobox.tsx';
import { CopyButton } from '../../renderer/ui/copy-button.tsx';
import { ConfirmDialog } from '../../renderer/ui/dialog.tsx';
import { ErrorAlert } from '../../renderer/ui/error-alert.tsx';
import { ErrorBoundary } from '../../renderer/ui/error-boundary.tsx';
import { IconButton } from '../../renderer/ui/icon-button.tsx';
import { JsonView } from '../../renderer/ui/json-view/json-view.tsx';
import { NumberField } from '../../renderer/ui/number-field.tsx';
import { Tabs } from '../../renderer/ui/tabs.tsx';
import { TextArea } from '../../renderer/ui/text-area.tsx';
import { TextField } from '../../renderer/ui/text-field.tsx';
import type { ModelSuggestion, ModelSuggestions } from '../../shared/contract/models.ts';
import { appError } from '../../shared/errors.ts';
import { noFacts } from '../../shared/model-facts.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { ratesSchema } from '../../shared/prices.ts';
import { storedFields } from './fake-forms.ts';
import { resetForms } from './forms-fixtures.ts';
import { recordNotes } from './notes.ts';
import { api, main, resetMain } from './panel-fake-main.ts';
import { demo, mine } from './params-fixtures.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

interface PressProps {
  disabled: boolean;
  onClick: () => void;
}

it('steps a number field without rounding errors, accepts decimals, and keeps invalid text', async () => {
  function Temperature() {
    const [value, setValue] = useState<number | null>(0.2);
    return (
      <>
        <NumberField
          label="Temperature"
          value={value}
          step={0.1}
          max={2}
          onValueChange={setValue}
        />
        <output>{JSON.stringify(value)}</output>
      </>
    );
  }
  const screen = await render(<Temperature />);
  const field = screen.getByRole('spinbutton');
  const value = screen.getByRole('status');
  await field.click();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(value).toHaveTextContent('0.3');
  await field.fill('1.95');
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(field).toHaveValue('2');
  await field.fill('warm');
  await userEvent.keyboard('{Tab}');
  await expect.element(field).toHaveValue('warm');
  await expect.element(field).toHaveAccessibleDescription('Enter a number.');
  await expect.element(value).toHaveTextContent('null');
  await field.fill('');
  await userEvent.keyboard('1.50');
  await expect.element(field).toHaveValue('1.50');
  await expect.element(value).toHaveTextContent('1.5');
});

describe('a button that disables itself', () => {
  it.each([
    ['a button', (props: PressProps) => <Button {...props}>Zoom in</Button>],
    ['an icon button', (props: PressProps) => <IconButton label="Zoom in" icon="+" {...props} />],
  ])('keeps focus and ignores a held key: %s', async (_kind, show) => {
    const onPress = vi.fn();
    function Zoom() {
      const [count, setCount] = useState(0);
      return show({
        disabled: count === 2,
        onClick: () => {
          onPress();
          setCount(count + 1);
        },
      });
    }
    const screen = await render(
      <>
        <Zoom />
        <button type="button" onClick={onPress}>
          Beside
        </button>
      </>,
    );
    const button = screen.getByRole('button', { name: 'Zoom in' });
    await userEvent.tab();
    await expect.element(button).toHaveFocus();
    await userEvent.keyboard('{Enter>6/}{Enter}{ }');
    await expect.element(button).toHaveFocus();
    await expect.element(button).toHaveAttribute('aria-disabled', 'true');
    await button.click({ force: true });
    expect(onPress).toHaveBeenCalledTimes(2);
  });
});

describe('a dialog', () => {
  it('focuses the safe button, closes on Escape and restores focus', async () => {
    const onConfirm = vi.fn();
    function Page() {
      const [open, setOpen] = useState(false);
      return (
        <>
          <button type="button" onClick={() => setOpen(true)}>
            Open
          </button>
          <ConfirmDialog
            open={open}
            title="Delete it?"
            confirmLabel="Delete"
            onConfirm={onConfirm}
            onClose={() => setOpen(false)}
          >
            It is gone then.
          </ConfirmDialog>
        </>
      );
    }
    const screen = await render(<Page />);
    await screen.getByRole('button', { name: 'Open' }).click();
    await expect.element(screen.getByRole('alertdialog', { name: 'Delete it?' })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
    expect(screen.getByRole('alertdialog').elements()).toHaveLength(0);
    expect(onConfirm).not.toHaveBeenCalled();
  });
});

const limited = appError(
  'rate-limited',
  'The gateway takes no more requests for now.',
  'Wait and run it again.',
  {
    retryAfterSeconds: 30,
    gateway: {
      status: 429,
      type: 'rate_limit_error',
      param: null,
      code: null,
      message: 'Slow down',
      requestId: 'req-7',
      bodyExcerpt: null,
    },
  },
);

describe('an error', () => {
  beforeEach(() => {
    // Stop the countdown.
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now);
  });
  afterEach(() => vi.restoreAllMocks());

  it('shows the next step, the wait and the gateway’s details, with a fix before Retry', async () => {
    const onRetry = vi.fn();
    const alert = (ago: number) => (
      <ErrorAlert
        key={ago}
        error={limited}
        failedAt={Date.now() - ago}
        onRetry={onRetry}
        actions={<button type="button">Fix</button>}
      />
    );
    const screen = await render(alert(0));
    for (const text of [limited.message, limited.nextStep]) {
      await expect.element(screen.getByRole('alert')).toMatchTextContent(text);
    }
    await expect.element(screen.getByRole('timer')).toMatchTextContent('30 seconds left');
    const names = screen.getByRole('button').elements();
    expect(names.map(({ textContent }) => textContent).slice(-2)).toEqual(['Fix', 'Retry']);
    await screen.getByText('Details').click();
    await expect.element(screen.getByText('req-7')).toBeVisible();
    await screen.getByRole('button', { name: 'Retry' }).click();
    expect(onRetry).toHaveBeenCalledOnce();
    await screen.rerender(alert(20_000));
    await expect.element(screen.getByRole('timer')).toMatchTextContent(/10 seconds/);
    await screen.rerender(alert(31_000));
    await expect.element(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
    expect(screen.getByRole('timer').elements()).toHaveLength(0);
  });

  it('keeps other panes if one crashes, and retries the crashed one', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let broken = true;
    function Fragile() {
      if (broken) throw new Error('no such thing');
      return <p>The chat</p>;
    }
    const screen = await render(
      <>
        <ErrorBoundary name="Chat">
          <Fragile />
        </ErrorBoundary>
        <p>The inspector</p>
      </>,
    );
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/Chat crashed/);
    await expect.element(screen.getByText('The inspector')).toBeVisible();
    broken = false;
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('The chat')).toBeVisible();
    vi.restoreAllMocks();
  });
});

describe('a text area that grows', () => {
  const area = (value: string) => (
    <TextArea label="Text" value={value} onValueChange={() => {}} autoGrow rows={2} maxRows={6} />
  );

  it('limits the height of a long text without measuring it', async () => {
    const screen = await render(area('one line'));
    const field = screen.getByRole('textbox', { name: 'Text' });
    const low = field.element().clientHeight;
    expect(getComputedStyle(field.element()).getPropertyValue('field-sizing')).toBe('content');
    await screen.rerender(area('line\n'.repeat(100)));
    const high = field.element().clientHeight;
    expect(high).toBeGreaterThan(low);
    await screen.rerender(area('x'.repeat(20_001)));
    expect(getComputedStyle(field.element()).getPropertyValue('field-sizing')).toBe('fixed');
    expect(field.element().clientHeight).toBe(high);
  });
});

type Tide = 'low' | 'high';

function Tides() {
  const [tide, setTide] = useState<Tide>('low');
  return (
    <div style={{ display: 'flex', height: 300 }}>
      <Tabs<Tide>
        label="Tides"
        value={tide}
        onValueChange={setTide}
        tabs={[
          { value: 'low', label: 'Low', content: 'Ebb' },
          { value: 'high', label: 'High', content: 'Flood' },
        ]}
      />
    </div>
  );
}

describe('tabs', () => {
  it('shows one panel at a time at full height', async () => {
    await render(<Tides />);
    const panel = page.getByRole('tabpanel');
    const height = panel.element().clientHeight;
    await page.getByRole('tab', { name: 'High' }).click();
    await expect.element(panel).toHaveTextContent('Flood');
    expect(panel.element().clientHeight).toBe(height);
  });
});

describe('spelling', () => {
  it('checks prose, but not code, IDs or names', async () => {
    const nothing = () => {};
    const screen = await render(
      <>
        <TextArea label="Prompt" value="helo" onValueChange={nothing} />
        <TextArea label="Body" value="{}" onValueChange={nothing} monospace />
        <TextField label="Model" value="gpt" onValueChange={nothing} />
        <RawTextArea label="Message" />
      </>,
    );
    const field = (name: string) => screen.getByRole('textbox', { name }).element();
    for (const name of ['Prompt', 'Message'])
      expect(field(name)).toHaveProperty('spellcheck', true);
    for (const name of ['Body', 'Model']) expect(field(name)).toHaveProperty('spellcheck', false);
  });
});

it.each([undefined, 'Copy'])(
  'reports the result of a copy button with the word %s',
  async (words) => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    onTestFinished(() => writeText.mockRestore());
    const notes = recordNotes();
    const screen = await render(
      <CopyButton label="Copy body" content={() => 'the body'} words={words} />,
    );
    await screen.getByRole('button', { name: 'Copy body' }).click();
    await vi.waitFor(() => expect(notes).toMatchObject([{ text: 'Copied' }]));
    expect(writeText).toHaveBeenCalledWith('the body');
    writeText.mockRejectedValue(new DOMException('Document is not focused.', 'NotAllowedError'));
    await screen.getByRole('button', { name: 'Copy body' }).click();
    await vi.waitFor(() => expect(notes[1]).toMatchObject({ text: 'Copy failed' }));
  },
);

describe('a JSON view', () => {
  const answer = {
    city: 'Oslo',
    days: Array.from({ length: 80 }, (_, day) => ({ day, degrees: day / 2 })),
    wind: { from: 'north' },
  };

  test('collapses long parts, and expands all on request', async () => {
    const screen = await render(<JsonView label="Answer" value={answer} />);
    const tree = screen.getByRole('tree', { name: 'Answer' });
    await expect.element(tree.getByText('"Oslo"')).toBeVisible();
    const days = tree.getByRole('treeitem', { name: /"days"/ });
    await expect.element(days).toHaveAttribute('aria-expanded', 'false');
    await expect.element(days).toMatchTextContent(/80 items/);
    await days.click();
    await expect.element(days).toHaveAttribute('aria-expanded', 'true');
    await screen.getByRole('button', { name: 'Expand all' }).click();
    await expect.element(screen.getByRole('button', { name: 'Collapse all' })).toBeVisible();
    // Only rows in view are in the DOM.
    expect(tree.getByRole('treeitem').elements().length).toBeLessThan(120);
  });

  test('uses one Tab stop with arrow keys', async () => {
    const screen = await render(
      <>
        <JsonView label="Answer" value={answer} />
        <button type="button">After</button>
      </>,
    );
    const tree = screen.getByRole('tree', { name: 'Answer' });
    tree.element().focus();
    const reached = () =>
      document.getElementById(tree.element().getAttribute('aria-activedescendant') ?? '');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(reached()?.textContent).toContain('"days"');
    await userEvent.keyboard('{ArrowRight}');
    expect(reached()?.getAttribute('aria-expanded')).toBe('true');
    await userEvent.keyboard('{ArrowRight}');
    expect(reached()?.getAttribute('aria-level')).toBe('3');
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(reached()?.textContent).toContain('"days"');
    expect(reached()?.getAttribute('aria-expanded')).toBe('false');
    await userEvent.keyboard('{End}');
    expect(reached()?.textContent).toContain('"north"');
    await userEvent.keyboard('{Home}');
    expect(reached()?.textContent).toBe('{');
    await userEvent.tab();
    await expect.element(screen.getByRole('button', { name: 'After' })).toHaveFocus();
  });
});

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
  const model = (id: string, some: Partial<ModelSuggestion> = {}): ModelSuggestion => ({
    id,
    format: '',
    usedAt: null,
    fits: null,
    ownedBy: null,
    description: null,
    facts: null,
    price: null,
    ...some,
  });
  const list = (...models: ModelSuggestion[]): ModelSuggestions => ({
    models,
    preselected: models[0]?.id ?? null,
    listProblem: null,
  });

  const seeing = model('eagle', {
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
      demo: list(model('demo-story'), model('demo-echo')),
      mine: list(seeing, model('owl'), model('painter', { fits: false })),
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
