import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { App } from '../../renderer/app/app.tsx';
import { useLayout } from '../../renderer/lib/layout.ts';
import { panelLabel } from '../../renderer/lib/panels.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { appError } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { runView } from '../fixtures/run-view.ts';
import { recordNotes } from './notes.ts';
import { demoModels } from './params-fixtures.tsx';
import { main } from './shell-fake-main.ts';
import { resetShellWithModels } from './shell-fixtures.ts';

/** Chat has its own composer, Transcription its own fields; the other panels are like Completion. */
const withParameters = ['chat', 'completion', 'transcription'] as const;

const failed = appError('rate-limited', 'Rate limit reached.', 'Wait a moment.', {
  retryAfterSeconds: null,
});

beforeEach(async () => {
  await resetShellWithModels();
  useLayout.setState({ inspectorOpen: false, sidebarOpen: false });
});

async function open(panel: OperationName) {
  location.hash = `#/${panel}`;
  const screen = await render(<App />);
  await expect
    .element(screen.getByRole('heading', { level: 1, name: panelLabel(panel) }))
    .toBeVisible();
  await expect.element(screen.getByRole('combobox', { name: 'Connection' })).toBeEnabled();
  if (panel !== 'console') {
    await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-story');
  }
  const run = screen.getByRole('button', { name: 'Run', exact: true });
  const alert = screen.getByRole('alert');
  return { screen, run, alert };
}

const broken = { extraBody: '{"top_k": ' };
const reason = /^Extra body fields: /;

type Opened = Awaited<ReturnType<typeof open>>;

async function expectLedToExtraBody({ screen, alert }: Opened): Promise<void> {
  await expect.element(alert.filter({ hasText: reason })).toBeVisible();
  await expect.element(screen.getByRole('complementary', { name: 'Parameters' })).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Extra body fields' })).toHaveFocus();
  expect(main.started).toEqual([]);
  expect(main.sent).toEqual([]);
}

it.each(withParameters)('opens the field to fix if a %s run is blocked', async (panel) => {
  panelForms[panel].change(broken);
  const opened = await open(panel);
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expectLedToExtraBody(opened);
});

it('opens the field to fix on Run and on an example', async () => {
  panelForms.completion.change(broken);
  const opened = await open('completion');
  await opened.run.click({ force: true });
  await expectLedToExtraBody(opened);
  const notes = recordNotes();
  const example = opened.screen.getByRole('list', { name: 'Examples' }).getByRole('button').first();
  const name = example.element().textContent;
  await example.click({ force: true });
  await expectLedToExtraBody(opened);
  expect(notes).toMatchObject([{ text: expect.stringMatching(reason) }]);
  expect(notes[0]?.element?.textContent).toBe(name);
});

const withRetry = ['completion', 'speech'] as const;

it.each(withRetry)('opens the field to fix if a Retry of %s is blocked', async (panel) => {
  main.runs = [runView(panel, { id: 'run-1', status: 'failed', error: failed, finishedAt: 1 })];
  main.recorded = {
    prompt: 'Once',
    input: 'Once',
    query: 'Once',
    file: 'media:AAAAAAAAAAAAAAAAAA',
  };
  panelForms[panel].change({ ...broken, runId: 'run-1' });
  const opened = await open(panel);
  const said = recordNotes();
  const result = opened.screen.getByRole('region', { name: 'Result' });
  await result.getByRole('button', { name: 'Retry' }).click();
  await expectLedToExtraBody(opened);
  expect(said).toMatchObject([{ text: expect.stringMatching(reason) }]);
  expect(said[0]?.element?.textContent).toBe('Retry');
});

it('opens the model picker if a run has no model', async () => {
  main.models = { ...demoModels, preselected: null };
  panelForms.completion.change({ input: { prompt: 'Once' } });
  location.hash = '#/completion';
  const screen = await render(<App />);
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await expect.element(prompt).toHaveValue('Once');
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toBeEnabled();
  await prompt.click();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect
    .element(screen.getByRole('alert').filter({ hasText: 'Choose a model first.' }))
    .toBeVisible();
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveFocus();
});

it.each([
  ['image', 'Enter a prompt or attach an image first.', 'Prompt'],
  ['video', 'Enter a prompt or attach an image first.', 'Prompt'],
  ['rerank', 'Enter a query first.', 'Query'],
  ['speech', 'Enter some text first.', 'Text'],
] as const)('focuses the missing field of an empty %s', async (panel, words, field) => {
  const { screen, run, alert } = await open(panel);
  await run.click({ force: true });
  await expect.element(alert.filter({ hasText: words })).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: field, exact: true })).toHaveFocus();
});

it('focuses Record if a transcription has no audio', async () => {
  const { screen, run, alert } = await open('transcription');
  await run.click({ force: true });
  await expect.element(alert.filter({ hasText: 'audio file first' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Record', exact: true })).toHaveFocus();
});

it('opens fields that the panel adds to the parameters', async () => {
  panelForms.image.change({ input: { prompt: 'A gate', moreConfig: '{' } });
  const image = await open('image');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(image.alert.filter({ hasText: 'More fields: ' })).toBeVisible();
  await expect.element(image.screen.getByRole('textbox', { name: 'More fields' })).toHaveFocus();
  await image.screen.unmount();

  useLayout.setState({ sidebarOpen: false });
  const rows = ['seed', 'steps', 'seed'].map((name) => ({ name, value: '1' }));
  panelForms.video.change({ input: { prompt: 'A gate', rows } });
  const video = await open('video');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(video.alert.filter({ hasText: 'duplicate name “seed”' })).toBeVisible();
  await expect
    .element(video.screen.getByRole('textbox', { name: 'Name of parameter 3' }))
    .toHaveFocus();
  expect(main.started).toEqual([]);
});

it.each([
  ['Path', { path: 'https://elsewhere.example/v1' }, 'not a full URL'],
  ['Headers', { headers: 'no colon' }, 'Use the form Name: value'],
] as const)('focuses an invalid %s of a console request', async (field, input, words) => {
  panelForms.console.change({ input });
  const { screen, alert } = await open('console');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(alert.filter({ hasText: words })).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: field, exact: true })).toHaveFocus();
  expect(main.started).toEqual([]);
});
