import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { selectConversation } from '../../renderer/features/chat/chat-store.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { conversationForm } from '../../renderer/run/form/panel-forms.ts';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import {
  addConversation,
  conversations,
  holdAdding,
  savedTools,
  sent,
  settings,
} from './chat-fake-main.ts';
import { openReadyChat, resetChat, weather } from './chat-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat();
});

it('shows the send shortcut and keeps rare options in a popover', async () => {
  settings.enterSends = false;
  const { button, message, screen } = await openReadyChat();
  const hint = () =>
    [...(message.element().closest('form, div')?.parentElement?.querySelectorAll('kbd') ?? [])]
      .map(({ textContent }) => textContent)
      .join('+');
  await expect.poll(hint).toBe('Ctrl+↵');
  const seldom = [
    screen.getByRole('combobox', { name: 'Role' }),
    screen.getByRole('textbox', { name: 'Name', exact: true }),
    button('Add message only'),
  ];
  for (const control of seldom) await expect.element(control).not.toBeInTheDocument();
  await button('More options').click();
  for (const control of seldom) await expect.element(control).toBeVisible();
});

it('shows the estimated size of the next request, with its parts, and warns near the limit', async () => {
  const { message, screen } = await openReadyChat();
  const gauge = screen.getByRole('button', { name: /^Context ≈ / });
  await expect.element(gauge).not.toBeInTheDocument();
  await message.fill('a'.repeat(400));
  await expect.element(gauge).toHaveTextContent('≈ 100 of 1K');
  await gauge.click();
  const parts = screen.getByRole('table', { name: 'Context' });
  await expect
    .element(parts)
    .toHaveTextContent('Draft100Next request100 tokensLimit of the model1,000');
  await userEvent.keyboard('{Escape}');
  await screen.getByRole('textbox', { name: 'System message' }).fill('b'.repeat(80));
  await expect.element(gauge).toHaveTextContent('≈ 120 of 1K');
  await message.fill('a'.repeat(4400));
  await expect.element(gauge).toHaveTextContent('≈ 1K of 1K');
  await gauge.click();
  await expect.element(screen.getByText(/^Longer than the model’s context/)).toBeVisible();
});

it('sends with Enter, with Shift+Enter for a new line', async () => {
  const { message } = await openReadyChat();
  await message.click();
  await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two');
  expect(sent).toHaveLength(0);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent[0]?.message?.content).toBe('one\ntwo');
});

it('shows changed options as chips that open their settings', async () => {
  savedTools.push(weather);
  const schema = { type: 'json_schema', json_schema: { name: 'answer', schema: {} } };
  const { id } = addConversation([]);
  const options = {
    ...defaultConversationOptions,
    toolIds: [weather.id],
    toolChoice: 'required' as const,
    responseFormat: schema,
  };
  const conversation = conversations.get(id);
  if (conversation !== undefined) conversations.set(id, { ...conversation, options });
  selectConversation(id);
  const { button, screen } = await openReadyChat();
  conversationForm(id).change({ extraBody: '{"top_k": 4}', parameters: { temperature: 0.2 } });

  await button('Tools 1').click();
  await expect.element(screen.getByRole('dialog', { name: 'Tools' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await button('JSON schema').click();
  await expect.element(screen.getByRole('dialog', { name: 'Response schema' })).toBeVisible();
  await userEvent.keyboard('{Escape}');

  useLayout.setState({ sidebarOpen: false });
  await button('tool_choice required').click();
  await expect.element(screen.getByRole('combobox', { name: 'Tool choice' })).toHaveFocus();
  await button('Extra body fields 1').click();
  await expect.element(screen.getByRole('textbox', { name: 'Extra body fields' })).toHaveFocus();
  useLayout.setState({ sidebarOpen: false });
  await button('temperature 0.2').click();
  await expect.element(screen.getByRole('slider', { name: 'Temperature slider' })).toHaveFocus();
});

it('folds the system message to one line', async () => {
  const { message, screen } = await openReadyChat();
  const system = screen.getByRole('textbox', { name: 'System message' });
  await system.fill('Be brief.\nAnswer in English.\nName your sources.');
  const open3 = system.element().getBoundingClientRect().height;
  await message.click();
  expect(system.element().getBoundingClientRect().height).toBeLessThan(open3 - 30);
  await expect.element(screen.getByText('+2 lines')).toBeVisible();
});

it('takes the focus after Stop', async () => {
  const { button, message } = await openReadyChat();
  await message.fill('first');
  await button('Run').click();
  await button('Stop').click();
  await expect.element(message).toHaveFocus();
  await expect.element(button('Run')).toBeVisible();
  await expect.element(message).toHaveFocus();
});

it.each([
  ['in the composer', 'textbox', 'Message'],
  ['where the user has gone meanwhile', 'combobox', 'Model'],
])('keeps the focus %s when the first message has begun a conversation', async (_, role, name) => {
  const sending = holdAdding();
  const { screen, message } = await openReadyChat();
  await message.fill('first');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const field = screen.getByRole(role, { name, exact: true });
  await field.click();
  const asked = message.element();
  sending.resolve();
  await expect.element(screen.getByRole('article', { name: 'user' })).toBeVisible();
  expect(asked.isConnected).toBe(false);
  await expect.element(field).toHaveFocus();
});
