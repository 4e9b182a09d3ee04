import { describe, expect, it } from 'vitest';
import {
  readOptions,
  splitMessages,
} from '../../renderer/features/chat/composer/read-chat-body.ts';
import { emptyInputs } from '../../shared/operations/empty-inputs.ts';
import type { SavedTool } from '../../shared/saved-items.ts';
import { answeredByYou } from '../../shared/tool-answer.ts';

const system = { role: 'system', content: 'Be brief.' };
const user = { role: 'user', content: 'Hi' };
const answer = { role: 'assistant', content: 'Hello' };
const next = { role: 'user', content: 'And now?' };
const locked = 'Earlier messages are edited in the conversation, not here.';

const split = (messages: object[], earlier: (typeof user)[] = [user, answer], format = '') =>
  splitMessages(
    JSON.parse(JSON.stringify({ messages })),
    earlier,
    format === '' ? undefined : format,
  );

describe('the messages of an edited body', () => {
  it('splits system message, sent messages and new message', () => {
    expect(split([system, user, answer, next])).toMatchObject({
      system: 'Be brief.',
      sent: [next],
      problem: null,
      input: { text: 'And now?', parts: [], role: 'user' },
    });
    expect(split([user, answer])).toMatchObject({ system: '', sent: [], problem: null });
  });

  it('accepts attachments, a different role or a call', () => {
    const image = { type: 'image_url', image_url: { url: 'https://a/b.png' } };
    const content = [{ type: 'text', text: 'Look' }, image];
    expect(split([{ role: 'user', content }], []).input).toMatchObject({
      text: 'Look',
      parts: [image],
    });
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const called = { role: 'assistant', content: null, tool_calls: [call] };
    expect(split([called], []).input).toMatchObject({ role: 'assistant', toolCalls: [call] });
    const result = { role: 'tool', content: '1', tool_call_id: 'c' };
    expect(split([result], []).input).toMatchObject({ role: 'tool', toolCallId: 'c' });
  });

  it.each<[string, object[], string]>([
    ['an earlier message', [user, { ...answer, content: 'Bye' }, next], locked],
    ['its deletion', [user, next], locked],
    [
      'two messages',
      [user, answer, next, next],
      'Add one message at a time. To add more, paste the whole request.',
    ],
    [
      'an unknown part',
      [user, answer, { role: 'user', content: [{ type: 'x' }] }],
      'This message has parts that Chat can’t hold.',
    ],
    [
      'a picture in the system message',
      [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'a' } }] }],
      'The system message can only have text.',
    ],
  ])('refuses %s', (_name, messages, problem) => {
    expect(split(messages).problem).toBe(problem);
  });

  it('recognizes earlier messages written in another format', () => {
    const results = [
      user,
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'f', arguments: '{ "a": 1 }' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: 'One' },
    ];
    const earlier = JSON.parse(JSON.stringify(results));
    const read = JSON.parse(JSON.stringify(results).replace('{ \\"a\\": 1 }', '{\\"a\\":1}'));
    expect(split([...read, next], earlier, 'messages')).toMatchObject({
      sent: [next],
      problem: null,
    });
  });
});

const tool = (name: string): SavedTool => ({
  id: `id of ${name}`,
  tool: { type: 'function', function: { name, parameters: {} } },
  answer: answeredByYou,
});
const known = { saved: [tool('a'), tool('b')], servers: [] };
const off = { ...emptyInputs.chat.options, toolChoice: 'auto' as const };

describe('the options of an edited body', () => {
  it('turns on saved tools, and keeps a choice that isn’t sent', () => {
    const [one, other] = known.saved.map((saved) => JSON.parse(JSON.stringify(saved.tool)));
    const choice = { type: 'function', function: { name: 'b' } };
    expect(readOptions({ tools: [one, other], tool_choice: choice }, off, known)).toEqual({
      toolIds: ['id of a', 'id of b'],
      mcpTools: [],
      builtInTools: [],
      toolChoice: { name: 'b' },
      responseFormat: null,
    });
    const format = { type: 'json_object' };
    expect(readOptions({ response_format: format }, off, known)).toEqual({
      toolIds: [],
      mcpTools: [],
      builtInTools: [],
      toolChoice: 'auto',
      responseFormat: format,
    });
  });

  it('turns on built-in tools of the format, and keeps those of others', () => {
    const other = { format: 'messages', name: 'code', values: {} };
    const current = { ...off, builtInTools: [other] };
    const search = { type: 'web_search', search_context_size: 'low' };
    const schema = { type: 'object', properties: {} };
    const a = { type: 'function', function: { name: 'a', parameters: schema } };
    expect(readOptions({ tools: [a, search] }, current, known, 'responses')).toMatchObject({
      toolIds: ['id of a'],
      builtInTools: [
        other,
        { format: 'responses', name: 'webSearch', values: { contextSize: 'low' } },
      ],
    });
    const unknown = { type: 'web_search', price: 1 };
    expect(readOptions({ tools: [a, unknown] }, current, known, 'responses')).toMatchObject({
      toolIds: [],
      builtInTools: [other],
    });
  });

  it('turns off all tools if one of them isn’t saved', () => {
    const one = JSON.parse(JSON.stringify(known.saved[0]?.tool));
    const changed = { ...one, function: { ...one.function, description: 'New' } };
    expect(readOptions({ tools: [one, changed] }, off, known).toolIds).toEqual([]);
  });
});
