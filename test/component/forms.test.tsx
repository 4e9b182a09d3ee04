import { beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { undo, useUndo } from '../../renderer/lib/undo.ts';
import { compareRows } from '../../renderer/run/compare/variants.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { getPanelText } from '../../renderer/run/form/panel-text.ts';
import { ParameterSidebar } from '../../renderer/run/form/parameter-sidebar.tsx';
import { getDraft, setParameter } from '../../renderer/run/form/parameters.ts';
import { PresetsDialog } from '../../renderer/run/form/presets-dialog.tsx';
import { PromptsDialog } from '../../renderer/run/form/prompts-dialog.tsx';
import { reopenRun } from '../../renderer/run/form/reopen.ts';
import { showRequestAs } from '../../renderer/run/form/request-views.ts';
import { checkDraft } from '../../renderer/run/form/validate-form.ts';
import type { FieldError } from '../../shared/errors.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import { getParamValues } from '../../shared/param.ts';
import { runView } from '../fixtures/run-view.ts';
import { openPanel } from './every-panel.tsx';
import { resetForms } from './forms-fixtures.ts';
import { api, main, resetMain } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels } from './panel-fixtures.tsx';
import { Queries } from './params-fixtures.tsx';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';

describe('parameters', () => {
  const completion = describeOperation('completion');

  function sent() {
    return checkDraft(completion, getDraft(form.state.getState().values, completion));
  }

  type AnyForm = (typeof panelForms)[keyof typeof panelForms];

  const form = panelForms.completion;

  beforeEach(() => {
    resetForms();
    resetMain();
  });

  async function sidebar(errors: FieldError[] = [], shown: AnyForm = form) {
    const screen = await render(
      <Queries>
        <ParameterSidebar form={shown} errors={errors} />
      </Queries>,
    );
    await expect.element(screen.getByRole('spinbutton').first()).toBeVisible();
    return screen;
  }

  test('sends and counts only parameters that are set, and resets one or all with Undo', async () => {
    const screen = await sidebar();
    const changed = screen.getByText(/changed$/);
    expect(changed.elements()).toEqual([]);
    expect(sent()).toEqual({ ok: true, request: { stream: true }, extraBody: {} });
    const temperature = screen.getByRole('spinbutton', { name: 'Temperature' });
    await temperature.fill('0.7');
    await expect.element(changed).toHaveTextContent('1 changed');
    expect(sent()).toMatchObject({ request: { stream: true, temperature: 0.7 } });
    await screen.getByRole('button', { name: 'Reset Temperature' }).click();
    expect(sent()).toMatchObject({ request: { stream: true } });

    await screen.getByRole('switch', { name: 'Stream' }).click();
    expect(sent()).toMatchObject({ request: { stream: false } });
    await screen.getByRole('button', { name: 'Reset Stream' }).click();
    expect(sent()).toEqual({ ok: true, request: {}, extraBody: {} });
    await expect.element(changed).toHaveTextContent('1 changed');

    await temperature.fill('1');
    await screen.getByRole('textbox', { name: 'Extra JSON' }).fill('{"top_k": ');
    await expect.element(changed).toHaveTextContent('3 changed');
    await screen.getByRole('button', { name: 'Reset all' }).click();
    expect(sent()).toEqual({ ok: true, request: { stream: true }, extraBody: {} });
    await expect.element(changed).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Reset Temperature' }).elements()).toHaveLength(0);
    await undo(useUndo.getState().offers.at(-1)?.id ?? 0);
    expect(form.state.getState().values.extraBody).toBe('{"top_k": ');
    form.change({ extraBody: '' });
    expect(sent()).toEqual({ ok: true, request: { temperature: 1 }, extraBody: {} });
  });

  test('shows an out-of-range error at its field', async () => {
    const screen = await sidebar([], panelForms.speech);
    await expect.element(screen.getByText('0.25 to 4')).toBeVisible();
    const speed = screen.getByRole('spinbutton', { name: 'Speed' });
    await speed.fill('4.1');
    await expect.element(speed).toHaveAttribute('aria-invalid', 'true');
    await expect.element(speed).toHaveAccessibleDescription(/Enter a number from 0\.25 to 4\./);
    await speed.fill('two');
    await expect.element(screen.getByText('Enter a number.')).toBeVisible();
  });
});

describe('the request as JSON', () => {
  const form = panelForms.rerank;
  const values = () => form.state.getState().values;

  beforeEach(() => {
    location.hash = '#/rerank';
    resetPanels();
    showRequestAs('rerank', 'json');
  });

  async function panel() {
    const screen = await render(
      <PanelPage>
        <RerankPanel />
      </PanelPage>,
    );
    await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-model');
    const body = screen.getByRole('textbox', { name: 'Request body' });
    // Wait for the editor to replace the plain text box.
    await vi.waitFor(() => expect(body.element().className).toContain('cm-content'));
    return { screen, body };
  }

  const write = (body: object) => JSON.stringify({ model: 'demo-model', ...body });

  it('updates the form as JSON is typed, and moves unknown and invalid values to extra body fields', async () => {
    const { screen, body } = await panel();
    form.change({ params: { top_n: { value: 4 } } });
    await expect.element(body).toMatchTextContent(/"top_n": 4/);
    await body.fill(write({ query: 'Why?', documents: ['a', 'b\nc'], top_n: 2, seed: 7 }));
    // A change to the form doesn't replace text that the user is typing.
    form.change({ params: { return_documents: { value: true } } });
    await expect.poll(() => values().input).toMatchObject({ query: 'Why?', documents: 'a\nb↵c' });
    await expect.element(body).not.toMatchTextContent(/return_documents/);
    expect(getParamValues(values().params)).toMatchObject({ top_n: 2 });
    expect(JSON.parse(values().extraBody)).toEqual({ seed: 7 });
    await expect.element(screen.getByText('Extra JSON: seed')).toBeVisible();

    await body.fill(write({ query: 'Why?', documents: ['a'], top_n: 'two', model: 'other' }));
    await expect.poll(() => JSON.parse(values().extraBody)).toEqual({ top_n: 'two' });
    expect(values()).toMatchObject({ models: { demo: 'other' } });
    const problem = 'top_n: Enter a whole number. Sent as an extra body field.';
    await expect.element(screen.getByText(problem).first()).toBeVisible();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    const request = { model: 'other', query: 'Why?', documents: ['a'] };
    await expect.poll(() => main.started).toMatchObject([{ request, extraBody: { top_n: 'two' } }]);
  });

  it('keeps the last valid form and focus while the JSON is broken, and blocks Run', async () => {
    form.change({ input: { query: 'Why?', documents: 'a' } });
    const { screen, body } = await panel();
    await body.fill('{ "query": "How?", }');
    const problems = screen.getByRole('list', { name: 'Errors in Request body' });
    await expect
      .element(problems)
      .toMatchTextContent(/^Line 1, column 20: trailing comma before }/);
    expect(values().input).toMatchObject({ query: 'Why?', documents: 'a' });
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByText('Fix the JSON first.')).toBeVisible();
    expect(main.started).toEqual([]);

    const view = screen.getByRole('radiogroup', { name: 'View' });
    await body.click();
    showRequestAs('rerank', 'code');
    await expect.element(view.getByRole('radio', { name: 'Code' })).toHaveFocus();
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
    await expect.element(screen.getByRole('textbox', { name: 'Query' })).toHaveValue('Why?');
    await view.getByRole('radio', { name: 'JSON' }).click();
    await expect.element(body).toMatchTextContent('{ "query": "How?", }');
    await screen.getByRole('button', { name: 'Restore' }).click();
    await expect.element(body).toMatchTextContent(/"query": "Why\?"/);
  });
});

describe('an opened run', () => {
  beforeEach(() => resetPanels());

  const form = panelForms.completion;
  const values = () => form.state.getState().values;
  const run = runView('completion', {
    id: 'the-run',
    status: 'succeeded',
    model: 'echo',
    connectionId: 'deleted',
    connectionName: 'Old gateway',
  });

  it('restores the input as it was, and reports a missing connection', async () => {
    layDown(run, { prompt: 'Of the run', temperature: 1 });
    await form.load();
    form.change({ input: { prompt: 'Mine' } });
    setParameter(form, 'temperature', 0.2);
    await openPanel('completion');
    await reopenRun(run);
    await expect.poll(() => values().input.prompt).toBe('Of the run');
    form.change({ input: { suffix: 'Typed since' } });
    const { offers } = useUndo.getState();
    expect(offers.map(({ message }) => message)).toEqual([
      'Input replaced by the opened run',
      'Connection “Old gateway” was deleted. The next run will use the selected connection.',
    ]);
    await undo(offers[0]?.id ?? 0);
    expect(values()).toMatchObject({
      input: { prompt: 'Mine', suffix: 'Typed since' },
      params: { temperature: { value: 0.2 } },
      runId: null,
    });
  });
});

describe('presets', () => {
  beforeEach(resetPanels);

  it('focuses a preset that Undo restores', async () => {
    const settings = { params: {}, extraBody: '' };
    const presets = [{ id: 'exact', operation: 'completion' as const, name: 'Exact', settings }];
    main.presets = presets;
    const undoing = vi.spyOn(api.deletions, 'undo').mockImplementation(async () => {
      main.presets = presets;
      return { renamed: [], notes: [] };
    });
    onTestFinished(() => undoing.mockRestore());
    const screen = await render(
      <PanelPage>
        <PresetsDialog form={panelForms.completion} conversation={null} onClose={() => undefined} />
      </PanelPage>,
    );
    const preset = screen.getByRole('button', { name: 'Exact', exact: true });
    await screen.getByRole('button', { name: 'Delete Exact' }).click();
    await expect.element(screen.getByText('“Exact” deleted')).toBeVisible();
    await queryClient.invalidateQueries();
    await expect.element(preset).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await queryClient.invalidateQueries();
    await expect.element(preset).toHaveFocus();
  });
});

describe('prompts', () => {
  const form = panelForms.completion;
  const greeting = { id: 'g', name: 'Greeting', text: 'Greet {{name}} in {{language}}.' };

  beforeEach(resetPanels);

  async function open() {
    const onClose = vi.fn();
    const screen = await render(
      <PanelPage>
        <PromptsDialog
          form={form}
          onRows={(prompts) => compareRows(form, prompts)}
          onClose={onClose}
        />
      </PanelPage>,
    );
    return { screen, onClose };
  }

  it('asks for a prompt’s variables, or compares one row per line of a table', async () => {
    main.prompts = [greeting];
    const { screen, onClose } = await open();
    await screen.getByRole('button', { name: /^Greeting/ }).click();
    const insert = screen.getByRole('button', { name: 'Insert' });
    await expect.element(insert).toHaveAccessibleDescription('Enter a value for “name”.');
    await screen.getByRole('textbox', { name: 'name' }).fill('Ada');
    await screen.getByRole('textbox', { name: 'language' }).fill('French');
    await insert.click();
    expect(getPanelText(form)).toBe('Greet Ada in French.');
    expect(onClose).toHaveBeenCalledOnce();

    const table = screen.getByRole('textbox', { name: 'Or a row for each prompt' });
    await table.fill('name,language\nAda');
    await expect.element(screen.getByText('Row 1 has no value for “language”.')).toBeVisible();
    await table.fill('name,language\nAda,French\n"Bo\nAl",German');
    await screen.getByRole('button', { name: 'Compare 2 rows' }).click();
    const { input, morePrompts, comparing } = form.state.getState().values;
    expect(input).toMatchObject({ prompt: 'Greet Ada in French.' });
    expect(morePrompts).toBe('Greet Bo\\nAl in German.');
    expect(comparing).toBe(true);
    expect(onClose).toHaveBeenCalledTimes(2);
  });
});
