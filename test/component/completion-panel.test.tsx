import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { CompletionPanel } from '../../renderer/features/completion/completion-panel.tsx';
import { showChoice } from '../../renderer/features/completion/completion-store.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import type { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { RunSummary } from '../../shared/run.ts';
import { runView } from '../fixtures/run-view.ts';
import { api, main, refusal } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels, show } from './panel-fixtures.tsx';
import { demoModels } from './params-fixtures.tsx';

vi.mock('../../renderer/lib/api.ts', () => import('./panel-fake-main.ts'));

/** What the stand-in calls the run that it starts. */
const RUN = 'started';

beforeEach(() => {
  resetPanels();
  main.models = demoModels;
  showChoice(0);
});

afterEach(() => vi.restoreAllMocks());

function refuse(error: AppError): void {
  vi.spyOn(api.runs, 'start').mockRejectedValue(refusal(error));
}

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
  const choices = texts.map((text, index) => ({ index, text, finishReason: null }));
  return runView('completion', { id: RUN, state: { choices }, ...more });
}

/** More of the run that was started. */
function arrive(texts: string[], more: More = {}): void {
  layDown(runWith(texts, more), main.inputs.get(RUN)?.request);
}

/** A run of an earlier page with this request, which its panel shows. */
function shows(request: JsonObject, texts: string[], more: More = {}): void {
  show(runWith(texts, more), request);
}

test('streams the continuation in place after the prompt and before the suffix', async () => {
  const screen = await panel();
  useLayout.setState({ inspectedRunId: 'of another panel' });
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
      beyondCap: false,
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
  // A tint, not a page of accent color.
  expect(getComputedStyle(continuation).color).toBe(getComputedStyle(prompt).color);
});

test('leaves the suffix out where there is none', async () => {
  const screen = await panel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('Once');
  await screen.getByRole('button', { name: 'Run' }).click();
  expect(main.started[0]?.request).not.toHaveProperty('suffix');
});

test('lists the details of the response on demand', async () => {
  const usage = { total_tokens: 9, completion_tokens_details: { text_tokens: 4 } };
  const figures = { model: 'm', usage, finishReasons: ['stop'], noResult: null };
  const state = {
    id: 'cmpl-1',
    usage,
    choices: [{ index: 0, text: ' upon', finishReason: 'stop' }],
  };
  show(runView('completion', { state, status: 'succeeded', figures }), { prompt: 'Once' });
  const screen = await panel();
  await screen.getByRole('button', { name: 'Details' }).click();
  const table = screen.getByRole('table', { name: 'Response details' });
  await expect.element(table.getByRole('row', { name: 'id cmpl-1' })).toBeVisible();
  await expect
    .element(table.getByRole('row', { name: 'completion_tokens_details.text_tokens 4' }))
    .toBeVisible();
});

test('stops in the same place', async () => {
  const screen = await panel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('Once');
  await screen.getByRole('button', { name: 'Run' }).click();
  arrive([' upon']);
  await screen.getByRole('button', { name: 'Stop' }).click();
  expect(main.cancelled).toEqual([RUN]);
});

test('does not send a parameter that is no number, and says why at Run', async () => {
  const screen = await panel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('Once');
  await screen.getByRole('spinbutton', { name: 'Temperature' }).fill('warm');
  const run = screen.getByRole('button', { name: 'Run' });
  await expect.element(run).toHaveAttribute('aria-disabled', 'true');
  await run.click({ force: true });
  expect(main.started).toEqual([]);
});

test('keeps the text that came when the run fails, with the error in place', async () => {
  const error: AppError = {
    kind: 'stream-cut',
    message: 'The stream was cut.',
    nextStep: 'Run it again.',
    gateway: null,
    detail: null,
  };
  shows({ prompt: 'Once' }, [' upon'], { status: 'failed', error });
  const screen = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result).toMatchTextContent(/Once upon/);
  await expect.element(result.getByRole('alert')).toMatchTextContent(/The stream was cut\./);
  await result.getByRole('button', { name: 'Retry' }).click();
  expect(main.started).toMatchObject([{ request: { prompt: 'Once' } }]);
});

test('shows the run in progress after a reload', async () => {
  shows({ prompt: 'Once' }, []);
  const screen = await panel();
  arrive([' upon a']);
  await expect
    .element(screen.getByRole('region', { name: 'Result' }))
    .toMatchTextContent(/Once upon a/);
  await expect.element(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
});

test('tints what the model wrote in the one text, and colors no letters', async () => {
  shows({ prompt: 'Once', suffix: ' The end.' }, [' upon a time.'], { status: 'succeeded' });
  const screen = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  const styleOf = (text: string) =>
    getComputedStyle(result.getByText(text, { exact: true }).element());
  await expect.element(result.getByText('upon a time.')).toBeVisible();
  const clear = 'rgba(0, 0, 0, 0)';
  expect(styleOf('Once').backgroundColor).toBe(clear);
  expect(styleOf('The end.').backgroundColor).toBe(clear);
  const tint = styleOf('upon a time.');
  expect(tint.backgroundColor).toMatch(/ \/ 0\.14\)$/);
  expect(tint.color).toBe(styleOf('Once').color);
});

test('switches between continuations', async () => {
  shows({ prompt: 'Once' }, [' upon', ' more'], { status: 'succeeded' });
  const screen = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result).toMatchTextContent(/Once upon/);
  await result.getByRole('button', { name: 'Next choice' }).click();
  await expect.element(result).toMatchTextContent(/Once more/);
});

test('moves the continuation into the prompt', async () => {
  shows({ prompt: 'Once', echo: true }, ['Once upon'], { status: 'succeeded' });
  const screen = await panel();
  await screen.getByRole('button', { name: 'Continue from here' }).click();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await expect.element(prompt).toHaveValue('Once upon');
  await expect.element(prompt).toHaveFocus();
  // What was made stays to be seen.
  await expect
    .element(screen.getByRole('region', { name: 'Result' }))
    .toMatchTextContent(/Once upon/);
});

test('brings back what was written where a continuation took its place', async () => {
  shows({ prompt: 'Once', echo: true }, ['Once upon'], { status: 'succeeded' });
  const screen = await panel();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('Something that I wrote meanwhile');
  await screen.getByRole('button', { name: 'Continue from here' }).click();
  await expect.element(prompt).toHaveValue('Once upon');
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(prompt).toHaveValue('Something that I wrote meanwhile');
});

test('brings back what was written where an example took its place', async () => {
  const screen = await panel();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('Mine');
  await screen.getByRole('button', { name: 'Complete code' }).click();
  await expect
    .element(prompt)
    .toHaveValue('// The first n Fibonacci numbers.\nfunction fibonacci(n) {\n');
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(prompt).toHaveValue('Mine');
});

test('shows the refusal of main at the field', async () => {
  refuse({
    kind: 'invalid-request',
    message: 'The request breaks a limit.',
    nextStep: 'Correct the field.',
    gateway: null,
    detail: null,
    fields: [{ path: ['prompt'], message: 'Enter a prompt first.' }],
  });
  const screen = await panel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('Once');
  await screen.getByRole('button', { name: 'Run' }).click();
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/breaks a limit/);
  await expect
    .element(screen.getByRole('textbox', { name: 'Prompt' }))
    .toHaveAccessibleDescription(/Enter a prompt first\./);
});

test('runs with an empty prompt, which the interface allows', async () => {
  const screen = await panel();
  await screen.getByRole('button', { name: 'Run' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]).toMatchObject({ request: { prompt: '' } });
});

test('says why Retry cannot run', async () => {
  refuse({
    kind: 'unreachable',
    message: 'The gateway did not answer.',
    nextStep: 'Try again.',
    gateway: null,
    detail: null,
  });
  const screen = await panel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('Once');
  await screen.getByRole('button', { name: 'Run' }).click();
  await expect.element(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
  await screen.getByRole('spinbutton', { name: 'Temperature' }).fill('warm');
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect
    .element(screen.getByRole('alert').filter({ hasText: 'Temperature: ' }))
    .toBeInTheDocument();
});

test('keeps the end in sight while text arrives, until the user scrolls up', async () => {
  const story = Array.from({ length: 400 }, (_, line) => `Line ${line} of the story.\n`);
  shows({ prompt: 'Once' }, [story.slice(0, 2).join('')]);
  const screen = await panel();
  const scroller = () => screen.container.querySelector('[aria-label="Result"] > [tabindex]');
  const left = () => {
    const element = scroller();
    return element ? element.scrollHeight - element.clientHeight - element.scrollTop : -1;
  };
  for (let lines = 20; lines <= 400; lines += 20) {
    arrive([story.slice(0, lines).join('')]);
    await vi.waitFor(() => expect(left()).toBeLessThan(24));
  }
  scroller()?.scrollTo(0, 100);
  await new Promise(requestAnimationFrame);
  arrive([`${story.join('')}${story.join('')}`]);
  await new Promise(requestAnimationFrame);
  expect(left()).toBeGreaterThan(500);
});

test('offers examples that run', async () => {
  const screen = await panel();
  await expect.element(screen.getByRole('button', { name: 'Fill in the middle' })).toBeVisible();
  await screen.getByRole('button', { name: 'Continue a story' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request.prompt).toMatch(/lighthouse/);
});
