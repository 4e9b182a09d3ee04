import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import {
  selectConversation,
  useChat,
} from '../../renderer/features/chat/conversation/chat-store.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import { HistoryIcon } from '../../renderer/ui/icons/panels.tsx';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import { getConversationFormId } from '../../shared/form-fields.ts';
import { faults, holdAdding, sent } from './chat-fake-conversations.ts';
import { settings } from './chat-fake-main.ts';
import { savedTools } from './chat-fake-saved.ts';
import { addConversation } from './chat-fake-state.ts';
import { openChat, openReadyChat, resetChat, showExchange, weather } from './chat-fixtures.tsx';
import { formsDelay, storedFields, storeFields } from './fake-forms.ts';
import { watchRenders } from './render-watch.ts';

beforeEach(() => resetChat({ listOpen: false }));

it('keeps the message read-only until it loads, and rare options in a popover', async () => {
  settings.enterSends = false;
  storeFields(getConversationFormId(null), { input: { text: 'A saved draft', name: 'ada' } });
  const { promise, resolve } = Promise.withResolvers<void>();
  formsDelay.until = promise;
  const { message, screen, add } = await openChat();
  await expect.element(message).toHaveAttribute('readonly');
  const role = screen.getByRole('combobox', { name: 'Role' });
  await expect.element(role).not.toBeInTheDocument();
  await add('Role and name…');
  await expect.element(role).toBeDisabled();
  resolve();
  await expect.element(message).toHaveValue('A saved draft');
  await expect.element(message).not.toHaveAttribute('readonly');
  await expect.element(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('ada');
  const keys = message.element().closest('form, div')?.parentElement?.querySelectorAll('kbd');
  expect([...(keys ?? [])].map(({ textContent }) => textContent)).toEqual(['Ctrl', '↵']);
});

it('doesn’t render the log again while the user types', async () => {
  const toolCalls = [
    { id: 'call_1', type: 'function' as const, function: { name: 'look_up', arguments: '{}' } },
  ];
  const { answers } = showExchange('question', { toolCalls, run: null, choiceIndex: null });
  const { screen, button, message } = await openChat();
  const result = screen.getByRole('textbox', { name: 'Result for look_up' });
  await expect.element(result).toBeVisible();
  await expect.element(button('Send')).toBeEnabled();
  const renders = watchRenders();
  await message.click();
  await userEvent.keyboard('Hello');
  await result.click();
  await userEvent.keyboard('sunny');
  await expect
    .poll(() => storedFields(getConversationFormId(useChat.getState().selectedId)))
    .toMatchObject({ 'input.text': 'Hello', [`results.${answers[0]?.id} 0`]: 'sunny' });
  expect(renders.stop().get('MessageLog')).toBeUndefined();
});

it('shows the next request’s estimated size by part, and warns near the limit', async () => {
  const { message, screen } = await openReadyChat();
  const gauge = screen.getByRole('button', { name: /^Context ≈ / });
  await expect.element(gauge).not.toBeInTheDocument();
  await message.fill('a'.repeat(400));
  await expect.element(gauge).toHaveTextContent('≈ 100 of 1K tokens');
  await gauge.click();
  await expect
    .element(screen.getByRole('table', { name: 'Context' }))
    .toHaveTextContent('Draft100Next request100 tokensLimit of the model1,000');
  const count = screen.getByRole('button', { name: 'Count tokens' });
  await count.click();
  await expect.element(screen.getByText(/^\d+ input tokens, counted$/)).toBeVisible();
  await expect.element(count).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  const system = screen.getByRole('textbox', { name: 'System message' });
  await system.fill(`${'b'.repeat(77)}\n\nc`);
  await expect.element(gauge).toHaveTextContent('≈ 120 of 1K tokens');
  const open = system.element().getBoundingClientRect().height;
  await message.fill('a'.repeat(4400));
  // Collapsed, the system message takes one line.
  expect(system.element().getBoundingClientRect().height).toBeLessThan(open - 30);
  await expect.element(screen.getByText('+2 lines')).toBeVisible();
  await expect.element(gauge).toHaveTextContent('≈ 1K of 1K tokens');
  await gauge.click();
  await expect.element(screen.getByText(/^Longer than the model’s context/)).toBeVisible();
});

it('shows changed options as chips that open their settings', async () => {
  savedTools.push(weather);
  const options = {
    ...defaultConversationOptions,
    toolIds: [weather.id],
    toolChoice: 'required' as const,
    responseFormat: { type: 'json_schema', json_schema: { name: 'answer', schema: {} } },
  };
  const { id } = addConversation([], { options });
  selectConversation(id);
  const { button, screen } = await openReadyChat();
  getConversationForm(id).change({
    extraBody: '{"top_k": 4}',
    params: { temperature: { value: 0.2 } },
  });

  await button('Tools 1').click();
  await expect.element(screen.getByRole('dialog', { name: 'Tools' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await button('JSON schema').click();
  await expect.element(screen.getByRole('dialog', { name: 'Response schema' })).toBeVisible();
  await userEvent.keyboard('{Escape}');

  useLayout.setState({ sidebarOpen: false });
  await button('tool_choice required').click();
  await expect.element(screen.getByRole('combobox', { name: 'Tool choice' })).toHaveFocus();
  await button('Extra JSON 1').click();
  await expect.element(screen.getByRole('textbox', { name: 'Extra JSON' })).toHaveFocus();
  useLayout.setState({ sidebarOpen: false });
  await button('temperature 0.2').click();
  await expect.element(screen.getByRole('spinbutton', { name: 'Temperature' })).toHaveFocus();
});

it('counts the format’s built-in tools as tools, which a tool choice can require', async () => {
  const options = {
    ...defaultConversationOptions,
    builtInTools: [{ format: 'responses', name: 'webSearch', values: {} }],
    toolChoice: { name: 'get_weather' },
  };
  const { id } = addConversation([], { options });
  selectConversation(id);
  const { button, screen } = await openReadyChat();
  await expect.element(button('Tools 1')).not.toBeInTheDocument();
  getConversationForm(id).change({ params: { format: { value: 'responses' } } });
  await expect.element(button('Tools 1')).toBeVisible();
  await button('This conversation').click();
  const choice = screen.getByRole('combobox', { name: 'Tool choice' });
  await expect.element(choice).toHaveAccessibleDescription(/get_weather is turned off/);
  await choice.selectOptions('required');
  await expect.element(button('tool_choice required')).toBeVisible();
});

it('keeps focus where the user moved it while the first message was sent, until Stop', async () => {
  const sending = holdAdding();
  const { screen, button, message } = await openReadyChat();
  await message.fill('first');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const model = screen.getByRole('combobox', { name: 'Model' });
  await model.click();
  sending.resolve();
  await expect.element(screen.getByRole('article', { name: 'user' })).toBeVisible();
  await expect.element(model).toHaveFocus();
  await button('Stop').click();
  await expect.element(button('Send')).toBeVisible();
  await expect.element(message).toHaveFocus();
});

it('restores options that an example replaced, and sends none that can’t be saved', async () => {
  const options = { ...defaultConversationOptions, toolIds: [weather.id] };
  savedTools.push(weather);
  selectConversation(addConversation([], { options }).id);
  const { button, screen } = await openReadyChat();
  await expect.element(button('Tools 1')).toBeVisible();
  faults.update = new Error('The disk is full.');
  await button('Tell a story').click();
  await expect.element(screen.getByRole('alert')).toBeVisible();
  expect(sent).toEqual([]);
  await expect.element(button('Undo')).not.toBeInTheDocument();
  faults.update = null;
  await button('Tell a story').click();
  await expect.element(screen.getByText('Options replaced by the example')).toBeVisible();
  await expect.element(button('Tools 1')).not.toBeInTheDocument();
  await button('Undo').click();
  await expect.element(button('Tools 1')).toBeVisible();
});

it('clears the draft of a new conversation, with Undo', async () => {
  storeFields(getConversationFormId(null), {
    input: { text: 'A draft', systemMessage: 'Be brief.', parts: [{ type: 'text', text: 'a' }] },
    params: { temperature: { value: 0.5 } },
  });
  const { button, message, screen } = await openReadyChat();
  await expect.element(message).toHaveValue('A draft');
  await userEvent.keyboard('{Control>}{Shift>}o{/Shift}{/Control}');
  await expect.element(message).toHaveValue('');
  const values = () => getConversationForm(null).state.getState().values;
  expect(values()).toMatchObject({ input: { parts: [], systemMessage: '' }, params: {} });
  await expect.element(screen.getByText('Draft cleared')).toBeVisible();
  await button('Undo').click();
  await expect.element(message).toHaveValue('A draft');
  expect(values()).toMatchObject({
    input: { systemMessage: 'Be brief.' },
    params: { temperature: { value: 0.5 } },
  });
  // Coming from another conversation, the draft is shown first.
  selectConversation(addConversation([]).id);
  await expect.element(message).toHaveValue('');
  await userEvent.keyboard('{Control>}{Shift>}o{/Shift}{/Control}');
  await expect.element(message).toHaveValue('A draft');
});

it('shows what a format adds and leaves out', async () => {
  getConversationForm(null).change({
    params: { format: { value: 'messages' }, n: { value: 2 }, temperature: { value: 1 } },
  });
  const { screen, button } = await openReadyChat();
  await expect.element(button('n 2, not sent')).toBeVisible();
  await expect.element(button('temperature 1')).toBeVisible();
  const more = button('More');
  if (more.query()?.ariaExpanded === 'false') await more.click();
  const limit = screen.getByRole('spinbutton', { name: 'Max tokens' });
  await expect.element(limit).toHaveAttribute('placeholder', 'Default 4096');
  getConversationForm(null).change({ params: { max_completion_tokens: { value: 9 } } });
  await expect.element(limit).toHaveAttribute('placeholder', 'Not set');
});

it('gives the list of conversations an icon that differs from History’s', async () => {
  const { button } = await openChat();
  const history = await render(<HistoryIcon />);
  const shapeIn = (element: Element) => element.querySelector('svg')?.innerHTML ?? expect.fail();
  const own = shapeIn(button('Conversations').element());
  expect(own).not.toBe(shapeIn(history.container));
});
