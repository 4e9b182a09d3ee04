import { beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useShownChoice } from '../../renderer/features/completion/completion-form.ts';
import { CompletionPanel } from '../../renderer/features/completion/completion-panel.tsx';
import { useLayout } from '../../renderer/lib/layout.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { useOnScreen } from '../../renderer/run/live/on-screen.ts';
import { appError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { RunSummary } from '../../shared/run.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels, show } from './panel-fixtures.tsx';
import { demoModels } from './params-fixtures.tsx';

/** The ID of the run that the fake main process starts. */
const RUN = 'started';

beforeEach(() => {
  resetPanels();
  main.models = demoModels;
  useShownChoice.setState({ runId: null, choiceIndex: 0 });
});

async function panel() {
  const screen = await render(
    <PanelPage width={1300} height={800}>
      <CompletionPanel />
    </PanelPage>,
  );
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-story');
  await expect.element(screen.getByRole('spinbutton', { name: 'Temperature' })).toBeVisible();
  return screen;
}

type More = Partial<RunSummary>;

function runWith(texts: string[], more: More = {}) {
  const choices = texts.map((text, index) => ({ index, text, other: {}, finishReason: null }));
  return runView('completion', { id: RUN, state: { choices }, ...more });
}

function arrive(texts: string[], more: More = {}): void {
  layDown(runWith(texts, more), main.inputs.get(RUN)?.request);
}

function shows(request: JsonObject, texts: string[], more: More = {}): void {
  show(runWith(texts, more), request);
}

it('shows token probabilities and other fields in the details, and selects its run in the inspector', async () => {
  const logprobs = {
    tokens: [' upon', ' a'],
    token_logprobs: [Math.log(0.5), null],
    top_logprobs: [{ ' upon': Math.log(0.5), ' more': Math.log(0.25) }, null],
  };
  const figures = { model: 'm', usage: null, finishReasons: ['stop'], noResult: null };
  const choice = { index: 0, text: ' upon a', finishReason: 'stop' };
  const state = {
    other: { backend: { node: 2 } },
    choices: [{ ...choice, other: { stop_reason: 13 }, logprobs: [logprobs] }],
  };
  show(runView('completion', { state, status: 'succeeded', figures }), { prompt: 'Once' });
  const screen = await panel();
  await screen.getByRole('button', { name: 'Details' }).click();
  await screen.getByRole('button', { name: 'Token probabilities' }).click();
  const option = screen.getByRole('option', {
    name: '“ upon” 50.0%; alternatives: “ more” 25.0%',
  });
  await expect.element(option).toBeVisible();
  await screen.getByText(/^Other fields/).click();
  const tree = screen.getByRole('tree', { name: 'Other fields' });
  await expect.element(tree).toMatchTextContent(/backend.*stop_reason/s);
  expect(tree.element().textContent).not.toContain('logprobs');
  expect(useOnScreen.getState().runId).toBe('run-1');
  await screen.unmount();
  expect(useOnScreen.getState().runId).toBeNull();
});

it('runs without a prompt, and streams a tinted continuation between prompt and suffix', async () => {
  const screen = await panel();
  await screen.getByRole('button', { name: 'Run' }).click();
  await expect.poll(() => main.started.length).toBe(1);
  expect(main.started[0]?.request).toEqual({ model: 'demo-story', stream: true, prompt: '' });
  main.started.length = 0;
  panelForms.completion.change({ runId: null });
  useLayout.setState({ inspectedRunId: 'another-run' });
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('Once');
  await screen.getByRole('textbox', { name: 'Suffix' }).fill(' The end.');
  await screen.getByRole('button', { name: 'Run' }).click();
  await expect.poll(() => useLayout.getState().inspectedRunId).toBeNull();
  expect(main.started).toEqual([
    {
      connectionId: 'demo',
      operation: 'completion',
      request: { model: 'demo-story', stream: true, prompt: 'Once', suffix: ' The end.' },
      extraBody: {},
      wireNames: {},
      follow: null,
      overCap: false,
      sourceRunId: null,
    },
  ]);
  arrive([' upon a time']);
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result).toMatchTextContent(/Once upon a time The end\./);

  const prompt = result.getByText('Once', { exact: true }).element();
  const continuation = result.getByText('upon a time').element();
  expect(getComputedStyle(continuation).backgroundColor).not.toBe(
    getComputedStyle(prompt).backgroundColor,
  );
  expect(getComputedStyle(continuation).color).toBe(getComputedStyle(prompt).color);
});

it('scrolls to new text until the user scrolls up', async () => {
  const story = Array.from({ length: 100 }, (_, line) => `Line ${line} of the story.\n`);
  shows({ prompt: 'Once' }, [story.slice(0, 2).join('')]);
  const screen = await panel();
  const scroller = () => screen.container.querySelector('[aria-label="Result"] > [tabindex]');
  const left = () => {
    const element = scroller();
    return element ? element.scrollHeight - element.clientHeight - element.scrollTop : -1;
  };
  for (let lines = 20; lines <= 100; lines += 20) {
    arrive([story.slice(0, lines).join('')]);
    await vi.waitFor(() => expect(left()).toBeLessThan(24));
  }
  scroller()?.scrollTo(0, 100);
  await new Promise(requestAnimationFrame);
  arrive([`${story.join('')}${story.join('')}`]);
  await new Promise(requestAnimationFrame);
  expect(left()).toBeGreaterThan(500);
});

it('keeps a failed run’s partial text, and moves a continuation to the prompt', async () => {
  const error = appError('stream-cut', 'The stream was cut.', 'Retry.');
  shows({ prompt: 'Once' }, [' upon'], { status: 'failed', error });
  const screen = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result).toMatchTextContent(/Once upon/);
  await expect.element(result.getByRole('alert')).toMatchTextContent(/The stream was cut\./);
  await result.getByRole('button', { name: 'Retry' }).click();
  expect(main.started).toMatchObject([{ request: { prompt: 'Once' } }]);

  const echoed = { prompt: 'Once', echo: true };
  shows(echoed, ['Once upon'], { id: 'echoed', status: 'succeeded' });
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('My own text');
  await screen.getByRole('button', { name: 'Continue from here' }).click();
  await expect.element(prompt).toHaveValue('Once upon');
  await expect.element(prompt).toHaveFocus();
  await expect.element(result).toMatchTextContent(/Once upon/);
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(prompt).toHaveValue('My own text');
});

it('says that requested token probabilities are missing', async () => {
  const note = 'Token probabilities were requested, but the response has none.';
  shows({ prompt: 'Once', logprobs: 3 }, [' upon'], { status: 'succeeded' });
  const screen = await panel();
  await expect.element(screen.getByText(note)).toBeVisible();
  shows({ prompt: 'Once', logprobs: 3 }, [' upon'], { status: 'running' });
  await expect.element(screen.getByText(note)).not.toBeInTheDocument();
  shows({ prompt: 'Once' }, [' upon'], { status: 'succeeded' });
  expect(screen.getByText(note).elements()).toEqual([]);
});

it('marks the result of an earlier prompt, and brings its settings back', async () => {
  panelForms.completion.change({ input: { prompt: 'Once', suffix: '' } });
  shows({ prompt: 'Once', temperature: 0.25 }, [' upon'], { status: 'succeeded' });
  const screen = await panel();
  const note = screen.getByText('Result of an earlier input · Prompt: Once');
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await expect.element(screen.getByText('upon')).toBeVisible();
  expect(note.elements()).toEqual([]);
  await prompt.fill('Twice');
  await expect.element(note).toBeVisible();
  await screen.getByRole('button', { name: 'Use these settings' }).click();
  await expect.element(prompt).toHaveValue('Once');
  await expect.element(screen.getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('0.25');
  await expect.element(note).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(prompt).toHaveValue('Twice');
});
