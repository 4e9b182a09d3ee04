import { describe, expect, it } from 'vitest';
import {
  type CompletionState,
  completionOperation,
} from '../../shared/operations/completion/completion.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { body, chunk, finish, foldAll, numbered } from './support/fold-events.ts';

const fold = (...events: RunEventBody[]): CompletionState => foldAll(completionOperation, events);
const piece = (text: unknown, index = 0, finish_reason: string | null = null) =>
  chunk({
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1,
    model: 'demo-story',
    choices: [{ text, index, logprobs: null, finish_reason }],
  });

describe('a text completion', () => {
  it('folds a stream of several choices', () => {
    const state = fold(
      piece('Once'),
      piece('Then', 1),
      piece(' upon', 0),
      piece('', 0, 'length'),
      piece('', 1, 'stop'),
      chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }),
      chunk('[DONE]'),
      finish,
    );
    expect(state).toEqual({
      id: 'cmpl-1',
      model: 'demo-story',
      created: 1,
      done: true,
      streamed: true,
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      warnings: [],
      streamError: null,
      unreadable: false,
      other: {},
      choices: [
        { index: 0, text: 'Once upon', other: {}, finishReason: 'length' },
        { index: 1, text: 'Then', other: {}, finishReason: 'stop' },
      ],
    });
    expect(completionOperation.figures(state).finishReasons).toEqual(['length', 'stop']);
  });

  it('folds a whole document', () => {
    const choices = [{ text: ' a time', index: 0, finish_reason: 'stop' }];
    const state = fold(body({ id: 'cmpl-2', choices }), finish);
    expect(state).toMatchObject({ done: true, warnings: [], choices: [{ text: ' a time' }] });
  });

  it('reads a response in chat format, with a warning', () => {
    const state = fold(
      chunk({ choices: [{ index: 0, delta: { content: 'Once' } }] }),
      chunk({ choices: [{ index: 0, delta: { content: ' upon' }, finish_reason: 'stop' }] }),
    );
    expect(state.choices[0]?.text).toBe('Once upon');
    expect(state.warnings).toEqual(['The response is in chat completion format.']);
  });

  it('keeps the text before an error object', () => {
    const state = fold(piece('Once'), chunk({ error: { message: 'overloaded' } }), finish);
    expect(state.choices[0]?.text).toBe('Once');
    expect(state.streamError).toEqual({ message: 'overloaded' });
  });

  it('warns if the stream ends too early', () => {
    expect(fold(piece('Once'), finish).warnings).toHaveLength(1);
  });

  it('counts only text as output', () => {
    const before = fold(piece('Once'));
    const folded = (event: RunEventBody) => completionOperation.fold(before, numbered(event, 2));
    expect(completionOperation.hasNewOutput(before, folded(piece(' upon')))).toBe(true);
    expect(completionOperation.hasNewOutput(before, folded(piece('', 0, 'stop')))).toBe(false);
  });
});
