import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { delta, fold, last } from './support/chat-events.ts';
import { chunk, comment, numbered } from './support/fold-events.ts';

describe('the chat fold', () => {
  it('survives JSON that is nested deeper than the call stack', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const tool_calls = `[{"function":{"arguments":${deep}}}]`;
    const delta = `{"content":{"a":${deep}},"tool_calls":${tool_calls}}`;
    const state = fold(chunk(`{"choices":[{"index":0,"delta":${delta}}]}`));
    expect(state.warnings.length).toBeGreaterThan(0);
  });

  it('returns the same state if nothing changes, and shares unchanged parts', () => {
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
  ])('decides whether %s is output', (_name, event, expected) => {
    const before = chatOperation.initialState;
    const after = chatOperation.fold(before, numbered(event, 1));
    expect(chatOperation.hasNewOutput(before, after)).toBe(expected);
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

  it('shows the last user message on one line', () => {
    expect(preview('  two\n\nlines ')).toBe('two lines');
  });

  it('shows at most 120 characters and never splits an emoji', () => {
    const line = preview('🦊'.repeat(500));
    expect(Array.from(line)).toHaveLength(120);
    expect(line).toBe(`${'🦊'.repeat(119)}…`);
  });
});
