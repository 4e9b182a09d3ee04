import { expect, it } from 'vitest';
import { readConversationFile } from '../../electron/conversations/files/read-file.ts';

interface Fields {
  parent?: string | null;
  role?: string;
  name?: string;
  content?: object;
  recipient?: string;
  metadata?: object;
  status?: string;
}

function node(id: string, parent: string | null, fields: Fields = {}) {
  const { role = 'user', name = null, recipient = 'all', metadata = {}, status } = fields;
  const content = fields.content ?? { content_type: 'text', parts: [`text of ${id}`] };
  const message = {
    ...{ id, author: { role, name, metadata: {} }, create_time: 1700000000.5, update_time: null },
    ...{ content, status: status ?? 'finished_successfully', end_turn: true, weight: 1 },
    ...{ metadata, recipient },
  };
  return { id, message, parent, children: [] };
}

const root = { id: 'root', message: null, parent: null, children: ['system'] };

function read(nodes: { id: string }[], fields: object = {}) {
  const conversation = {
    title: 'Rivers',
    create_time: 1700000000.25,
    update_time: 1700000100,
    current_node: nodes.at(-1)?.id,
    conversation_id: 'c',
    mapping: Object.fromEntries(nodes.map((one) => [one.id, one])),
    ...fields,
  };
  const text = JSON.stringify([conversation]);
  const [first] = readConversationFile(new TextEncoder().encode(text)).conversations;
  if (first === undefined) throw new Error('There is one.');
  return first;
}

it('reads the tree, without the empty root and hidden messages', () => {
  const conversation = read([
    root,
    node('system', 'root', {
      role: 'system',
      metadata: { is_visually_hidden_from_conversation: true },
    }),
    node('q', 'system'),
    node('a', 'q', {
      role: 'assistant',
      metadata: { model_slug: 'gpt-5', finish_details: { type: 'max_tokens' } },
    }),
    node('b', 'q', { role: 'assistant', status: 'in_progress', metadata: { model_slug: 'o3' } }),
  ]);
  expect(conversation).toMatchObject({
    ...{ title: 'Rivers', titled: true, createdAt: 1700000000250, updatedAt: 1700000100000 },
    activeLeafId: 'b',
  });
  expect(
    conversation.messages.map(({ id, parentId, role, content }) => [id, parentId, role, content]),
  ).toEqual([
    ['q', null, 'user', 'text of q'],
    ['a', 'q', 'assistant', 'text of a'],
    ['b', 'q', 'assistant', 'text of b'],
  ]);
  expect(conversation.messages[1]).toMatchObject({
    createdAt: 1700000000500,
    run: {
      model: 'gpt-5',
      connectionName: 'ChatGPT',
      status: 'succeeded',
      figures: { finishReasons: ['length'] },
    },
  });
  expect(conversation.messages[2]?.run?.status).toBe('interrupted');
});

it('adds the reasoning to the answer that follows it', () => {
  const { messages } = read([
    node('q', null),
    node('t', 'q', {
      role: 'assistant',
      content: { content_type: 'thoughts', thoughts: [{ summary: 'Plan', content: 'First…' }] },
    }),
    node('r', 't', {
      role: 'assistant',
      content: { content_type: 'reasoning_recap', content: 'Thought for 3 seconds' },
    }),
    node('a', 'r', { role: 'assistant' }),
  ]);
  expect(messages[1]).toMatchObject({ id: 'a', parentId: 'q', reasoning: 'Plan\nFirst…' });
  expect(messages).toHaveLength(2);
});

it('reads code and its output as a tool call and its result', () => {
  const { messages } = read([
    node('q', null),
    node('c', 'q', {
      role: 'assistant',
      recipient: 'python.run',
      content: { content_type: 'code', language: 'python', text: 'print(1)' },
    }),
    node('o', 'c', {
      role: 'tool',
      name: 'python',
      content: { content_type: 'execution_output', text: '1' },
    }),
    node('a', 'o', { role: 'assistant' }),
  ]);
  expect(messages[1]).toMatchObject({
    content: '',
    toolCalls: [{ id: 'c', function: { name: 'python_run', arguments: '{"input":"print(1)"}' } }],
  });
  expect(messages[2]).toMatchObject({ role: 'tool', toolCallId: 'c', content: '1' });
  expect(messages[3]?.parentId).toBe('o');
});

it('says which images and attachments are missing, and reads transcripts', () => {
  const { messages } = read([
    node('q', null, {
      content: {
        content_type: 'multimodal_text',
        parts: [
          { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_1', width: 8 },
          { content_type: 'audio_transcription', text: 'Spoken' },
          'Typed',
        ],
      },
      metadata: { attachments: [{ id: 'f', name: 'plan.pdf' }] },
    }),
  ]);
  expect(messages[0]?.content).toBe(
    '[Image, not included in the file]\n\nSpoken\n\nTyped\n\n[Attached, not included in the file: plan.pdf]',
  );
});

it('replaces citation marks with their links', () => {
  const cite = '\ue200cite\ue202turn0search0\ue201';
  const { messages } = read([
    node('a', null, {
      role: 'assistant',
      content: { content_type: 'text', parts: [`So ${cite}, \ue200x\ue201and 【1†source】`] },
      metadata: {
        content_references: [{ matched_text: cite, alt: '([w](https://w.example/))' }],
        citations: [
          { start_ix: 34, end_ix: 44, metadata: { title: 'S', url: 'https://s.example/' } },
        ],
      },
    }),
  ]);
  expect(messages[0]?.content).toBe('So ([w](https://w.example/)), and 【1†source】');
  expect(messages[0]?.sources).toMatchObject([
    { number: 1, url: 'https://s.example/', title: 'S' },
  ]);
});

it('keeps conversations archived and pinned, and custom instructions as the system message', () => {
  const conversation = read(
    [
      node('i', null, {
        content: {
          content_type: 'user_editable_context',
          user_profile: 'I fish.',
          user_instructions: 'Be brief.',
        },
      }),
      node('q', 'i'),
    ],
    { title: null, is_archived: true, pinned_time: 1700000000 },
  );
  expect(conversation).toMatchObject({
    ...{ title: '', titled: false, archived: true, pinned: true },
    systemMessage: 'I fish.\n\nBe brief.',
  });
  expect(conversation.messages).toHaveLength(1);
});

it.each([
  [
    'a missing parent',
    [node('q', 'gone')],
    'Conversation 1 has a message whose parent isn’t in the file.',
  ],
  [
    'hidden parents in a loop',
    [node('q', 'x'), { ...root, id: 'x', parent: 'y' }, { ...root, id: 'y', parent: 'x' }],
    'form a loop',
  ],
  ['shown parents in a loop', [node('q', 'p'), node('p', 'q')], 'form a loop'],
  [
    'a node of another shape',
    [{ id: 'q', message: 'text' }],
    'Conversation 1 isn’t valid. mapping.q.message:',
  ],
])('refuses %s', (_what, nodes, problem) => {
  expect(() => read(nodes)).toThrow(problem);
});
