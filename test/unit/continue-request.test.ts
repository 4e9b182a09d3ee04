import { describe, expect, it } from 'vitest';
import { continueRequest } from '../../electron/conversations/continue-request.ts';
import { joinContent, joinMessage } from '../../shared/operations/chat/continuation.ts';

const question = { role: 'user', content: 'Count.' };
const messages = [question, { role: 'assistant', content: 'One, two' }];
const local = { baseUrl: 'http://127.0.0.1:8000/v1', model: 'qwen3', ownedBy: null };

describe('continueRequest', () => {
  it('ends with the answer so far', () => {
    expect(continueRequest(messages, local)).toEqual({ messages, fields: {} });
  });

  it.each([
    ['https://api.deepseek.com/beta', 'prefix'],
    ['https://api.mistral.ai/v1', 'prefix'],
    ['https://api.moonshot.ai/v1', 'partial'],
    ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'partial'],
  ])('marks the answer for %s with %s', (baseUrl, mark) => {
    const { messages: sent, fields } = continueRequest(messages, { ...local, baseUrl });
    expect(sent).toEqual([question, { ...messages[1], [mark]: true }]);
    expect(fields).toEqual({});
  });

  it.each(['vllm', 'sglang'])(
    'asks the chat template of %s to leave the answer open',
    (ownedBy) => {
      expect(continueRequest(messages, { ...local, ownedBy }).fields).toEqual({
        continue_final_message: true,
        add_generation_prompt: false,
      });
    },
  );

  it.each([
    'gpt-4o',
    'openai/gpt-5.1',
    'o3-mini',
    'google/gemini-2.5-pro',
    'claude-opus-4-6',
    'anthropic/claude-sonnet-4.6',
    'claude-sonnet-5',
  ])('asks %s to continue in a new message, since it can’t resume a partial one', (model) => {
    const { messages: sent } = continueRequest(messages, { ...local, model });
    const asked = { role: 'user', content: expect.stringContaining('stopped') };
    expect(sent).toEqual([...messages, asked]);
  });

  it.each(['claude-3-5-sonnet', 'claude-sonnet-4-20250514', 'deepseek-chat', 'mistral-large'])(
    'lets %s continue its answer',
    (model) => {
      expect(continueRequest(messages, { ...local, model }).messages).toEqual(messages);
    },
  );
});

describe('joinContent', () => {
  it.each([
    ['One, two', ', three', 'One, two, three'],
    [
      'Once upon a time, a gate',
      'Once upon a time, a gate stood',
      'Once upon a time, a gate stood',
    ],
    ['1', '1, 12', '11, 12'],
    ['One', '', 'One'],
  ])('joins %j and %j', (before, content, joined) => {
    expect(joinContent(before, content)).toBe(joined);
    const message = joinMessage(before, { role: 'assistant', content });
    expect(message).toEqual({ role: 'assistant', content: joined });
  });

  it('keeps the parts of a whole answer', () => {
    const before = 'Once upon a time, a gate';
    const content = [{ type: 'text' as const, text: `${before} stood` }];
    expect(joinContent(before, content)).toEqual(content);
    expect(joinMessage(before, { content })).toEqual({ content });
  });

  it('joins the text with the first text part', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'https://x.example/a.png' } };
    const text = (words: string) => ({ type: 'text' as const, text: words });
    expect(joinContent('A', [text('B'), image])).toEqual([text('AB'), image]);
    expect(joinContent('A', [image])).toEqual([text('A'), image]);
  });
});
