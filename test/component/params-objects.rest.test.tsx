import { beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { ParameterSidebar } from '../../renderer/run/form/parameter-sidebar.tsx';
import { getDraft } from '../../renderer/run/form/parameters.ts';
import { checkDraft } from '../../renderer/run/form/validate-form.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import { resetForms } from './forms-fixtures.ts';
import { Queries } from './params-fixtures.tsx';
import './panel-fake-main.ts';

const chat = panelForms.chat;

/** Returns the parameters that Chat would send, or the errors that block sending. */
function sentByChat() {
  const description = describeOperation('chat');
  const checked = checkDraft(description, getDraft(chat.state.getState().values, description));
  return checked.ok ? checked.request : checked.errors;
}

beforeEach(resetForms);

async function sidebar() {
  const screen = await render(
    <Queries>
      <ParameterSidebar form={chat} />
    </Queries>,
  );
  await expect.element(screen.getByRole('spinbutton', { name: 'Temperature' })).toBeVisible();
  return screen;
}

test('sends stop sequences as a string or list, and keeps a list with one item', async () => {
  const screen = await sidebar();
  await screen.getByRole('button', { name: 'More' }).click();
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
  // The form keeps the list even while another panel is shown.
  await screen.unmount();
  await sidebar();
  await list.click();
  expect(sentByChat()).toMatchObject({ stop: ['a', 'b\nc'] });

  await oneString.click();
  await stop.fill('END\nSTOP');
  expect(sentByChat()).toMatchObject({ stop: 'END\nSTOP' });
  await list.click();
  expect(sentByChat()).toMatchObject({ stop: ['END\nSTOP'] });
  await expect.element(stop).toHaveValue('END\\nSTOP');
  await oneString.click();
  await stop.fill('');
  expect(sentByChat()).not.toHaveProperty('stop');
  await expect.element(oneString).toBeChecked();
});

test('edits objects as rows, fields or JSON, and keeps their other fields', async () => {
  const screen = await sidebar();
  await screen.getByRole('button', { name: 'More' }).click();
  const biases = screen.getByRole('group', { name: 'Logit bias' });
  const row = (name: string) => biases.getByRole('textbox', { name });
  await biases.getByRole('button', { name: 'Add row' }).click();
  await expect.element(row('Token ID 1')).toHaveFocus();
  await userEvent.keyboard('50256{Tab}-100');
  expect(sentByChat()).toMatchObject({ logit_bias: { 50256: -100 } });
  await biases.getByRole('button', { name: 'Add row' }).click();
  await row('Token ID 2').fill('198');
  await row('Bias 2').fill('1,5');
  const message = 'Enter a number for every token.';
  await expect.element(biases.getByText(message)).toBeVisible();
  expect(sentByChat()).toEqual([{ path: ['logit_bias'], message }]);
  await row('Bias 2').fill('1.5');
  expect(sentByChat()).toMatchObject({ logit_bias: { 50256: -100, 198: 1.5 } });
  await row('Token ID 2').fill('50256');
  await expect.element(biases.getByText('“50256” is listed twice.')).toBeVisible();
  await biases.getByRole('button', { name: 'Remove Token ID 2' }).click();
  await biases.getByRole('button', { name: 'Remove Token ID 1' }).click();
  expect(sentByChat()).not.toHaveProperty('logit_bias');
  const toggle = biases.getByRole('button', { name: 'Edit Logit bias as JSON' });
  await toggle.click();
  const json = biases.getByRole('textbox', { name: 'Logit bias JSON' });
  await json.fill('{"50256": -100, "198":');
  expect(sentByChat()).toMatchObject([{ path: ['logit_bias'] }]);
  await json.fill('{"50256": -100, "198": 2}');
  expect(sentByChat()).toMatchObject({ logit_bias: { 50256: -100, 198: 2 } });
  await toggle.click();
  await expect.element(row('Bias 2')).toHaveValue('2');

  const audio = screen.getByRole('group', { name: 'Audio', exact: true });
  const voice = audio.getByRole('combobox', { name: 'Voice' });
  const format = audio.getByRole('combobox', { name: 'Format' });
  await voice.fill('alloy');
  await format.fill('wav');
  expect(sentByChat()).toMatchObject({ audio: { voice: 'alloy', format: 'wav' } });
  await voice.fill('');
  await format.fill('');
  expect(sentByChat()).not.toHaveProperty('audio');
  const asJson = audio.getByRole('button', { name: 'Edit Audio as JSON' });
  await asJson.click();
  await audio
    .getByRole('textbox', { name: 'Audio JSON' })
    .fill('{"voice": "alloy", "format": "mp3", "speed": 2}');
  await asJson.click();
  await voice.fill('echo');
  expect(sentByChat()).toMatchObject({ audio: { voice: 'echo', format: 'mp3', speed: 2 } });

  const options = screen.getByRole('group', { name: 'Stream options' });
  await options.getByRole('switch', { name: 'Include usage' }).click();
  expect(sentByChat()).toMatchObject({ stream_options: { include_usage: false } });
  const note = screen.getByText('Only sent when Stream is on.');
  await expect.element(note).not.toBeInTheDocument();
  await screen.getByRole('switch', { name: 'Stream', exact: true }).click();
  await expect.element(note).toBeVisible();
});
