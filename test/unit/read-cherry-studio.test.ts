import { expect, it } from 'vitest';
import { readConversationFile } from '../../electron/conversations/files/read-file.ts';

const time = '2025-06-01T10:00:00.000Z';
const KEY = 'sk-secret-of-a-provider';

function block(id: string, type: string, fields: object = {}) {
  return { id, messageId: 'm', type, createdAt: time, status: 'success', ...fields };
}

function message(id: string, role: string, fields: object = {}) {
  const place = { assistantId: 'assistant', topicId: 'topic', createdAt: time, status: 'success' };
  return { id, role, ...place, blocks: [], ...fields };
}

function read(messages: object[], blocks: object[], version = 5) {
  const topics = [{ id: 'topic', name: 'Rivers', createdAt: time, updatedAt: time, pinned: true }];
  const assistant = { id: 'assistant', name: 'Poet', prompt: 'Rhyme.', topics };
  const slices = {
    assistants: JSON.stringify({ assistants: [assistant] }),
    llm: JSON.stringify({ providers: [{ apiKey: KEY }] }),
  };
  const file = {
    time: 0,
    version,
    localStorage: { 'persist:cherry-studio': JSON.stringify(slices) },
    indexedDB: {
      topics: Object.entries({ topic: messages, empty: [] }).map(([id, list]) => ({
        id,
        messages: list,
      })),
      message_blocks: blocks,
      files: [],
    },
  };
  const read = readConversationFile(new TextEncoder().encode(JSON.stringify(file)));
  expect(JSON.stringify(read)).not.toContain(KEY);
  expect(read.conversations).toHaveLength(1);
  const [first] = read.conversations;
  return first ?? expect.fail('No conversation');
}

it('reads the topic with its assistant, texts, reasoning and figures', () => {
  const conversation = read(
    [
      message('q', 'user', { blocks: ['b1', 'b2'] }),
      message('a', 'assistant', {
        askId: 'q',
        blocks: ['b3', 'b4', 'b5'],
        model: { id: 'deepseek-chat', name: 'x' },
        usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
        metrics: { time_completion_millsec: 900, time_first_token_millsec: 200 },
      }),
    ],
    [
      block('b1', 'main_text', { content: 'Hi' }),
      block('b2', 'image', { url: 'https://p.example/x.png' }),
      block('b3', 'thinking', { content: 'Hm', thinking_millsec: 4 }),
      block('b4', 'main_text', { content: 'Hello' }),
      block('b5', 'code', { content: 'x = 1', language: 'python' }),
    ],
  );
  expect(conversation).toMatchObject({
    title: 'Rivers',
    titled: true,
    folder: 'Poet',
    pinned: true,
    systemMessage: 'Rhyme.',
    createdAt: Date.parse(time),
    activeLeafId: 'a',
  });
  const image = { type: 'image_url', image_url: { url: 'https://p.example/x.png' } };
  expect(conversation.messages).toMatchObject([
    { role: 'user', content: [{ type: 'text', text: 'Hi' }, image] },
    {
      parentId: 'q',
      content: 'Hello\n\n```python\nx = 1\n```',
      reasoning: 'Hm',
      run: {
        model: 'deepseek-chat',
        figures: { usage: { completion_tokens: 5 } },
        timings: { firstDeltaAtMs: 200, endAtMs: 900 },
      },
    },
  ]);
});

it('reads answers of several models as versions, and continues from the selected one', () => {
  const text = (id: string) => block(id, 'main_text', { content: id });
  const conversation = read(
    [
      message('q', 'user', { blocks: ['q'] }),
      message('a', 'assistant', { askId: 'q', blocks: ['a'] }),
      message('b', 'assistant', { askId: 'q', blocks: ['b'], foldSelected: true }),
      message('c', 'assistant', { askId: 'q', blocks: ['c'] }),
      message('divider', 'user', { type: 'clear' }),
      message('next', 'user', { blocks: ['next'] }),
    ],
    ['q', 'a', 'b', 'c', 'next'].map(text),
  );
  const tree = conversation.messages.map(({ id, parentId }) => `${id} ${parentId}`);
  expect(tree).toEqual(['q null', 'a q', 'b q', 'c q', 'next b']);
});

it('reads a tool block as a call and its result, before the rest of the answer', () => {
  const conversation = read(
    [message('a', 'assistant', { blocks: ['1', '2', '3'], model: { id: 'm' }, status: 'paused' })],
    [
      block('1', 'main_text', { content: 'Let me look.' }),
      block('2', 'tool', {
        toolId: 't',
        toolName: 'web.search',
        arguments: { q: 'x' },
        content: { hits: 1 },
      }),
      block('3', 'main_text', { content: 'Found.' }),
    ],
  );
  expect(conversation.messages).toMatchObject([
    {
      id: 'a',
      content: 'Let me look.',
      run: null,
      toolCalls: [{ id: '2', function: { name: 'web_search', arguments: '{"q":"x"}' } }],
    },
    { role: 'tool', parentId: 'a', toolCallId: '2', content: '{"hits":1}' },
    { role: 'assistant', content: 'Found.', run: { status: 'cancelled' } },
  ]);
});

it('reads the text of older backups, the names of files, and errors', () => {
  const conversation = read(
    [
      message('q', 'user', { blocks: undefined, content: 'Old' }),
      message('f', 'user', { blocks: ['1'] }),
      message('a', 'assistant', { status: 'error', blocks: ['2'], modelId: 'm' }),
    ],
    [
      block('1', 'file', { file: { id: 'x', origin_name: 'plan.pdf', path: '/home/u/x.pdf' } }),
      block('2', 'error', { error: { message: 'Quota exceeded' } }),
    ],
    3,
  );
  expect(conversation.messages).toMatchObject([
    { content: 'Old' },
    { content: '[Attached, not included in the file: plan.pdf]' },
    { content: '', run: { status: 'failed', error: { message: 'Quota exceeded' } } },
  ]);
});

it('names the invalid field', () => {
  expect(() => read([{ id: 'q', role: 'boss' }], [])).toThrow(
    'The backup isn’t valid. indexedDB.topics.0.messages.0.role:',
  );
});
