import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { completionOperation } from '../../shared/operations/completion/completion.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { findChunkPattern } from '../../shared/operations/response/chunk-pattern.ts';
import type { RunEventOf } from '../../shared/run.ts';

type Delta = Record<string, unknown>;

function frame(delta: Delta, choice: Delta = {}, body: Delta = {}): string {
  const chunk = { index: 0, delta, logprobs: null, finish_reason: null, ...choice };
  return JSON.stringify({ id: 'chatcmpl-1', model: 'm', choices: [chunk], usage: null, ...body });
}

function textFrame(text: string): string {
  return JSON.stringify({ id: 'cmpl-1', choices: [{ index: 0, text, finish_reason: null }] });
}

function chunks(datas: readonly (string | { comment: string } | { name: string })[]) {
  return datas.map((item, index): RunEventOf<'chunk'> => {
    const numbers = { seq: index + 1, atMs: index, exchange: 0, kind: 'chunk' } as const;
    if (typeof item === 'string') return { ...numbers, data: item, event: null, comment: false };
    return 'comment' in item
      ? { ...numbers, data: item.comment, event: null, comment: true }
      : { ...numbers, data: frame({ content: 'named' }), event: item.name, comment: false };
  });
}

/** Folds events one by one and in groups of `size`, and returns both results. */
function bothWays<State>(
  operation: Pick<Operation<never, State>, 'initialState' | 'fold' | 'hasNewOutput' | 'foldChunks'>,
  events: readonly RunEventOf<'chunk'>[],
  size: number,
) {
  const single = { state: operation.initialState, produced: 0 };
  for (const event of events) {
    const next = operation.fold(single.state, event);
    if (operation.hasNewOutput(single.state, next)) single.produced += 1;
    single.state = next;
  }
  const joined = { state: operation.initialState, produced: 0 };
  for (let at = 0; at < events.length; at += size) {
    const folded = operation.foldChunks?.(joined.state, events.slice(at, at + size));
    if (folded === undefined) throw new Error('Chunks can’t be folded together.');
    joined.state = folded.state;
    joined.produced += folded.produced;
  }
  return { single, joined };
}

const words =
  'It costs 3 € – “fine” 🙂, she said; {"content":"no"} \\ and\nso on, to the end.'.split(/(?<= )/);

describe('a chunk pattern', () => {
  it('reads the text of a chunk that otherwise matches', () => {
    const pattern = findChunkPattern(frame({ content: 'one' }));
    expect(pattern?.readText(frame({ content: ' two' }))).toBe(' two');
    expect(pattern?.readText(frame({ content: '' }))).toBe('');
    expect(pattern?.withText('x')).toEqual(JSON.parse(frame({ content: 'x' })));
  });

  it('reads the text even with white space between the fields', () => {
    const spaced = (text: string) => frame({ content: text }).replaceAll(/([:,])"/g, '$1 "');
    expect(findChunkPattern(spaced('a'))?.readText(spaced('b'))).toBe('b');
  });

  it.each([
    ['an escape', frame({ content: 'a "b"' })],
    ['another field that differs', frame({ content: 'two' }, {}, { id: 'chatcmpl-2' })],
    ['a finish reason', frame({ content: 'two' }, { finish_reason: 'stop' })],
    ['a second choice', frame({ content: 'two' }, { index: 1 })],
    ['less than the pattern', '{}'],
    ['no JSON', frame({ content: 'two' }).slice(0, -1)],
  ])('leaves %s to the parser', (_, data) => {
    expect(findChunkPattern(frame({ content: 'one' }))?.readText(data)).toBeNull();
  });

  it.each([
    ['tool calls', frame({ tool_calls: [{ index: 0, function: { arguments: 'x' } }] })],
    ['text and tool calls', frame({ content: 'a', tool_calls: [{ index: 0 }] })],
    ['two texts', frame({ content: 'a', reasoning_content: 'b' })],
    ['the name of its field twice', frame({ content: 'a' }, { meta: { content: 'a' } })],
    ['a text twice', '{"choices":[{"index":0,"delta":{"content":"a","content":"b"}}]}'],
    ['a text with an escape', frame({ content: '\n' })],
    ['usage', frame({ content: 'a' }, {}, { usage: { total_tokens: 1 } })],
    ['an error', frame({ content: 'a' }, {}, { error: { message: 'no' } })],
    ['a finish reason', frame({ content: 'a' }, { finish_reason: 'stop' })],
    ['a list of parts', frame({ content: [{ type: 'text', text: 'a' }] })],
    ['no choices', '{"id":"x","choices":[]}'],
    ['no object', '[1]'],
    ['no JSON', '[DONE]'],
  ])('isn’t created from %s', (_, data) => {
    expect(findChunkPattern(data)).toBeNull();
  });
});

describe('chunks folded together', () => {
  it.each([1, 5, 7, 9, 1000])(
    'folds chunks to the same state as one by one, %i per read',
    (size) => {
      const events = chunks([
        frame({ role: 'assistant', content: '' }),
        ...words.map((word) => frame({ content: word })),
        { comment: 'ping' },
        ...words.map((word) => frame({ reasoning_content: word })),
        { name: 'odd' },
        ...words.map(() => ({ name: 'message' })),
        ...words.map((word) => frame({ content: word }, { index: 1 })),
        ...words.map((word) => frame({ reasoning: word })),
        'not JSON',
        ...words.map((word) => frame({ content: word }, {}, { choices: undefined })),
        ...words.map((word, at) =>
          frame({ content: word }, { finish_reason: at > 3 ? 'stop' : '' }),
        ),
        ...words.map((word) => frame({ content: word })),
        frame({}, { finish_reason: 'length' }),
        frame({}, {}, { choices: [], usage: { total_tokens: 9 } }),
        '[DONE]',
      ]);
      const { single, joined } = bothWays(chatOperation, events, size);
      expect(joined).toEqual(single);
      expect(joined.state.choices[0]?.message.content).toContain(words.join(''));
    },
  );

  it.each([4, 8, 1000])(
    'folds text completions to the same state as one by one, %i per read',
    (size) => {
      const events = chunks([
        ...words.map(textFrame),
        { comment: 'ping' },
        ...words.map(textFrame),
        textFrame('end').replace('null', '"stop"'),
      ]);
      const { single, joined } = bothWays(completionOperation, events, size);
      expect(joined).toEqual(single);
      expect(joined.state.choices[0]?.text).toBe(`${words.join('').repeat(2)}end`);
    },
  );

  it('ignores output that the operation doesn’t read', () => {
    const events = chunks(words.map((word) => frame({ reasoning_content: word })));
    const { single, joined } = bothWays(completionOperation, events, 1000);
    expect(joined).toEqual(single);
    expect(joined.produced).toBe(0);
  });
});
