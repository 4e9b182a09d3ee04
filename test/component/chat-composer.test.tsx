import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';

vi.mock('../../renderer/lib/api.ts', () => import('./chat-fake-main.ts'));

import { removeConversation, saveOptions } from '../../renderer/features/chat/chat-actions.ts';
import { selectConversation, useChat } from '../../renderer/features/chat/chat-store.ts';
import { useConnectDialog } from '../../renderer/lib/connect-gateway.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { conversationForm } from '../../renderer/run/form/panel-forms.ts';
import { useToasts } from '../../renderer/ui/show-toast.ts';
import { defaultConversationOptions } from '../../shared/conversation-options.ts';
import {
  addConversation,
  chatFields,
  conversations,
  faults,
  savedTools,
  sent,
  settings,
} from './chat-fake-main.ts';
import { openChat, resetChat } from './chat-fixtures.tsx';
import { pictureFile } from './media-fixtures.ts';
import { field } from './params-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat();
});

async function open() {
  const chat = await openChat();
  await expect.element(chat.message).not.toHaveAttribute('readonly');
  return chat;
}

const weather = {
  id: 'tool-weather',
  tool: { type: 'function' as const, function: { name: 'get_weather', parameters: {} } },
  createdAt: 0,
};

it('holds its tools and the one Run in one row, and grows with its text', async () => {
  const { button, message } = await open();
  const middle = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.round((top + bottom) / 2);
  };
  const row = middle(message.element());
  for (const name of ['Attach', 'Record', 'Add from URL or ID', 'More', 'Run']) {
    await expect.element(button(name)).toBeVisible();
    expect(Math.abs(middle(button(name).element()) - row), name).toBeLessThan(4);
  }
  const before = message.element().getBoundingClientRect().height;
  await message.fill('One\ntwo\nthree\nfour');
  expect(message.element().getBoundingClientRect().height).toBeGreaterThan(before + 40);
});

it('shows the key that sends, and keeps role, name and “Add message only” behind More', async () => {
  const { button, message, screen } = await open();
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
  await button('More').click();
  for (const control of seldom) await expect.element(control).toBeVisible();
});

const newestToast = () => useToasts.getState().toasts.at(-1)?.message;

/** Returns what lets them go on. */
function holdUploads(): () => void {
  const held = Promise.withResolvers<void>();
  const original = window.fetch.bind(window);
  const fetching = vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    if (init?.method === 'PUT') await held.promise;
    return original(url, init);
  });
  onTestFinished(() => fetching.mockRestore());
  return held.resolve;
}

const partsOf = (id: string) => conversationForm(id).state.getState().values.input.parts;

it('attaches a recording to the conversation that it was started in', async () => {
  const [first, second] = [addConversation([], { title: 'Birds' }), addConversation([])];
  selectConversation(first.id);
  const { button, screen } = await open();
  await button('Record').click();
  await expect.element(screen.getByText(/^0:01/), { timeout: 8000 }).toBeVisible();
  selectConversation(second.id);
  await button('Stop recording').click();
  await expect
    .poll(() => partsOf(first.id), { timeout: 5000 })
    .toMatchObject([{ type: 'input_audio' }]);
  expect(partsOf(second.id)).toEqual([]);
  expect(newestToast()).toBe('Recording attached to your message in “Birds”.');
});

it('attaches an upload to the conversation that it was started in, and sends in others meanwhile', async () => {
  const [first, second] = [addConversation([], { title: 'Birds' }), addConversation([])];
  selectConversation(first.id);
  const { button, message, screen } = await open();
  const release = holdUploads();
  await userEvent.upload(
    screen.getByLabelText('Attach files'),
    await pictureFile(20, 20, 'owl.png'),
  );
  const bar = screen.getByRole('progressbar', { name: 'Uploading owl.png' });
  await expect.element(bar).toBeVisible();
  selectConversation(second.id);
  await expect.element(bar).not.toBeInTheDocument();
  await message.fill('Hello');
  await button('Run').click();
  await expect.poll(() => sent).toMatchObject([{ conversationId: second.id }]);
  release();
  await expect.poll(() => partsOf(first.id)).toMatchObject([{ type: 'image_url' }]);
  expect(partsOf(second.id)).toEqual([]);
  expect(newestToast()).toBe('owl.png attached to your message in “Birds”.');
});

it('says that an upload is in the library where its conversation was deleted meanwhile', async () => {
  const [first, second] = [addConversation([], { title: 'Birds' }), addConversation([])];
  selectConversation(first.id);
  const { screen } = await open();
  const release = holdUploads();
  await userEvent.upload(
    screen.getByLabelText('Attach files'),
    await pictureFile(20, 20, 'owl.png'),
  );
  await expect
    .element(screen.getByRole('progressbar', { name: 'Uploading owl.png' }))
    .toBeVisible();
  selectConversation(second.id);
  expect(await removeConversation(first)).toBe(true);
  release();
  await expect
    .poll(newestToast)
    .toBe('owl.png saved to the library. Its conversation was deleted.');
  expect([partsOf(first.id), partsOf(second.id)]).toEqual([[], []]);
});

it('says that a recording is in the library where its conversation was deleted meanwhile', async () => {
  const [first, second] = [addConversation([], { title: 'Birds' }), addConversation([])];
  selectConversation(first.id);
  const { button, screen } = await open();
  await button('Record').click();
  await expect.element(screen.getByText(/^0:01/), { timeout: 8000 }).toBeVisible();
  selectConversation(second.id);
  expect(await removeConversation(first)).toBe(true);
  await button('Stop recording').click();
  await expect
    .poll(newestToast, { timeout: 5000 })
    .toBe('Recording saved to the library. Its conversation was deleted.');
  expect([partsOf(first.id), partsOf(second.id)]).toEqual([[], []]);
});

it('sends in another conversation while it records, and says which one that is for', async () => {
  const [first, second] = [addConversation([], { title: 'Birds' }), addConversation([])];
  selectConversation(first.id);
  const { button, message, screen } = await open();
  await button('Record').click();
  await expect.element(button('Pause')).toBeVisible();
  await message.fill('Not yet');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(screen.getByText('Wait for the attachments to upload.')).toBeVisible();
  selectConversation(second.id);
  await expect.element(button('Pause')).not.toBeInTheDocument();
  await message.fill('Hello');
  await button('Run').click();
  await expect.poll(() => sent).toMatchObject([{ conversationId: second.id }]);
  await button('Recording for “Birds”').click();
  expect(useChat.getState().selectedId).toBe(first.id);
  await expect.element(button('Pause')).toBeVisible();
  await button('Stop recording').click();
  await expect.element(button('Record')).toBeVisible();
});

it('keeps recording in the conversation that an example begins', async () => {
  const { button } = await open();
  await button('Record').click();
  await expect.element(button('Pause')).toBeVisible();
  await button('Tell a story').click();
  await expect.poll(() => sent.length).toBe(1);
  await expect.element(button('Pause')).toBeVisible();
  await button('Stop recording').click();
  const created = sent[0]?.conversationId ?? '';
  await expect
    .poll(() => partsOf(created), { timeout: 5000 })
    .toMatchObject([{ type: 'input_audio' }]);
  expect(conversationForm(null).state.getState().values.input.parts).toEqual([]);
});

it('chooses the microphone in the menu of Record', async () => {
  const { button, screen } = await open();
  expect(screen.getByRole('combobox', { name: 'Microphone' }).elements()).toHaveLength(0);
  await button('Microphone settings').click();
  await expect.element(screen.getByRole('combobox', { name: 'Microphone' })).toBeVisible();
});

it('runs with Enter where the settings say so, and Shift+Enter breaks the line', async () => {
  settings.enterSends = true;
  const { message } = await open();
  await message.click();
  await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two');
  expect(sent).toHaveLength(0);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent[0]?.message?.content).toBe('one\ntwo');
});

it('sends nothing more with Enter while an answer streams, and keeps what is written', async () => {
  settings.enterSends = true;
  const { button, message } = await open();
  await message.fill('first');
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Stop')).toBeVisible();
  await message.fill('second');
  await userEvent.keyboard('{Enter}');
  await expect.element(message).toHaveValue('second');
  expect(sent).toHaveLength(1);
});

it('breaks the line with Enter unless the settings say otherwise', async () => {
  const { message } = await open();
  await message.click();
  await userEvent.keyboard('one{Enter}two{Control>}{Enter}{/Control}');
  await expect.poll(() => sent[0]?.message?.content).toBe('one\ntwo');
});

it('shows what a new conversation would not send, and each opens its place', async () => {
  savedTools.push(weather);
  const schema = { type: 'json_schema', json_schema: { name: 'answer', schema: {} } };
  chatFields.push(field('temperature', { title: 'Temperature', control: 'slider', maximum: 2 }));
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
  const { button, screen } = await open();
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
  await button('Extra fields 1').click();
  await expect.element(screen.getByRole('textbox', { name: 'Extra body fields' })).toHaveFocus();
  useLayout.setState({ sidebarOpen: false });
  await button('temperature 0.2').click();
  await expect.element(screen.getByRole('spinbutton', { name: 'Temperature' })).toHaveFocus();
});

it('opens the drawer for a field where the window is narrow', async () => {
  await page.viewport(960, 600);
  const { button, screen } = await open();
  conversationForm(null).change({ extraBody: '{"top_k": 4}' });
  await button('Extra fields 1').click();
  await expect.element(screen.getByRole('textbox', { name: 'Extra body fields' })).toHaveFocus();
});

it('folds the system message to one line', async () => {
  const { message, screen } = await open();
  const system = screen.getByRole('textbox', { name: 'System message' });
  await system.fill('Be brief.\nAnswer in English.\nName your sources.');
  const open3 = system.element().getBoundingClientRect().height;
  await message.click();
  expect(system.element().getBoundingClientRect().height).toBeLessThan(open3 - 30);
  await expect.element(screen.getByText('+2 lines')).toBeVisible();
});

it('begins with three examples that run at once', async () => {
  const { button, screen } = await open();
  await button('Tell a story').click();
  await expect.poll(() => sent.length).toBe(1);
  selectConversation(null);
  await expect.element(button('Call a tool')).toBeVisible();
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

it('brings back the options of an emptied conversation where an example took their place', async () => {
  const options = { ...defaultConversationOptions, toolIds: [weather.id] };
  savedTools.push(weather);
  selectConversation(addConversation([], { options }).id);
  const { button, screen } = await open();
  await expect.element(button('Tools 1')).toBeVisible();
  await button('Tell a story').click();
  await expect.element(screen.getByText('Options replaced by the example')).toBeVisible();
  await expect.element(button('Tools 1')).not.toBeInTheDocument();
  await button('Undo').click();
  await expect.element(button('Tools 1')).toBeVisible();
});

it('keeps a tool that was switched on after the example, when its options are undone', async () => {
  const another = { ...weather, id: 'tool-time' };
  const options = { ...defaultConversationOptions, sendReasoning: true };
  savedTools.push(weather, another);
  const { id } = addConversation([], { options });
  selectConversation(id);
  const { button, screen } = await open();
  const saved = () => conversations.get(id)?.options;
  await button('Tell a story').click();
  await expect.element(screen.getByText('Options replaced by the example')).toBeVisible();
  await saveOptions(id, { ...defaultConversationOptions, toolIds: [another.id] });
  await button('Undo').click();
  await expect.poll(saved).toEqual({ ...options, toolIds: [another.id] });
});

it('sends no example where its options cannot be saved, and says so', async () => {
  const options = { ...defaultConversationOptions, toolIds: [weather.id] };
  savedTools.push(weather);
  selectConversation(addConversation([], { options }).id);
  const { button, screen } = await open();
  faults.update = new Error('The disk is full.');
  await button('Tell a story').click();
  await expect.element(screen.getByRole('alert')).toBeVisible();
  expect(sent).toEqual([]);
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

it('says where its options could not be put back', async () => {
  const options = { ...defaultConversationOptions, toolIds: [weather.id] };
  savedTools.push(weather);
  const { id } = addConversation([], { options });
  selectConversation(id);
  const { button, screen } = await open();
  await button('Tell a story').click();
  const offer = screen.getByText('Options replaced by the example');
  await expect.element(offer).toBeVisible();
  faults.update = new Error('The disk is full.');
  await button('Undo').click();
  await expect.element(offer).not.toBeInTheDocument();
  await expect.element(button('Dismiss')).toBeVisible();
  expect(conversations.get(id)?.options.toolIds).toEqual([]);
});

it('offers to connect a gateway while there is only the demo', async () => {
  const { button } = await open();
  await button('Connect your gateway').click();
  expect(useConnectDialog.getState().open).toBe(true);
  useConnectDialog.setState({ open: false });
});
