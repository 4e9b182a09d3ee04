import { beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import type { Form } from '../../renderer/run/form/form.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { ParameterSidebar } from '../../renderer/run/form/parameter-sidebar.tsx';
import { getDraft } from '../../renderer/run/form/parameters.ts';
import { checkDraft } from '../../renderer/run/form/validate-form.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { resetForms } from './forms-fixtures.ts';
import { Queries } from './params-fixtures.tsx';
import './panel-fake-main.ts';

const form = panelForms.completion;
const chat = panelForms.chat;

function sent() {
  const description = describeOperation('completion');
  return checkDraft(description, getDraft(form.state.getState().values, description));
}

/** Returns the parameters that a chat sends, or the errors that block it. */
function sentByChat() {
  const description = describeOperation('chat');
  const checked = checkDraft(description, getDraft(chat.state.getState().values, description));
  return checked.ok ? checked.request : checked.errors;
}

beforeEach(resetForms);

async function sidebar(shown: Form<OperationName>) {
  const screen = await render(
    <Queries>
      <ParameterSidebar form={shown} />
    </Queries>,
  );
  await expect.element(screen.getByRole('spinbutton', { name: 'Temperature' })).toBeVisible();
  return screen;
}

test('sends a stop sequence as one string or a list', async () => {
  const screen = await sidebar(form);
  const stop = screen.getByRole('textbox', { name: 'Stop sequence' });
  await stop.fill('END\nSTOP');
  expect(sent()).toMatchObject({ request: { stop: 'END\nSTOP' } });
  const shape = screen.getByRole('radiogroup', { name: 'Send Stop sequence as' });
  await shape.getByRole('radio', { name: 'List' }).click();
  expect(sent()).toMatchObject({ request: { stop: ['END\nSTOP'] } });
  await expect.element(stop).toHaveValue('END\\nSTOP');
  await stop.fill('END\nSTOP');
  expect(sent()).toMatchObject({ request: { stop: ['END', 'STOP'] } });
  await shape.getByRole('radio', { name: 'One string' }).click();
  expect(sent()).toMatchObject({ request: { stop: 'END\nSTOP' } });
  await stop.fill('');
  expect(sent()).toMatchObject({ ok: true });
  expect(Object.keys(form.state.getState().values.parameters)).not.toContain('stop');
  await expect.element(shape.getByRole('radio', { name: 'One string' })).toBeChecked();
});

test('keeps a list that was shown as one string', async () => {
  const screen = await sidebar(chat);
  const stop = screen.getByRole('textbox', { name: 'Stop sequences' });
  const shape = screen.getByRole('radiogroup', { name: 'Send Stop sequences as' });
  const list = shape.getByRole('radio', { name: 'List' });
  const oneString = shape.getByRole('radio', { name: 'One string' });
  await stop.fill('a\nb\\nc');
  expect(sentByChat()).toMatchObject({ stop: ['a', 'b\nc'] });
  await oneString.click();
  expect(sentByChat()).toMatchObject({ stop: 'a\nb\nc' });
  await list.click();
  expect(sentByChat()).toMatchObject({ stop: ['a', 'b\nc'] });
  await expect.element(stop).toHaveValue('a\nb\\nc');
  await oneString.click();
  // Also after another panel was looked at.
  await screen.unmount();
  const again = await sidebar(chat);
  const shapeAgain = again.getByRole('radiogroup', { name: 'Send Stop sequences as' });
  await shapeAgain.getByRole('radio', { name: 'List' }).click();
  expect(sentByChat()).toMatchObject({ stop: ['a', 'b\nc'] });
});

test('edits biases in rows of token ID and number', async () => {
  const screen = await sidebar(chat);
  await screen.getByRole('button', { name: 'More' }).click();
  const biases = screen.getByRole('group', { name: 'Logit bias' });
  const row = (name: string) => biases.getByRole('textbox', { name });
  await biases.getByRole('button', { name: 'Add row' }).click();
  await expect.element(row('Token ID 1')).toHaveFocus();
  await userEvent.keyboard('50256{Tab}-100');
  expect(sentByChat()).toMatchObject({ logit_bias: { 50256: -100 } });
  await biases.getByRole('button', { name: 'Add row' }).click();
  await row('Token ID 2').fill('198');
  await expect.element(biases.getByText('Enter a number for every token.')).toBeVisible();
  expect(sentByChat()).toEqual([
    { path: ['logit_bias'], message: 'Enter a number for every token.' },
  ]);
  await row('Bias 2').fill('1,5');
  await expect.element(row('Bias 2')).toHaveValue('1,5');
  await expect.element(biases.getByText('Enter a number for every token.')).toBeVisible();
  await row('Bias 2').fill('1.5');
  expect(sentByChat()).toMatchObject({ logit_bias: { 50256: -100, 198: 1.5 } });
  await row('Token ID 2').fill('50256');
  await expect.element(biases.getByText('“50256” is listed twice.')).toBeVisible();
  await biases.getByRole('button', { name: 'Remove Token ID 2' }).click();
  expect(sentByChat()).toMatchObject({ logit_bias: { 50256: -100 } });
  await biases.getByRole('button', { name: 'Remove Token ID 1' }).click();
  expect(sentByChat()).not.toHaveProperty('logit_bias');
});

test('edits biases as JSON and again in rows', async () => {
  const screen = await sidebar(chat);
  await screen.getByRole('button', { name: 'More' }).click();
  const biases = screen.getByRole('group', { name: 'Logit bias' });
  const toggle = biases.getByRole('button', { name: 'Edit Logit bias as JSON' });
  await toggle.click();
  const json = biases.getByRole('textbox', { name: 'Logit bias JSON' });
  await json.fill('{"50256": -100, "198":');
  expect(sentByChat()).toMatchObject([{ path: ['logit_bias'] }]);
  await json.fill('{"50256": -100, "198": 2}');
  expect(sentByChat()).toMatchObject({ logit_bias: { 50256: -100, 198: 2 } });
  await toggle.click();
  await expect.element(biases.getByRole('textbox', { name: 'Bias 2' })).toHaveValue('2');
});

test('edits voice and format of an audio answer, and keeps its other JSON fields', async () => {
  const screen = await sidebar(chat);
  await screen.getByRole('button', { name: 'More' }).click();
  const audio = screen.getByRole('group', { name: 'Audio', exact: true });
  await audio.getByRole('combobox', { name: 'Voice' }).fill('alloy');
  await audio.getByRole('combobox', { name: 'Format' }).fill('wav');
  expect(sentByChat()).toMatchObject({ audio: { voice: 'alloy', format: 'wav' } });
  await audio.getByRole('combobox', { name: 'Voice' }).fill('');
  await audio.getByRole('combobox', { name: 'Format' }).fill('');
  expect(sentByChat()).not.toHaveProperty('audio');
  await audio.getByRole('button', { name: 'Edit Audio as JSON' }).click();
  await audio
    .getByRole('textbox', { name: 'Audio JSON' })
    .fill('{"voice": "alloy", "format": "mp3", "speed": 2}');
  await audio.getByRole('button', { name: 'Edit Audio as JSON' }).click();
  await audio.getByRole('combobox', { name: 'Voice' }).fill('echo');
  expect(sentByChat()).toMatchObject({ audio: { voice: 'echo', format: 'mp3', speed: 2 } });
});

test('reports that usage is not sent while Stream is off', async () => {
  const screen = await sidebar(chat);
  await screen.getByRole('button', { name: 'More' }).click();
  const options = screen.getByRole('group', { name: 'Stream options' });
  const usage = options.getByRole('switch', { name: 'Include usage' });
  await expect.element(usage).toBeChecked();
  await usage.click();
  expect(sentByChat()).toMatchObject({ stream_options: { include_usage: false } });
  const note = screen.getByText('Only sent when Stream is on.');
  await expect.element(note).not.toBeInTheDocument();
  await screen.getByRole('switch', { name: 'Stream', exact: true }).click();
  await expect.element(note).toBeVisible();
});
