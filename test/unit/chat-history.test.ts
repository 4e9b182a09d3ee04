import { describe, expect, it } from 'vitest';
import type { ProviderFields } from '../../shared/conversation.ts';
import type { JsonObject } from '../../shared/json.ts';
import { toAnswerContent } from '../../shared/operations/chat/answer-parts.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import {
  type BranchMessage,
  buildChatMessages,
  countProviderFields,
  toStoredCalls,
} from '../../shared/operations/chat/history.ts';
import { getChatRequestSchema } from '../../shared/operations/chat/request.ts';
import { fold } from './support/chat-events.ts';
import { body, finish } from './support/fold-events.ts';

const NOW = 1_800_000_000;
const written: BranchMessage = {
  role: 'user',
  content: 'Go',
  name: null,
  reasoning: null,
  toolCalls: [],
  toolCallId: null,
  callRecord: null,
  audio: null,
  wire: null,
};

function answer(message: JsonObject): BranchMessage {
  const [choice] = fold(body({ choices: [{ index: 0, message }] }), finish).choices;
  if (choice === undefined) expect.fail('No choice');
  const view = viewAnswer(choice);
  return {
    ...written,
    role: 'assistant',
    content: toAnswerContent(view.content, view.parts),
    reasoning: view.reasoning === '' ? null : view.reasoning,
    toolCalls: toStoredCalls(choice.message, view.toolCalls),
    audio: view.audio,
    wire: { format: 'chat-completions', message: choice.message },
  };
}

function send(providerFields: ProviderFields, ...path: BranchMessage[]): JsonObject[] {
  return buildChatMessages('', [written, ...path], { providerFields, now: NOW }).slice(1);
}

const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
const result: BranchMessage = { ...written, role: 'tool', content: '1', toolCallId: 'a' };
const signed = { ...call, extra_content: { google: { thought_signature: 'QUJD' } } };

describe('an answer in the next request', () => {
  const says = (content: string) => ({ role: 'assistant', content });
  const plain = says('Four.');
  const reasoned = { ...plain, reasoning_content: 'Two and two.' };
  const step = { type: 'reasoning.text', text: 'Hm', signature: 's', index: 0 };
  const details = { ...plain, reasoning_details: [step] };
  const thinking = { type: 'thinking', thinking: 'Hm', signature: 's' };
  const custom = { id: 'a', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } };
  const spoken = { id: 'audio_1', transcript: 'Hi', expires_at: NOW + 9 };
  const withCalls = (...calls: JsonObject[]) => ({
    role: 'assistant',
    content: null,
    tool_calls: calls,
  });
  const asked = { ...withCalls(signed), reasoning: 'Ask.' };

  it.each<[string, ProviderFields, JsonObject, JsonObject?]>([
    ['omits reasoning', 'automatic', reasoned, plain],
    ['has reasoning under the name that came', 'always', reasoned],
    ['has reasoning details as they came', 'always', details],
    ['omits reasoning details', 'never', details, plain],
    ...[
      { thinking: 'Two and two.' },
      { reasoning_text: 'Hm', reasoning_opaque: 'QUJD' },
      { reasoning: 'Hm', reasoning_signature: 'QUJD' },
      { extra_content: { google: { thought_signature: 'QUJD' } } },
    ].flatMap((fields): [string, ProviderFields, JsonObject, JsonObject][] => {
      const names = Object.keys(fields).join(' and ');
      const calls = { ...plain, tool_calls: [call] };
      return [
        [`has ${names}`, 'always', { ...plain, ...fields }, { ...plain, ...fields }],
        [`omits ${names}`, 'automatic', { ...plain, ...fields }, plain],
        [`has ${names} with calls`, 'automatic', { ...calls, ...fields }, { ...calls, ...fields }],
        [`omits ${names} with calls`, 'never', { ...calls, ...fields }, calls],
      ];
    }),
    ['omits fields of the gateway', 'always', { ...plain, provider_specific_fields: {} }, plain],
    [
      'has the name and the arguments of an unwrapped call once',
      'automatic',
      withCalls({ id: 'a', name: 'f', arguments: '{}', signature: 's' }),
      withCalls({ ...call, signature: 's' }),
    ],
    [
      'has the arguments of an unwrapped call as text if an object came',
      'never',
      withCalls({ id: 'a', name: 'f', arguments: {} }),
      withCalls(call),
    ],
    [
      'has a call without a list',
      'automatic',
      { content: null, tool_calls: signed },
      withCalls(signed),
    ],
    ['has a name that came beside the function', 'automatic', withCalls({ ...call, name: 'x' })],
    [
      'has content parts of thinking as they came',
      'always',
      { role: 'assistant', content: [thinking, { type: 'text', text: '4' }] },
    ],
    ['has tool calls whole, with the reasoning that led to them', 'automatic', asked],
    ['has only the standard fields of tool calls', 'never', asked, withCalls(call)],
    [
      'has an object in place of empty arguments',
      'automatic',
      { tool_calls: [{ ...call, function: { name: 'f', arguments: '' } }] },
      withCalls(call),
    ],
    ['has a custom call as it came', 'automatic', { tool_calls: [custom] }, withCalls(custom)],
    [
      'refers to its audio',
      'automatic',
      { content: null, audio: spoken },
      { role: 'assistant', content: null, audio: { id: 'audio_1' } },
    ],
    [
      'has the transcript once the audio has expired',
      'automatic',
      { content: null, audio: { ...spoken, expires_at: NOW - 9 } },
      says('Hi'),
    ],
    [
      'has a placeholder without a transcript',
      'automatic',
      { content: null, audio: { ...spoken, transcript: '', expires_at: NOW - 9 } },
      says('[audio without a transcript]'),
    ],
    ['has its refusal', 'automatic', { content: null, refusal: 'I can’t.' }, says('I can’t.')],
  ])('%s (%s)', (_name, providerFields, message, expected = message) => {
    expect(send(providerFields, answer(message))).toEqual([expected]);
  });

  it('places the answer after the system message, which is omitted if empty', () => {
    const options = { providerFields: 'automatic' as const, now: NOW };
    const named = { ...written, name: 'ada' };
    expect(buildChatMessages('Be brief.', [named], options)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Go', name: 'ada' },
    ]);
    expect(buildChatMessages('  ', [written], options)).toHaveLength(1);
  });

  it('fits the request schema, with reasoning, numeric IDs and older calls', () => {
    const path = [
      answer({ content: [thinking, { type: 'text', text: '4' }] }),
      answer({ tool_calls: [{ ...call, id: 7 }] }),
      { ...result, toolCallId: '7' },
      answer({ function_call: { name: 'f', arguments: '{}' } }),
      { ...result, toolCallId: 'function_call' },
      { ...written, content: [{ type: 'image_url' as const, image_url: { url: 'https://x/y' } }] },
    ];
    const parsed = getChatRequestSchema().safeParse({
      model: 'm',
      messages: send('always', ...path),
    });
    expect(parsed.error).toBeUndefined();
  });

  it('sends the results of parallel calls in the order of the calls', () => {
    const calls = ['a', 'b', 'b', 'c'].map((id) => ({ ...call, id }));
    const results = ['c', 'b', 'x', 'a', 'b'].map((toolCallId, at) => ({
      ...result,
      content: String(at),
      toolCallId,
    }));
    const path = [answer(withCalls(...calls)), ...results, answer(plain)];
    const sent = send('never', ...path);
    expect(sent.slice(1, -1).map(({ content }) => content)).toEqual(['3', '1', '4', '0', '2']);
    expect(sent.at(-1)).toEqual(plain);
  });

  it('omits an answer without content', () => {
    expect(send('always', answer({ content: '' }))).toEqual([]);
  });

  it('sends reasoning in every later request if its turn called tools', () => {
    const path = [
      answer({ content: '', reasoning_content: 'Ask.', tool_calls: [call] }),
      result,
      answer({ content: 'One.', reasoning_content: 'So it is.' }),
      written,
    ];
    const sent = send('automatic', ...path);
    const reasonings = sent.map(({ reasoning_content: text = null }) => text);
    expect(reasonings).toEqual(['Ask.', null, 'So it is.', null]);
  });

  it('keeps <think> tags in a turn that calls tools, and omits them otherwise', () => {
    const content = '<think>Hm</think>Four.';
    expect(send('automatic', answer({ content }))[0]?.content).toBe('Four.');
    expect(send('automatic', answer({ content, tool_calls: [call] }))[0]?.content).toBe(content);
  });

  it('sends a numeric ID as a number in the call and in its result', () => {
    const path = [answer({ tool_calls: [{ ...call, id: 7 }] }), { ...result, toolCallId: '7' }];
    expect(send('automatic', ...path)).toEqual([
      { role: 'assistant', content: null, tool_calls: [{ ...call, id: 7 }] },
      { role: 'tool', content: '1', tool_call_id: 7 },
    ]);
  });

  it('answers a function_call with a message of role function', () => {
    const called = { content: null, function_call: { name: 'f', arguments: '{"q":1}' } };
    const path = [answer(called), { ...result, toolCallId: 'function_call' }];
    const answered = { role: 'function', name: 'f', content: '1' };
    expect(send('automatic', ...path)).toEqual([{ role: 'assistant', ...called }, answered]);
  });
});

describe('provider fields in a request', () => {
  it.each<[string, JsonObject, object]>([
    ['plain answers', { content: 'x', tool_calls: [call] }, {}],
    ['reasoning under any name', { content: 'x', reasoning_text: 'r' }, { reasoning: 1 }],
    ['a plain text of thinking', { content: 'x', thinking: 'r' }, { reasoning: 1 }],
    ['a signature alone', { content: 'x', extra_content: {} }, { reasoning: 1 }],
    ['parts of thinking', { content: [{ type: 'thinking', thinking: 'r' }] }, { reasoning: 1 }],
    ['signed calls', { tool_calls: [call, { ...call, extra_content: {} }] }, { calls: 1 }],
    [
      'fields inside the function',
      { tool_calls: [{ ...call, function: { ...call.function, thought_signature: 's' } }] },
      { calls: 1 },
    ],
    ['audio by ID', { audio: { id: 'audio_1' } }, { audio: 1 }],
  ])('counts them in %s', (_name, message, expected) => {
    const messages = [
      { role: 'user', content: 'q', reasoning: 'of a user' },
      { role: 'assistant', ...message },
    ];
    const none = { reasoning: 0, calls: 0, audio: 0 };
    expect(countProviderFields(messages)).toEqual({ ...none, ...expected });
  });
});

describe('an answer of another format', () => {
  const items = [{ type: 'reasoning', encrypted_content: 'QUJD' }];
  const message = { role: 'assistant', content: 'Four.', reasoning_content: 'Hm', items };
  const came = { ...answer(message), wire: { format: 'responses', message } };

  it('sends it back unchanged in its own format', () => {
    const options = { providerFields: 'always' as const, format: 'responses', now: NOW };
    expect(buildChatMessages('', [written, came], options)[1]).toEqual(message);
  });

  it('converts it for other formats, dropping fields that only its provider reads', () => {
    expect(send('always', came)).toEqual([{ role: 'assistant', content: 'Four.' }]);
  });
});
