import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';

import { selectConversation } from '../../renderer/features/chat/chat-store.ts';
import { useConnectDialog } from '../../renderer/lib/connections.ts';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import { addConversation, faults, savedTools, sent } from './chat-fake-main.ts';
import { openReadyChat, resetChat, weather } from './chat-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat();
});

it('offers three examples that run', async () => {
  const { button, screen } = await openReadyChat();
  await button('Tell a story').click();
  await expect.poll(() => sent.length).toBe(1);
  selectConversation(null);
  await expect.element(button('Call a tool')).toBeEnabled();
  const call = button('Call a tool').element();
  if (call instanceof HTMLElement) {
    call.click();
    call.click();
  }
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]?.request).toMatchObject({ tools: [{ function: { name: 'get_weather' } }] });
  await expect.element(button('Tools 1')).toBeVisible();
  selectConversation(null);
  await expect.element(screen.getByText('Tools 1')).not.toBeInTheDocument();
  await button('Answer in JSON').click();
  await expect.poll(() => sent.length).toBe(3);
  expect(sent[2]?.request).toMatchObject({ response_format: { type: 'json_schema' } });
  expect(sent[2]?.request).not.toHaveProperty('tools');
  expect(savedTools).toHaveLength(1);
});

it('restores the options of a conversation that an example replaced', async () => {
  const options = { ...defaultConversationOptions, toolIds: [weather.id] };
  savedTools.push(weather);
  selectConversation(addConversation([], { options }).id);
  const { button, screen } = await openReadyChat();
  await expect.element(button('Tools 1')).toBeVisible();
  await button('Tell a story').click();
  await expect.element(screen.getByText('Options replaced by the example')).toBeVisible();
  await expect.element(button('Tools 1')).not.toBeInTheDocument();
  await button('Undo').click();
  await expect.element(button('Tools 1')).toBeVisible();
});

it('does not send an example if its options cannot be saved', async () => {
  const options = { ...defaultConversationOptions, toolIds: [weather.id] };
  savedTools.push(weather);
  selectConversation(addConversation([], { options }).id);
  const { button, screen } = await openReadyChat();
  faults.update = new Error('The disk is full.');
  await button('Tell a story').click();
  await expect.element(screen.getByRole('alert')).toBeVisible();
  expect(sent).toEqual([]);
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

it('offers to connect a gateway while there is only the demo', async () => {
  const { button } = await openReadyChat();
  await button('Connect your gateway').click();
  expect(useConnectDialog.getState().open).toBe(true);
  useConnectDialog.setState({ open: false });
});
