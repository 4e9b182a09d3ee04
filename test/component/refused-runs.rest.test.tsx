import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { useLayout } from '../../renderer/lib/layout.ts';
import type { Form } from '../../renderer/run/form/form.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { appError } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { runView } from '../fixtures/run-view.ts';
import { openPanel, type Panel } from './every-panel.tsx';
import { recordNotes } from './notes.ts';
import { main } from './panel-fake-main.ts';
import { resetPanels, show } from './panel-fixtures.tsx';

beforeEach(() => {
  resetPanels();
  useLayout.setState({ sidebarOpen: false });
});

const invalidBody = { extraBody: '{"top_k": ' };
const reason = /^Extra JSON: /;

/** Expects a blocked run to open the field, then closes the parameters again. */
async function expectLedToExtraBody({ screen }: Awaited<ReturnType<typeof openPanel>>) {
  await expect.element(screen.getByRole('alert').filter({ hasText: reason })).toBeVisible();
  await expect.element(screen.getByRole('complementary', { name: 'Parameters' })).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Extra JSON' })).toHaveFocus();
  expect(main.started).toEqual([]);
  useLayout.setState({ sidebarOpen: false });
}

it.each<Panel>(['completion', 'speech'])(
  'opens the field to fix on Run, on an example or on Retry of %s',
  async (panel) => {
    panelForms[panel].change(invalidBody);
    const opened = await openPanel(panel);
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expectLedToExtraBody(opened);
    await opened.button('Run').click({ force: true });
    await expectLedToExtraBody(opened);
    const notes = recordNotes();
    const examples = opened.screen.getByRole('list', { name: 'Examples' });
    const example = examples.getByRole('button').first();
    const name = example.element().textContent;
    await example.click({ force: true });
    await expectLedToExtraBody(opened);

    const error = appError('rate-limited', 'Rate limit reached.', 'Wait a moment.', {
      retryAfterSeconds: null,
    });
    show(runView(panel, { id: 'run-1', status: 'failed', error, finishedAt: 1 }), {
      prompt: 'Once',
      input: 'Once',
    });
    await opened.result.getByRole('button', { name: 'Retry' }).click();
    await expectLedToExtraBody(opened);
    expect(notes).toMatchObject([1, 2].map(() => ({ text: expect.stringMatching(reason) })));
    expect(notes.map(({ element }) => element?.textContent)).toEqual([name, 'Retry']);
  },
);

const rows = ['seed', 'steps', 'seed'].map((name) => ({ name, value: '1' }));

it.each<[Panel, object, string, string]>([
  ['image', {}, 'Enter a prompt or attach an image first.', 'Prompt'],
  ['video', {}, 'Enter a prompt or attach an image first.', 'Prompt'],
  ['rerank', {}, 'Enter a query first.', 'Query'],
  ['speech', {}, 'Enter some text first.', 'Text'],
  ['transcription', {}, 'audio file first', 'Record'],
  ['transcription', invalidBody, 'Extra JSON: ', 'Extra JSON'],
  ['image', { input: { prompt: 'A gate', moreConfig: '{' } }, 'Extra config: ', 'Extra config'],
  ['video', { input: { prompt: 'A', rows } }, 'duplicate name “seed”', 'Name of parameter 3'],
  ['console', { input: { path: 'https://other.example/v1' } }, 'not a full URL', 'Path'],
  ['console', { input: { headers: 'no colon' } }, 'Use the form Name: value', 'Name of header 1'],
])('focuses the field of %s to fix: %j', async (panel, values, words, field) => {
  const form: Form<OperationName> = panelForms[panel];
  form.change(values);
  const { screen } = await openPanel(panel);
  if (panel !== 'console') {
    const model = screen.getByRole('combobox', { name: 'Model' });
    await expect.element(model).toHaveValue('demo-model');
  }
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(screen.getByRole('alert').filter({ hasText: words })).toBeVisible();
  const role = field === 'Record' ? 'button' : 'textbox';
  await expect.element(screen.getByRole(role, { name: field, exact: true })).toHaveFocus();
  expect(main.started).toEqual([]);
});
