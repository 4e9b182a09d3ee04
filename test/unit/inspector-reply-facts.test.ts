import { describe, expect, it } from 'vitest';
import { joinedReply, replyFacts } from '../../renderer/features/inspector/reply-facts.ts';

const chat = {
  id: 'chatcmpl-1',
  model: 'demo-story',
  created: 1_700_000_000,
  systemFingerprint: 'fp_1',
  usage: { total_tokens: 3 },
  done: true,
  warnings: [],
  choices: [
    {
      index: 0,
      content: 'Hello',
      reasoning: 'Hm',
      refusal: '',
      toolCalls: [{ id: '1', name: 'find', arguments: '{"a":1}' }],
      finishReason: 'stop',
    },
  ],
};

describe('replyFacts', () => {
  it('lists what the reply says about itself by wire name', () => {
    expect(replyFacts(chat)).toEqual([
      ['id', 'chatcmpl-1'],
      ['model', 'demo-story'],
      ['created', '1700000000 (2023-11-14T22:13:20.000Z)'],
      ['system_fingerprint', 'fp_1'],
      ['finish_reason', 'stop'],
      ['usage', '{"total_tokens":3}'],
      ['ended with [DONE]', 'yes'],
    ]);
  });

  it.each([null, 'text', {}, { choices: 'none', created: 1e20 }])('survives %j', (state) => {
    expect(() => [replyFacts(state), joinedReply(state)]).not.toThrow();
  });
});

describe('joinedReply', () => {
  it('puts reasoning, text and tool calls together again', () => {
    expect(joinedReply(chat)).toEqual([
      { title: 'Reasoning', text: 'Hm' },
      { title: 'Text', text: 'Hello' },
      { title: 'Tool calls', text: 'find({"a":1})' },
    ]);
  });

  it('names the choice where there are several', () => {
    const state = {
      choices: [
        { index: 0, text: 'A' },
        { index: 1, text: 'B' },
      ],
    };
    expect(joinedReply(state).map(({ title }) => title)).toEqual([
      'Text of choice 0',
      'Text of choice 1',
    ]);
  });
});
