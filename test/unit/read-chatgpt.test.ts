import { expect, it } from 'vitest';
import { readConversationFile } from '../../electron/conversations/files/read-file.ts';

interface Fields {
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
    id,
    author: { role, name, metadata: {} },
    create_time: 1700000000.5,
    update_time: null,
    content,
    status: status ?? 'finished_successfully',
    end_turn: true,
    weight: 1,
    metadata,
    recipient,
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
  return first ?? expect.fail('No conversation');
}

it('reads the tree, skipping the empty root and hidden messages', () => {
  const hidden = { is_visually_hidden_from_conversation: true };
  const ended = { model_slug: 'gpt-5', finish_details: { type: 'max_tokens' } };
  const conversation = read([
    root,
    node('system', 'root', { role: 'system', metadata: hidden }),
    node('q', 'system'),
    node('a', 'q', { role: 'assistant', metadata: ended }),
    node('b', 'q', { role: 'assistant', status: 'in_progress', metadata: { model_slug: 'o3' } }),
  ]);
  expect(conversation).toMatchObject({
    title: 'Rivers',
    titled: true,
    createdAt: 1700000000250,
    updatedAt: 1700000100000,
    activeLeafId: 'b',
  });
  const figures = { finishReasons: ['length'] };
  const run = { model: 'gpt-5', connectionName: 'ChatGPT', status: 'succeeded', figures };
  const answer = { parentId: 'q', role: 'assistant' };
  expect(conversation.messages).toMatchObject([
    { id: 'q', parentId: null, role: 'user', content: 'text of q' },
    { ...answer, id: 'a', content: 'text of a', createdAt: 1700000000500, run },
    { ...answer, id: 'b', content: 'text of b', run: { status: 'interrupted' } },
  ]);
});

it('adds the reasoning to the answer that follows it', () => {
  const thoughts = [{ summary: 'Plan', content: 'First…' }];
  const recap = { content_type: 'reasoning_recap', content: 'Thought for 3 seconds' };
  const { messages } = read([
    node('q', null),
    node('t', 'q', { role: 'assistant', content: { content_type: 'thoughts', thoughts } }),
    node('r', 't', { role: 'assistant', content: recap }),
    node('a', 'r', { role: 'assistant' }),
  ]);
  expect(messages[1]).toMatchObject({ id: 'a', parentId: 'q', reasoning: 'Plan\nFirst…' });
  expect(messages).toHaveLength(2);
});

it('reads code and its output as a tool call and its result', () => {
  const code = { content_type: 'code', language: 'python', text: 'print(1)' };
  const output = { content_type: 'execution_output', text: '1' };
  const { messages } = read([
    node('q', null),
    node('c', 'q', { role: 'assistant', recipient: 'python.run', content: code }),
    node('o', 'c', { role: 'tool', name: 'python', content: output }),
    node('a', 'o', { role: 'assistant' }),
  ]);
  expect(messages[1]).toMatchObject({
    content: '',
    toolCalls: [{ id: 'c', function: { name: 'python_run', arguments: '{"input":"print(1)"}' } }],
  });
  expect(messages[2]).toMatchObject({ role: 'tool', toolCallId: 'c', content: '1' });
  expect(messages[3]?.parentId).toBe('o');
});

it('names missing images and attachments, and reads voice transcripts', () => {
  const parts = [
    { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_1', width: 8 },
    { content_type: 'audio_transcription', text: 'Spoken' },
    'Typed',
  ];
  const content = { content_type: 'multimodal_text', parts };
  const metadata = { attachments: [{ id: 'f', name: 'plan.pdf' }] };
  const { messages } = read([node('q', null, { content, metadata })]);
  expect(messages[0]?.content).toBe(
    '[Image, not included in the file]\n\nSpoken\n\nTyped\n\n[Attached, not included in the file: plan.pdf]',
  );
});

it('replaces citation marks with their links', () => {
  const cite = '\ue200cite\ue202turn0search0\ue201';
  const content = { content_type: 'text', parts: [`So ${cite}, \ue200x\ue201and 【1†source】`] };
  const source = { title: 'S', url: 'https://s.example/' };
  const metadata = {
    content_references: [{ matched_text: cite, alt: '([w](https://w.example/))' }],
    citations: [{ start_ix: 34, end_ix: 44, metadata: source }],
  };
  const { messages } = read([node('a', null, { role: 'assistant', content, metadata })]);
  expect(messages[0]?.content).toBe('So ([w](https://w.example/)), and 【1†source】');
  expect(messages[0]?.sources).toMatchObject([{ number: 1, ...source }]);
});

it('keeps archived and pinned states, and custom instructions as the system message', () => {
  const content = {
    content_type: 'user_editable_context',
    user_profile: 'I fish.',
    user_instructions: 'Be brief.',
  };
  const conversation = read([node('i', null, { content }), node('q', 'i')], {
    title: null,
    is_archived: true,
    pinned_time: 1700000000,
  });
  expect(conversation).toMatchObject({
    title: '',
    titled: false,
    archived: true,
    pinned: true,
    systemMessage: 'I fish.\n\nBe brief.',
  });
  expect(conversation.messages).toHaveLength(1);
});

it.each([
  ['a missing parent', [node('q', 'gone')], 'a message whose parent isn’t in the file.'],
  [
    'hidden parents in a loop',
    [node('q', 'x'), { ...root, id: 'x', parent: 'y' }, { ...root, id: 'y', parent: 'x' }],
    'form a loop',
  ],
  ['shown parents in a loop', [node('q', 'p'), node('p', 'q')], 'form a loop'],
  ['a node of another shape', [{ id: 'q', message: 'text' }], 'isn’t valid. mapping.q.message:'],
])('refuses %s', (_what, nodes, problem) => {
  expect(() => read(nodes)).toThrow(problem);
});
