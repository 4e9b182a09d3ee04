import { beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { useChat } from '../../renderer/features/chat/conversation/chat-store.ts';
import { api } from '../../renderer/lib/api.ts';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import { openReadyChat, resetChat } from './chat-fixtures.tsx';
import { listControls } from './list-controls.ts';

beforeEach(() => resetChat());

it('runs chat from every kind of control, and changes no parameter', async () => {
  // A refused message leaves the panel as it was, so that each control can send it.
  const send = vi.spyOn(api.conversations, 'send').mockRejectedValue(new Error('Refused'));
  const { screen, message } = await openReadyChat();
  await message.fill('Hello');
  const more = screen.getByRole('button', { name: 'More', exact: true });
  await more.click();
  const kinds = listControls();
  expect([...kinds.keys()].join(' ')).toMatch(/switch.*radio|radio.*switch/s);
  const { params, input } = getConversationForm(null).state.getState().values;
  let runs = 0;
  for (const [kind, control] of kinds) {
    control.focus();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    runs += 1;
    await expect.poll(() => send.mock.calls.length, { message: kind }).toBe(runs);
    await expect.poll(() => useChat.getState().sending).toBe(false);
    const now = getConversationForm(null).state.getState().values;
    expect({ params: now.params, input: now.input }, kind).toEqual({ params, input });
  }
});
