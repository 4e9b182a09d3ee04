import { expect, it } from 'vitest';
import { readConversationFile } from '../../electron/conversations/files/read-file.ts';

const read = (...lines: object[]) =>
  readConversationFile(
    new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n')),
  );

const question = { role: 'user', content: 'Q' };
const call = { id: 'call-1', type: 'function', function: { name: 'f', arguments: '{}' } };
const tool = { type: 'function', function: { name: 'f', parameters: {} } };

it('reads one conversation per line, with its system message and tools', () => {
  const line = {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }], name: 'Ada' },
      { role: 'assistant', content: null, tool_calls: [call], weight: 0 },
      { role: 'tool', content: '1', tool_call_id: 'call-1' },
      { role: 'assistant', content: 'One', reasoning_content: 'Hm' },
    ],
    tools: [tool],
  };
  const { conversations, tools } = read(line, line, { messages: [{ role: 'user', content: 'B' }] });
  expect(conversations).toHaveLength(3);
  expect(tools.map((one) => one.tool)).toEqual([tool]);
  const [first] = conversations;
  expect(first).toMatchObject({
    title: '',
    titled: false,
    systemMessage: 'Be brief.',
    options: { toolIds: [tools[0]?.id] },
  });
  expect(first?.messages).toMatchObject([
    { role: 'user', name: 'Ada', content: [{ type: 'text', text: 'Hi' }], parentId: null },
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', content: '1', toolCallId: 'call-1' },
    { role: 'assistant', content: 'One', reasoning: 'Hm' },
  ]);
  expect(first?.messages[3]?.parentId).toBe(first?.messages[2]?.id);
  expect(first?.activeLeafId).toBe(first?.messages[3]?.id);
});

it('reads the older function_call and its result', () => {
  const { conversations } = read({
    messages: [
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: '1' },
    ],
  });
  const [called, result] = conversations[0]?.messages ?? [];
  expect(called?.toolCalls).toMatchObject([{ function: { name: 'f' } }]);
  expect(result).toMatchObject({ role: 'tool', toolCallId: called?.toolCalls[0]?.id });
});

it('reads preferences as two answers, and batch requests', () => {
  const { conversations } = read(
    {
      input: { messages: [question], tools: [tool] },
      preferred_output: [{ role: 'assistant', content: 'good' }],
      non_preferred_output: [{ role: 'assistant', content: 'bad' }],
    },
    { custom_id: '1', method: 'POST', body: { model: 'm', messages: [question] } },
  );
  const [preference, request] = conversations;
  const [asked, good, bad] = preference?.messages ?? [];
  const parentId = asked?.id;
  expect(good).toMatchObject({ content: 'good', parentId });
  expect(bad).toMatchObject({ content: 'bad', parentId });
  expect(preference?.activeLeafId).toBe(good?.id);
  expect(preference?.options.toolIds).toHaveLength(1);
  expect(request?.messages).toMatchObject([{ content: 'Q' }]);
});

it('names the line and the invalid field', () => {
  const good = { messages: [question] };
  expect(() => read(good, { messages: [{ role: 'user', content: 5 }] })).toThrow(
    'Line 2 isn’t valid. messages.0.content:',
  );
});
