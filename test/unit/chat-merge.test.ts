import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { delta, fold, last } from './support/chat-events.ts';
import { body, chunk, finish, foldAll } from './support/fold-events.ts';

const message = (...deltas: object[]) =>
  fold(...deltas.map((piece) => delta(piece)), last('stop'), finish).choices[0]?.message;
const call = (...items: JsonObject[]): JsonObject => ({ tool_calls: items });
const whole = (args: string, more: JsonObject = {}) =>
  call({ id: 'a', function: { name: 'f', arguments: args }, ...more });
const start = (args: string) => whole(args, { index: 0 });
const more = (args: string, fields: JsonObject = {}) =>
  call({ index: 0, function: { arguments: args }, ...fields });
const contents = (...texts: string[]) => texts.map((content) => ({ content }));
const thought = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });
const detail = (fields: JsonObject) => ({
  type: 'reasoning.text',
  index: 0,
  format: 'f',
  ...fields,
});

describe('the message of a stream', () => {
  const signature = { extra_content: { google: { thought_signature: 'QUJD' } } };
  const encrypted = (data: string) => ({ type: 'reasoning.encrypted', index: 0, data });
  const cited = { annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.e' } }] };
  const drawn = (url: string) => ({
    images: [{ index: 0, type: 'image_url', image_url: { url } }],
  });
  const named = (...names: string[]) =>
    call(...names.map((name) => ({ id: 'x', function: { name, arguments: `{"${name}":1}` } })));
  const empty = ['a', 'b'].map((name) => ({ function: { name, arguments: '' } }));

  it.each<[string, JsonObject[], JsonObject]>([
    [
      'appends texts under any name',
      [
        { role: 'assistant', content: 'a', note: 'x' },
        { content: 'b', note: 'y' },
      ],
      { role: 'assistant', content: 'ab', note: 'xy' },
    ],
    [
      'appends to a field named __proto__',
      [JSON.parse('{"__proto__":"x"}'), JSON.parse('{"__proto__":"y"}')],
      JSON.parse('{"__proto__":"xy"}'),
    ],
    [
      'joins list items by index and keeps unknown fields',
      [
        { reasoning_details: [detail({ text: 'The ' })] },
        { reasoning_details: [detail({ text: 'plan.' })] },
        { reasoning_details: [detail({ signature: 'c2ln' })] },
        { reasoning_details: [{ ...encrypted('QUJD'), id: 'e' }] },
      ],
      {
        reasoning_details: [
          detail({ text: 'The plan.', signature: 'c2ln' }),
          { ...encrypted('QUJD'), id: 'e' },
        ],
      },
    ],
    [
      'continues thoughts and text parts without an index',
      [
        { content: [thought('17*20')] },
        { content: [thought(' + 51')] },
        { content: [{ type: 'thinking', thinking: [], closed: true }] },
        ...contents('39', '1'),
      ],
      {
        content: [
          { ...thought('17*20 + 51'), closed: true },
          { type: 'text', text: '391' },
        ],
      },
    ],
    [
      'replaces a preview by the final image of the same index',
      [drawn('https://a.e/1'), drawn('https://a.e/2')],
      drawn('https://a.e/2'),
    ],
    ['keeps each citation once', [cited, cited], cited],
    ['ignores null', [{ content: 'a' }, { content: null, audio: null }], { content: 'a' }],
    [
      'shows cumulative text once',
      contents('The gate', 'The gate is', 'The gate is open.', 'The gate is open.'),
      { content: 'The gate is open.' },
    ],
    [
      'shows a text once that the last chunk repeats whole',
      contents('The gate is ', 'open.', 'The gate is open.'),
      { content: 'The gate is open.' },
    ],
    ['keeps words that repeat', contents('ha', 'ha', 'haha', 'ha'), { content: 'hahahahaha' }],
    [
      'keeps a signature that arrives in a later delta without an index',
      [start('{}'), call(signature)],
      whole('{}', signature),
    ],
    [
      'ignores arguments that the last chunk repeats whole',
      [start(''), more('{"z":'), more('"UTC"}'), start('{"z":"UTC"}')],
      whole('{"z":"UTC"}'),
    ],
    ['replaces a placeholder', [start('{}'), more('{"q":'), more('1}')], whole('{"q":1}')],
    [
      'joins a call that is split over two indices',
      [start('{"q":'), call({ index: 1, id: null, function: { name: null, arguments: '1}' } })],
      whole('{"q":1}'),
    ],
    [
      'joins calls that only have an ID',
      [
        whole('{"q":'),
        call({ id: 'b', function: { name: 'g', arguments: '{' } }),
        call({ id: 'a', function: { arguments: '1}' } }),
        call({ id: 'b', function: { arguments: '}' } }),
      ],
      call(
        { id: 'a', function: { name: 'f', arguments: '{"q":1}' } },
        { id: 'b', function: { name: 'g', arguments: '{}' } },
      ),
    ],
    [
      'ignores a whole call that is repeated without an ID',
      [
        ...[start('{"q":'), more('1}')],
        call({ index: 0, function: { name: 'f', arguments: '{"q":1}' } }),
        call({ index: 0, function: { name: 'f', arguments: '' } }),
      ],
      whole('{"q":1}'),
    ],
    ['keeps two named calls of one list apart', [call(...empty)], call(...empty)],
    ['keeps complete calls apart that have the same ID', [named('a'), named('b')], named('a', 'b')],
    [
      'joins cumulative arguments',
      ['{', '{"c', '{"city":"P', '{"city":"Paris"}'].map(start),
      whole('{"city":"Paris"}'),
    ],
    [
      'keeps nested objects that begin alike',
      ['{"filter":', '{"filter":{"a', '":1}}}'].map(start),
      whole('{"filter":{"filter":{"a":1}}}'),
    ],
    [
      'joins fragments of one index that have a new ID each',
      [start('{"q":'), more('1', { id: 'b' }), more('}', { id: 'c' })],
      whole('{"q":1}'),
    ],
    [
      'joins thinking blocks whose signature is empty until the end',
      ['I', ' think', ''].map((thinking) => ({
        thinking_blocks: [{ type: 'thinking', thinking, signature: thinking === '' ? 'SIG' : '' }],
      })),
      { thinking_blocks: [{ type: 'thinking', thinking: 'I think', signature: 'SIG' }] },
    ],
    [
      'keeps labels that every chunk repeats once',
      ['running', 'done'].map((status) => ({ content: 'a', provider: 'X', status })),
      { content: 'aa', provider: 'X', status: 'done' },
    ],
    [
      'keeps annotations apart whose index restarts in each chunk',
      ['u', 'v', 'v'].map((url) => ({ annotations: [{ index: 0, url }] })),
      { annotations: ['u', 'v'].map((url) => ({ index: 0, url })) },
    ],
    [
      'keeps two encrypted details of one index apart',
      ['D1', 'D2'].map((data) => ({ reasoning_details: [encrypted(data)] })),
      { reasoning_details: ['D1', 'D2'].map(encrypted) },
    ],
    [
      'keeps indentation, rules and numbers that grow',
      contents('    ', '        ', '            x', '10', '100', '1000', '10000'),
      { content: `${'    '.repeat(6)}x10100100010000` },
    ],
    [
      'joins the input of a custom tool',
      [
        call({ index: 0, id: 7, type: 'custom', custom: { name: 'sql', input: 'SELECT' } }),
        call({ index: 0, custom: { input: ' 1' } }),
      ],
      call({ id: 7, type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }),
    ],
    [
      'joins a function_call',
      ['', '{"q":', '1}'].map((args) => ({
        function_call: { ...(args === '' && { name: 'f' }), arguments: args },
      })),
      { function_call: { name: 'f', arguments: '{"q":1}' } },
    ],
  ])('%s', (_name, deltas, expected) => {
    expect(message(...deltas)).toEqual(expected);
  });

  it.each(['Hi all', 'Hello world.'])('shows %s once if a message repeats the deltas', (text) => {
    const deltas = contents(text.slice(0, 3), text.slice(3)).map((piece) => delta(piece));
    const choice = { index: 0, message: { role: 'assistant', content: text } };
    const state = fold(
      ...deltas,
      chunk({ choices: [{ ...choice, finish_reason: 'stop' }] }),
      finish,
    );
    expect(state.choices[0]?.content).toBe(text);
  });

  it('keeps arguments that are two JSON values, and warns', () => {
    const deltas = [start('{"a":1}'), more('{"b":2}')].map((piece) => delta(piece));
    const state = fold(...deltas, last('tool_calls'), finish);
    expect(state.choices[0]?.toolCalls[0]?.arguments).toBe('{"a":1}{"b":2}');
    expect(state.warnings.join()).toContain('several JSON values');
  });

  it('keeps log probabilities and the latest value of the other fields', () => {
    const item = (token: string) => ({ token, logprob: -0.1 });
    const state = foldAll(chatOperation, [
      delta({ content: 'a' }, { logprobs: { content: [item('a')] }, matched_stop: 1 }),
      delta({ content: 'a' }, { logprobs: { content: [item('a')] }, matched_stop: 2 }),
      chunk({ choices: [], citations: ['https://a.example'], provider: 'Acme' }),
      finish,
    ]);
    expect(state.choices[0]?.logprobs).toEqual([{ content: [item('a'), item('a')] }]);
    expect(state.choices[0]?.other).toEqual({ matched_stop: 2 });
    expect(state.other).toEqual({ citations: ['https://a.example'], provider: 'Acme' });
  });

  it('equals the message of the same response without streaming, whatever the deltas', () => {
    const text = fc.string({ minLength: 1, unit: 'binary-ascii' });
    fc.assert(
      fc.property(
        fc.record({ content: text, reasoning: text, refusal: text, signature: fc.constant('s') }),
        fc.array(fc.nat(5)),
        (whole, cuts) => {
          const deltas = Object.entries(whole).flatMap(([name, value]) =>
            split(value, cuts).map((piece) => ({ [name]: piece })),
          );
          const events = [...deltas.map((piece) => delta(piece)), finish];
          const assembled = foldAll(chatOperation, events);
          const read = foldAll(chatOperation, [body({ choices: [{ index: 0, message: whole }] })]);
          expect(assembled.choices[0]?.message).toEqual(read.choices[0]?.message);
        },
      ),
    );
  });
});

/** Splits the text in two at the first position within it. */
function split(text: string, cuts: number[]): string[] {
  const at = cuts.find((cut) => cut > 0 && cut < text.length);
  return at === undefined ? [text] : [text.slice(0, at), text.slice(at)];
}
