import { ORPCError } from '@orpc/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

vi.mock('../../renderer/lib/api.ts', () => import('./chat-fake-main.ts'));

import { selectConversation, useChat } from '../../renderer/features/chat/chat-store.ts';
import { orpc } from '../../renderer/lib/api.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { handOver } from '../../renderer/media/hand-over/hand-over.ts';
import { defaultConversationOptions } from '../../shared/conversation-options.ts';
import type { Media } from '../../shared/media.ts';
import { medium } from '../fixtures/medium.ts';
import {
  addConversation,
  conversations,
  makeMessage,
  makeRun,
  moveRun,
  requests,
  savedTools,
  sent,
  storedMedia,
} from './chat-fake-main.ts';
import { openChat, resetChat } from './chat-fixtures.tsx';
import { storeFields } from './fake-forms.ts';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';

beforeEach(() => resetChat({ listOpen: false }));

function storeMedium(fields: Partial<Media> = {}): Media {
  const stored = medium({
    ...{ type: 'application/pdf', name: 'paper.pdf', sizeBytes: 3000 },
    ...fields,
  });
  storedMedia.set(stored.id, stored);
  return stored;
}

const call = (id: string, name: string, args = '{"place":"Oslo"}') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
});

function conversationWithCalls() {
  const question = makeMessage({ content: 'Weather and time?' });
  const answer = makeMessage({
    parentId: question.id,
    role: 'assistant',
    run: makeRun(),
    choiceIndex: 0,
    toolCalls: [call('call_1', 'get_weather'), call('call_2', 'get_time', '{"place": "Os')],
  });
  const conversation = addConversation([question, answer]);
  selectConversation(conversation.id);
  return { conversation, answer };
}

describe('attachments', () => {
  it('are in the composer with their encoded size, and go after the text', async () => {
    const medium = storeMedium();
    const { screen, button } = await openChat();
    handOver('chat', { kind: 'media', media: medium });
    await expect
      .element(screen.getByRole('group', { name: 'paper.pdf' }))
      .toMatchTextContent(/4\.0 kB encoded/);
    await screen.getByRole('textbox', { name: 'Message', exact: true }).fill('Read it');
    await button('Run').click();
    await expect
      .element(screen.getByRole('article', { name: 'user' }))
      .toMatchTextContent(/paper\.pdf/);
    expect(sent[0]?.message?.content).toEqual([
      { type: 'text', text: 'Read it' },
      { type: 'file', file: { filename: 'paper.pdf', file_data: `media:${ID}` } },
    ]);
    await expect.element(screen.getByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
    // Neither stays for the next new conversation.
    selectConversation(null);
    await expect.element(screen.getByText('Start a conversation')).toBeVisible();
    await expect
      .element(screen.getByRole('textbox', { name: 'Message', exact: true }))
      .toHaveValue('');
    await expect.element(screen.getByRole('list', { name: 'Attachments' })).not.toBeInTheDocument();
  });

  it('are taken over once, say so, give the focus to the message, and can be undone', async () => {
    const medium = storeMedium();
    const { screen, button } = await openChat();
    const message = screen.getByRole('textbox', { name: 'Message', exact: true });
    handOver('chat', { kind: 'media', media: medium });
    await expect.element(screen.getByText('paper.pdf attached to your message')).toBeVisible();
    await expect.element(message).toHaveFocus();
    handOver('chat', { kind: 'media', media: medium });
    await expect.element(screen.getByText('paper.pdf is already attached.')).toBeVisible();
    await button('Dismiss').first().click();
    await button('Dismiss').click();
    handOver('chat', { kind: 'text', text: 'What was said' });
    await expect.element(message).toHaveValue('What was said');
    await button('Undo').click();
    await expect.element(message).toHaveValue('');
    await expect.element(screen.getByRole('group', { name: 'paper.pdf' })).toBeVisible();
  });

  it('can be images by address, with detail, sent without a word', async () => {
    const { screen, button } = await openChat();
    await button('Add from URL or ID').click();
    await screen.getByRole('menuitem', { name: 'Image URL…' }).click();
    await screen.getByRole('textbox', { name: 'Image URL' }).fill('https://example.com/a.png');
    await userEvent.keyboard('{Enter}');
    await screen.getByRole('combobox', { name: 'Detail' }).selectOptions('low');
    await button('Run').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.message?.content).toEqual([
      { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
    ]);
    await expect.element(button('Load image from example.com')).toBeVisible();
  });

  it('stay with a message that is edited', async () => {
    storeMedium();
    const part = {
      type: 'file' as const,
      file: { filename: 'paper.pdf', file_data: `media:${ID}` },
    };
    const message = makeMessage({ content: [{ type: 'text', text: 'Read it' }, part] });
    selectConversation(addConversation([message]).id);
    const { screen, button } = await openChat();
    await button('Edit').click();
    const box = screen.getByRole('textbox', { name: 'Edit message' });
    await expect.element(box).toHaveValue('Read it');
    await box.fill('Read it again');
    await button('Save and run').click();
    await expect
      .poll(() => sent[0]?.message?.content)
      .toEqual([{ type: 'text', text: 'Read it again' }, part]);
  });
});

it('shows files that came with an answer, and does not call it empty', async () => {
  const run = makeRun({ media: [storeMedium()], status: 'succeeded' });
  const question = makeMessage({ content: 'Draw it' });
  const answer = makeMessage({ parentId: question.id, role: 'assistant', run, choiceIndex: 0 });
  selectConversation(addConversation([question, answer]).id);
  const { screen } = await openChat();
  await expect.element(screen.getByRole('group', { name: 'paper.pdf' })).toBeVisible();
  await expect.element(screen.getByText('This answer is empty.')).not.toBeInTheDocument();
});

it('plays in each of several spoken answers its own sound alone, and shows what came beside it', async () => {
  const spoken = ['one', 'two'].map((name) =>
    storeMedium({ id: `${name}${ID.slice(3)}`, name: `${name}.pcm`, type: 'audio/pcm' }),
  );
  const run = makeRun({ media: [...spoken, storeMedium()], conversationId: 'talk' });
  const asked = makeMessage({ content: 'Say it' });
  const answers = spoken.map(({ id, name }, choiceIndex) =>
    makeMessage({
      parentId: asked.id,
      role: 'assistant',
      run,
      choiceIndex,
      audio: { id: null, media: id, transcript: `In ${name}`, expiresAt: null },
    }),
  );
  const next = makeMessage({ parentId: answers[0]?.id ?? null, content: 'Go on' });
  selectConversation(addConversation([asked, ...answers, next], { id: 'talk' }).id);
  const { screen } = await openChat();
  await expect.element(screen.getByRole('group', { name: 'paper.pdf' })).toBeVisible();
  await expect.element(screen.getByText('In one.pcm')).toBeVisible();
  await expect.element(screen.getByRole('group', { name: 'two.pcm' })).not.toBeInTheDocument();
});

it('offers Undo for an attachment that was removed', async () => {
  const medium = storeMedium();
  storeFields('new-conversation', {
    input: { parts: [{ type: 'file', file: { filename: 'a', file_data: `media:${medium.id}` } }] },
  });
  const { screen, button } = await openChat();
  const attachment = screen.getByRole('group', { name: 'paper.pdf' });
  await attachment.getByRole('button', { name: /^Remove/ }).click();
  await expect.element(attachment).not.toBeInTheDocument();
  await button('Undo').click();
  await expect.element(attachment).toBeVisible();
});

describe('tool calls', () => {
  it('are answered by hand, all in one press, each with its id', async () => {
    const { answer } = conversationWithCalls();
    const { screen, button } = await openChat();
    await expect.element(screen.getByText('Arguments are not valid JSON.')).toBeVisible();
    await screen.getByRole('textbox', { name: 'Result of get_weather' }).fill('{"celsius": 4}');
    await screen.getByRole('textbox', { name: 'Result of get_time' }).fill('12:00');
    await button('Run with these results').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]).toMatchObject({
      parentId: answer.id,
      earlier: [{ role: 'tool', content: '{"celsius": 4}', toolCallId: 'call_1' }],
      message: { role: 'tool', content: '12:00', toolCallId: 'call_2' },
    });
    await expect
      .element(screen.getByRole('form', { name: 'Tool results' }))
      .not.toBeInTheDocument();
  });

  it('that have no result are named before anything is sent', async () => {
    conversationWithCalls();
    const { screen, button } = await openChat();
    await screen.getByRole('textbox', { name: 'Result of get_weather' }).fill('cold');
    await button('Run').click();
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/get_time/);
    expect(sent).toHaveLength(0);
    await button('Run anyway').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]).toMatchObject({ earlier: [], message: { toolCallId: 'call_1' } });
  });

  it('come from tools that are written in an editor, saved and on in this conversation', async () => {
    const { screen, button } = await openChat();
    await button('Tools').click();
    await button('New tool').click();
    const editor = screen.getByRole('textbox', { name: 'Tool definition' });
    await expect.poll(() => document.querySelector('dialog textarea')).toBeNull();
    await editor.fill('{"type": "function", "function": {"name": ""}}');
    await expect
      .element(screen.getByRole('list', { name: 'Problems in Tool definition' }))
      .toMatchTextContent(/function\.name must be a string/);
    await expect.element(button('Save tool')).toBeDisabled();
    await editor.fill('{"type": "function", "function": {"name": "look_up"}}');
    await button('Save tool').click();
    await expect.element(screen.getByRole('switch', { name: 'Use look_up' })).toBeChecked();
    await button('Done').click();
    await screen.getByRole('combobox', { name: 'Tool choice' }).selectOptions('Only look_up');
    await screen.getByRole('textbox', { name: 'Message', exact: true }).fill('Look');
    await button('Run').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.request).toMatchObject({
      tools: [{ type: 'function', function: { name: 'look_up' } }],
      tool_choice: { type: 'function', function: { name: 'look_up' } },
    });
    expect([...conversations.values()][0]?.options.toolIds).toEqual([savedTools[0]?.id]);
  });
});

describe('saved tools', () => {
  it('are one Tab stop, and those deleted one after the other come back by one Undo', async () => {
    for (const name of ['get_time', 'get_weather', 'look_up'])
      savedTools.push({ id: name, tool: { type: 'function', function: { name } }, createdAt: 0 });
    const { screen, button } = await openChat();
    await button('Tools').click();
    const use = (name: string) => screen.getByRole('switch', { name: `Use ${name}` });
    use('get_time').element().focus();
    await userEvent.tab({ shift: true });
    await userEvent.tab();
    await expect.element(use('get_time')).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{ArrowRight}');
    await expect.element(button('Edit get_weather')).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(button('Delete get_weather')).toHaveFocus();
    await userEvent.tab();
    await expect.element(button('New tool')).toHaveFocus();

    await button('Delete get_weather').click();
    await expect.element(use('get_weather')).not.toBeInTheDocument();
    const offers = screen.getByRole('dialog').getByRole('status');
    await expect.element(offers).toMatchTextContent(/“get_weather” deleted/);
    await button('Delete get_time').click();
    await expect.element(offers).toMatchTextContent(/2 tools deleted/);
    await button('Undo').click();
    await expect.element(use('get_weather')).toBeVisible();
    await expect.element(use('get_time')).toBeVisible();
    expect(savedTools.map(({ id }) => id)).toEqual(['get_time', 'get_weather', 'look_up']);
  });
});

describe('choices', () => {
  it('are side by side, and one is picked to continue from', async () => {
    const question = makeMessage({ content: 'Two, please' });
    const run = makeRun();
    const answers = [0, 1].map((choiceIndex) =>
      makeMessage({
        parentId: question.id,
        role: 'assistant',
        run,
        choiceIndex,
        content: `Answer ${choiceIndex}`,
      }),
    );
    const conversation = addConversation([question, ...answers], {
      activeLeafId: answers[0]?.id ?? null,
    });
    selectConversation(conversation.id);
    const { screen, button } = await openChat();
    await expect
      .element(screen.getByRole('group', { name: 'Choice 1' }))
      .toMatchTextContent(/Answer 0/);
    await expect
      .element(screen.getByRole('group', { name: 'Choice 2' }))
      .toMatchTextContent(/Answer 1/);
    await button('Continue from choice 2').click();
    await expect
      .element(screen.getByRole('group', { name: 'Choice 2' }))
      .toMatchTextContent(/Continues from here/);
    expect(conversations.get(conversation.id)?.activeLeafId).toBe(answers[1]?.id);
  });
});

describe('an answer held to a schema', () => {
  const responseFormat = {
    type: 'json_schema',
    json_schema: { name: 'n', schema: { type: 'object', required: ['title'] } },
  };

  it.each([
    ['{"title": "T"}', /Matches the JSON schema\./],
    ['{"name": "T"}', /Does not match the JSON schema: 1 problem.*required property "title"/],
    ['Certainly!', /Does not match the JSON schema: not valid JSON\./],
  ])('%s is checked once it has ended', async (content, words) => {
    storeFields('new-conversation', {
      input: { options: { ...defaultConversationOptions, responseFormat } },
    });
    const { screen, button } = await openChat();
    await screen.getByRole('textbox', { name: 'Message', exact: true }).fill('JSON');
    await button('Run').click();
    await expect.poll(() => sent[0]?.request.response_format).toEqual(responseFormat);
    const [runId = ''] = [...requests.keys()];
    const choice = { index: 0, role: 'assistant', reasoning: '', refusal: '', toolCalls: [] };
    moveRun(
      runId,
      { choices: [{ ...choice, content, finishReason: 'stop' }] },
      { status: 'succeeded' },
    );
    await expect
      .element(screen.getByRole('article', { name: 'assistant' }))
      .toMatchTextContent(words);
  });

  it('keeps no copy of a long answer to know it by', async () => {
    storeFields('new-conversation', {
      input: { options: { ...defaultConversationOptions, responseFormat } },
    });
    const { screen, button } = await openChat();
    await screen.getByRole('textbox', { name: 'Message', exact: true }).fill('JSON');
    await button('Run').click();
    await expect.poll(() => sent).toHaveLength(1);
    const [runId = ''] = [...requests.keys()];
    const content = JSON.stringify({ title: 'T'.repeat(5000) });
    const choice = { index: 0, role: 'assistant', reasoning: '', refusal: '', toolCalls: [] };
    moveRun(
      runId,
      { choices: [{ ...choice, content, finishReason: 'stop' }] },
      { status: 'succeeded' },
    );
    await expect.element(screen.getByText('Matches the JSON schema.')).toBeVisible();
    const keys = queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryHash }) => queryHash.length);
    expect(Math.max(...keys)).toBeLessThan(500);
  });
});

describe('the address', () => {
  it('says which conversation is shown, and shows the one it names', async () => {
    const first = addConversation([makeMessage({ content: 'First talk' })]);
    const second = addConversation([makeMessage({ content: 'Second talk' })]);
    location.hash = `#/chat/${first.id}`;
    const { screen } = await openChat();
    await expect.element(screen.getByText('First talk')).toBeVisible();
    location.hash = `#/chat/${second.id}`;
    await expect.element(screen.getByText('Second talk')).toBeVisible();
    selectConversation(first.id);
    await expect.poll(() => location.hash).toBe(`#/chat/${first.id}`);
  });

  it('opens at once a conversation that was deleted and brought back', async () => {
    const back = addConversation([makeMessage({ content: 'Brought back' })]);
    conversations.delete(back.id);
    const { queryKey } = orpc.conversations.get.queryOptions({ input: { id: back.id } });
    const fetchGone = () => Promise.reject(new ORPCError('NOT_FOUND'));
    await queryClient.fetchQuery({ queryKey, queryFn: fetchGone, retry: false }).catch(() => null);
    conversations.set(back.id, back);
    const { screen } = await openChat();
    selectConversation(back.id);
    await expect.element(screen.getByText('Brought back')).toBeVisible();
    expect(useChat.getState().selectedId).toBe(back.id);
  });
});
