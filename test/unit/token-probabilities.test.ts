import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../shared/json.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import { completionOperation } from '../../shared/operations/completion/completion.ts';
import {
  addLogprobs,
  getOtherLogprobs,
  type LogprobPieces,
  readTokens,
} from '../../shared/operations/response/token-probabilities.ts';
import { applyPatch, diff } from '../../shared/patch.ts';
import * as chat from './support/chat-events.ts';
import { body, chunk, foldAll } from './support/fold-events.ts';

const half = Math.log(0.5);
const tenth = Math.log(0.1);

/** Formats each token as `text 50 (alternative 10, …)`, in percent. */
const read = (logprobs: JsonValue | undefined) => {
  const pieces = addLogprobs(undefined, logprobs);
  const chance = ({ text, probability }: { text: string; probability: number | null }) =>
    `${text} ${probability === null ? '?' : Math.round(probability * 100)}`;
  return readTokens(pieces).map(
    (token) => `${chance(token)} (${token.alternatives.map(chance).join(', ')})`,
  );
};

describe('token probabilities', () => {
  const it50 = { token: 'It', logprob: half };
  const a10 = { token: 'A', logprob: tenth };
  it.each<[string, JsonValue | undefined, string[]]>([
    ['nothing', undefined, []],
    ['null', null, []],
    [
      'chat',
      { content: [{ ...it50, bytes: [73, 116], top_logprobs: [a10, it50] }], refusal: null },
      ['It 50 (It 50, A 10)'],
    ],
    ['a refusal', { content: null, refusal: [{ token: 'No', logprob: 0 }] }, ['No 100 ()']],
    [
      'completions',
      {
        tokens: ['Once', ' upon'],
        token_logprobs: [null, half],
        text_offset: [0, 4],
        top_logprobs: [null, { ' a': tenth, ' upon': half }],
      },
      ['Once ? ()', ' upon 50 ( upon 50,  a 10)'],
    ],
    [
      'completions without alternatives',
      { tokens: ['a'], token_logprobs: [half], top_logprobs: null },
      ['a 50 ()'],
    ],
    [
      'completions of llama.cpp',
      { content: [{ id: 5, token: 'a', logprob: half, top_logprobs: [] }] },
      ['a 50 ()'],
    ],
    [
      'probabilities after sampling',
      { content: [{ token: 'a', prob: 0.5, top_probs: [{ token: 'b', prob: 0.25 }] }] },
      ['a 50 (b 25)'],
    ],
    ['a bare list', [{ token: 'a', logprob: half }], ['a 50 ()']],
    [
      'a character in two tokens',
      {
        content: [
          { token: '\\xf0\\x9f', logprob: half, bytes: [240, 159] },
          { token: '\\xa6\\x8a', logprob: half, bytes: [166, 138] },
          { token: ' b', logprob: half, bytes: [32, 98] },
        ],
      },
      [' 50 ()', '🦊 50 ()', ' b 50 ()'],
    ],
    ['minus infinity as -9999', [{ token: 'a', logprob: -9999 }], ['a 0 ()']],
    ['what is no token', { content: ['a', { token: 1 }, null] }, []],
  ])('reads %s', (_name, logprobs, expected) => {
    expect(read(logprobs)).toEqual(expected);
  });

  it('joins chunks, even those with equal tokens and IDs', () => {
    const item = { id: 7, token: 'ha', logprob: half, top_logprobs: [] };
    const state = chat.fold(
      chat.delta({ content: 'ha' }, { logprobs: { content: [item] } }),
      chat.delta({ content: 'ha' }, { logprobs: { content: [item] } }),
      chat.delta({}, { logprobs: { content: [] }, finish_reason: 'stop' }),
    );
    expect(state.choices[0]?.logprobs).toEqual([{ content: [item, item] }]);
  });

  it.each<[string, (at: number) => JsonValue]>([
    ['chat', (at) => ({ content: [{ token: `${at}`, logprob: half }], refusal: null })],
    ['completions', (at) => ({ tokens: [`${at}`], token_logprobs: [half], top_logprobs: null })],
    ['a bare list', (at) => [{ token: `${at}`, logprob: half }]],
  ])('stores short runs, so that a chunk copies and patches little: %s', (_name, of) => {
    const states: LogprobPieces[] = [];
    for (let at = 0; at < 1000; at += 1) states.push(addLogprobs(states.at(-1), of(at)) ?? []);
    const pieces = states.at(-1) ?? [];
    expect(pieces).toHaveLength(8);
    expect(readTokens(pieces).map(({ text }) => Number(text))).toEqual([...states.keys()]);
    const patch = diff(states[900], states[901]);
    expect(JSON.stringify(patch).length).toBeLessThan(400);
    expect(applyPatch(states[900], patch)).toEqual(states[901]);
  });

  it('joins probabilities of an unknown shape', () => {
    const all = Array.from({ length: 300 }, (_, at) => at);
    let pieces: LogprobPieces | undefined;
    for (const at of all) pieces = addLogprobs(pieces, { a: [at], b: at });
    expect(getOtherLogprobs(pieces)).toEqual({ logprobs: { a: all, b: 299 } });
  });

  it('keeps probabilities and other fields of a completion, streamed and whole', () => {
    const top = { id: -1, index: -2 };
    const columns = (text: string, at: number) => ({
      tokens: [text],
      token_logprobs: [half],
      top_logprobs: [top],
      text_offset: [at],
    });
    const streamed = foldAll(completionOperation, [
      chunk({ choices: [{ index: 0, text: 'a', logprobs: columns('a', 0) }], backend: { n: 1 } }),
      chunk({ choices: [{ index: 0, text: 'a', logprobs: columns('a', 1) }], backend: { n: 2 } }),
      chunk({ choices: [{ index: 0, text: '', finish_reason: 'stop', stop_reason: 13 }] }),
    ]);
    const logprobs = {
      tokens: ['a', 'a'],
      token_logprobs: [half, half],
      text_offset: [0, 1],
      top_logprobs: [top, top],
    };
    const choice = { index: 0, text: 'aa', logprobs, finish_reason: 'stop', stop_reason: 13 };
    const whole = foldAll(completionOperation, [body({ choices: [choice], backend: { n: 2 } })]);
    expect(streamed.choices[0]?.other).toEqual({ stop_reason: 13 });
    expect(streamed.choices[0]?.logprobs).toEqual([logprobs]);
    expect(whole.choices).toEqual(streamed.choices);
    expect([streamed.other, whole.other]).toEqual([{ backend: { n: 2 } }, { backend: { n: 2 } }]);
  });

  it.each<[string, JsonValue, object]>([
    ['leaves readable ones to the tokens', { content: [{ token: 'a', logprob: half }] }, {}],
    ['leaves out empty ones', { content: [], refusal: null }, {}],
    ['has an unknown shape', { a: [1] }, { logprobs: { a: [1] } }],
  ])('filters other fields so that it %s', (_name, logprobs, expected) => {
    const { choices } = chat.fold(
      body({ choices: [{ index: 0, message: { content: 'a' }, logprobs }] }),
    );
    expect(choices.map((choice) => viewAnswer(choice).otherFields)).toEqual([expected]);
  });
});
