import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { selectConversation } from '../../renderer/features/chat/conversation/chat-store.ts';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import { presets, savedTools } from './chat-fake-saved.ts';
import { addConversation, conversations, makeMessage } from './chat-fake-state.ts';
import { openReadyChat, resetChat, weather } from './chat-fixtures.tsx';

beforeEach(() => {
  resetChat({ listOpen: false });
  savedTools.push(weather);
});

const systemMessage = () => page.getByRole('textbox', { name: 'System message' });
const model = () => page.getByRole('combobox', { name: 'Model' });
const dialog = () => page.getByRole('dialog', { name: 'Chat presets' });

it('saves only the selected parts of a conversation', async () => {
  const { screen, button } = await openReadyChat();
  await systemMessage().fill('Answer in JSON.');
  await button('Presets').click();
  const include = dialog().getByRole('group', { name: 'Include' });
  const box = (name: RegExp) => include.getByRole('checkbox', { name });
  await expect.element(box(/^Model demo-echo/)).toBeChecked();
  await expect.element(box(/^System message Answer in JSON/)).toBeChecked();
  await expect.element(box(/^Tools None/)).not.toBeChecked();
  await expect.element(box(/^Response format Not set/)).not.toBeChecked();
  await box(/^Model/).click();
  await dialog().getByRole('textbox', { name: 'Save settings as' }).fill('Extract');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => presets[0]?.settings.systemMessage).toBe('Answer in JSON.');
  expect(presets[0]?.settings).not.toHaveProperty('model');
  expect(presets[0]?.settings).not.toHaveProperty('tools');
  const row = screen.getByRole('button', { name: 'Extract', exact: true });
  await expect.element(row).toHaveAccessibleDescription('System message');
  await expect.element(dialog().getByRole('listitem').getByText('System message')).toBeVisible();
});

it('applies every part to a saved conversation, and reverts all with one Undo', async () => {
  presets.push({
    id: 'preset',
    operation: 'chat',
    name: 'Extract',
    settings: {
      params: { temperature: { value: 0.2 } },
      extraBody: '',
      model: 'not-listed',
      systemMessage: 'Answer in JSON.',
      tools: { on: [{ id: weather.id, name: 'get_weather' }], choice: 'required' },
      responseFormat: { type: 'json_object' },
    },
  });
  const { id } = addConversation([makeMessage({ content: 'Hello' })], {
    systemMessage: 'Be brief.',
  });
  selectConversation(id);
  const saved = () => conversations.get(id);
  const { screen, button } = await openReadyChat();
  await expect.element(systemMessage()).toHaveValue('Be brief.');
  // The field keeps typed text itself, so the preset must replace that too.
  await systemMessage().fill('Be very brief.');
  await button('Presets').click();
  await dialog().getByRole('button', { name: 'Extract', exact: true }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(systemMessage()).toHaveValue('Answer in JSON.');
  await expect.element(model()).toHaveValue('not-listed');
  await expect.element(button('Tools 1')).toBeVisible();
  await expect.element(button('json_object')).toBeVisible();
  await expect.poll(() => saved()?.systemMessage).toBe('Answer in JSON.');
  await expect
    .poll(() => saved()?.options)
    .toEqual({
      ...defaultConversationOptions,
      toolIds: [weather.id],
      toolChoice: 'required',
      responseFormat: { type: 'json_object' },
    });
  const said =
    '“Extract” applied: parameters, model, system message, tools, and response format. “not-listed” used as model ID';
  await expect.element(screen.getByText(said)).toBeVisible();
  await button('Undo').click();
  await expect.element(systemMessage()).toHaveValue('Be very brief.');
  await expect.element(model()).toHaveValue('demo-echo');
  await expect.element(button('Tools 1')).not.toBeInTheDocument();
  await expect.poll(() => saved()?.systemMessage).toBe('Be very brief.');
  await expect.poll(() => saved()?.options).toEqual(defaultConversationOptions);
});

it('doesn’t scroll sideways with a long system message', async () => {
  const { button } = await openReadyChat();
  await systemMessage().fill('Answer in JSON. '.repeat(50));
  await button('Presets').click();
  await expect.element(dialog().getByRole('checkbox', { name: /^System message/ })).toBeVisible();
  for (const place of dialog().element().querySelectorAll('*')) {
    const { overflowX } = getComputedStyle(place);
    if (overflowX !== 'auto' && overflowX !== 'scroll') continue;
    expect(place.scrollWidth).toBeLessThanOrEqual(place.clientWidth);
  }
});
