import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { createRandom } from '../fixtures/random.ts';
import { delta, done, fold, last } from './support/chat-events.ts';
import {
  body,
  chunk,
  comment,
  finish,
  numbered,
  randomReply,
  splitAnyhow,
} from './support/fold-events.ts';

describe('the chat fold', () => {
  const text = 'Über 🦊\nline \\"quoted\\" 日本 end';
  const args = JSON.stringify({ path: 'C:\\x', emoji: '🦊', list: [1, 2, { a: null }] });

  it('folds one answer to the same state however it is cut into deltas', () => {
    const whole = fold(
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: text }),
      delta({ content: text }),
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: args } }] }),
      last('tool_calls'),
      done,
    );
    const random = createRandom(1).next;
    for (let round = 0; round < 200; round += 1) {
      const cut = (value: string) => splitAnyhow(value, random, 1 + Math.floor(random() * 12));
      const state = fold(
        delta({ role: 'assistant', content: '' }),
        ...cut(text).map((piece) => delta({ reasoning_content: piece })),
        ...cut(text).map((piece) => delta({ content: piece })),
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] }),
        ...cut(args).map((piece) =>
          delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
        ),
        last('tool_calls'),
        done,
      );
      expect(state.choices[0]?.message).toEqual(whole.choices[0]?.message);
    }
  });

  it('never throws and always returns JSON, whatever JSON it reads', () => {
    const random = createRandom(2).next;
    for (let round = 0; round < 3000; round += 1) {
      const reply = randomReply(random);
      const choice = {
        index: 0,
        delta: randomReply(random),
        finish_reason: randomReply(random, 1),
      };
      const events = [
        chunk(reply),
        chunk({ choices: [choice], usage: randomReply(random) }),
        body(reply),
        finish,
      ];
      const state = fold(...events);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    }
  });

  it('survives JSON nested deeper than the stack', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const tool_calls = `[{"function":{"arguments":${deep}}}]`;
    const delta = `{"content":{"a":${deep}},"tool_calls":${tool_calls}}`;
    const state = fold(chunk(`{"choices":[{"index":0,"delta":${delta}}]}`));
    expect(state.warnings.length).toBeGreaterThan(0);
  });

  it('returns the same state if nothing changes, and shares the unchanged parts', () => {
    const before = fold(
      chunk({ choices: [{ index: 0, delta: { content: 'a' } }] }),
      chunk({ choices: [{ index: 1, delta: { content: 'b' } }] }),
    );
    const folded = (event: RunEventBody) => chatOperation.fold(before, numbered(event, 3));
    expect(folded(comment('PING'))).toBe(before);
    expect(folded(delta({ content: '' }))).toBe(before);
    expect(folded({ kind: 'response', exchange: 0, status: 200, headers: [] })).toBe(before);
    expect(folded(delta({ content: 'x' })).choices[1]).toBe(before.choices[1]);
  });

  it.each<[string, RunEventBody, boolean]>([
    ['text', delta({ content: 'a' }), true],
    ['reasoning', delta({ reasoning: 'a' }), true],
    ['a refusal', delta({ refusal: 'a' }), true],
    ['arguments', delta({ tool_calls: [{ index: 0, function: { arguments: '{' } }] }), true],
    ['only a role', delta({ role: 'assistant', content: '' }), false],
    ['nothing', delta({}), false],
    ['a finish reason', last('stop'), false],
  ])('detects whether %s is output', (_name, event, expected) => {
    const before = chatOperation.initialState;
    const after = chatOperation.fold(before, numbered(event, 1));
    expect(chatOperation.produced(before, after)).toBe(expected);
  });
});

describe('the preview of a chat request', () => {
  const preview = (content: string) =>
    chatOperation.preview({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content },
        { role: 'assistant', content: 'Well' },
      ],
    });

  it('is the last user message, on one line', () => {
    expect(preview('  two\n\nlines ')).toBe('two lines');
  });

  it('has at most 120 characters and never splits an emoji', () => {
    const line = preview('🦊'.repeat(500));
    expect(Array.from(line)).toHaveLength(120);
    expect(line).toBe(`${'🦊'.repeat(119)}…`);
  });
});
