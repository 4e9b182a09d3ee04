import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { delta, fold, last } from './support/chat-events.ts';
import { body, chunk, finish, foldAll } from './support/fold-events.ts';

const message = (...deltas: object[]) =>
  fold(...deltas.map((piece) => delta(piece)), last('stop'), finish).choices[0]?.message;
const call = (...items: object[]) => ({ tool_calls: items });

describe('the message of a stream', () => {
  it.each<[string, object[], JsonObject]>([
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
        { reasoning_details: [{ type: 'reasoning.text', text: 'The ', index: 0, format: 'f' }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'plan.', index: 0, format: 'f' }] },
        { reasoning_details: [{ type: 'reasoning.text', index: 0, signature: 'c2ln' }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'QUJD', index: 0, id: 'e' }] },
      ],
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'The plan.', index: 0, format: 'f', signature: 'c2ln' },
          { type: 'reasoning.encrypted', data: 'QUJD', index: 0, id: 'e' },
        ],
      },
    ],
    [
      'continues thoughts and text parts without an index',
      [
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: '17*20' }] }] },
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: ' + 51' }] }] },
        { content: [{ type: 'thinking', thinking: [], closed: true }] },
        { content: '39' },
        { content: '1' },
      ],
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: '17*20 + 51' }], closed: true },
          { type: 'text', text: '391' },
        ],
      },
    ],
    [
      'replaces a preview by the final image of the same index',
      [
        { images: [{ index: 0, type: 'image_url', image_url: { url: 'https://a.example/1' } }] },
        { images: [{ index: 0, type: 'image_url', image_url: { url: 'https://a.example/2' } }] },
      ],
      { images: [{ index: 0, type: 'image_url', image_url: { url: 'https://a.example/2' } }] },
    ],
    [
      'keeps each citation once',
      [
        { annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example' } }] },
        { annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example' } }] },
      ],
      { annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example' } }] },
    ],
    ['ignores null', [{ content: 'a' }, { content: null, audio: null }], { content: 'a' }],
    [
      'shows cumulative text once',
      ['The gate', 'The gate is', 'The gate is open.', 'The gate is open.'].map((content) => ({
        content,
      })),
      { content: 'The gate is open.' },
    ],
    [
      'shows a text once that the last chunk repeats whole',
      [{ content: 'The gate is ' }, { content: 'open.' }, { content: 'The gate is open.' }],
      { content: 'The gate is open.' },
    ],
    [
      'keeps words that repeat',
      ['ha', 'ha', 'haha', 'ha'].map((content) => ({ content })),
      { content: 'hahahahaha' },
    ],
    [
      'keeps a signature that arrives in a later delta without an index',
      [
        call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }),
        call({ extra_content: { google: { thought_signature: 'QUJD' } } }),
      ],
      call({
        id: 'a',
        type: 'function',
        function: { name: 'f', arguments: '{}' },
        extra_content: { google: { thought_signature: 'QUJD' } },
      }) as JsonObject,
    ],
    [
      'ignores arguments that the last chunk repeats whole',
      [
        call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
        call({ index: 0, function: { arguments: '{"z":' } }),
        call({ index: 0, function: { arguments: '"UTC"}' } }),
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"z":"UTC"}' } }),
      ],
      call({
        id: 'a',
        type: 'function',
        function: { name: 'f', arguments: '{"z":"UTC"}' },
      }) as JsonObject,
    ],
    [
      'replaces a placeholder by the arguments',
      [
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
        call({ index: 0, function: { arguments: '{"q":' } }),
        call({ index: 0, function: { arguments: '1}' } }),
      ],
      call({ id: 'a', function: { name: 'f', arguments: '{"q":1}' } }) as JsonObject,
    ],
    [
      'joins a call that is split over two indices',
      [
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"q":' } }),
        call({ index: 1, id: null, function: { name: null, arguments: '1}' } }),
      ],
      call({ id: 'a', function: { name: 'f', arguments: '{"q":1}' } }) as JsonObject,
    ],
    [
      'joins calls that only have an ID',
      [
        call({ id: 'a', function: { name: 'f', arguments: '{"q":' } }),
        call({ id: 'b', function: { name: 'g', arguments: '{' } }),
        call({ id: 'a', function: { arguments: '1}' } }),
        call({ id: 'b', function: { arguments: '}' } }),
      ],
      call(
        { id: 'a', function: { name: 'f', arguments: '{"q":1}' } },
        { id: 'b', function: { name: 'g', arguments: '{}' } },
      ) as JsonObject,
    ],
    [
      'ignores a whole call that is repeated without an ID',
      [
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"q":' } }),
        call({ index: 0, function: { arguments: '1}' } }),
        call({ index: 0, function: { name: 'f', arguments: '{"q":1}' } }),
        call({ index: 0, function: { name: 'f', arguments: '' } }),
      ],
      call({ id: 'a', function: { name: 'f', arguments: '{"q":1}' } }) as JsonObject,
    ],
    [
      'keeps two named calls of one list apart',
      [
        call(
          { function: { name: 'a', arguments: '' } },
          { function: { name: 'b', arguments: '' } },
        ),
      ],
      call(
        { function: { name: 'a', arguments: '' } },
        { function: { name: 'b', arguments: '' } },
      ) as JsonObject,
    ],
    [
      'keeps complete calls apart that have the same ID',
      [
        call({ id: 'x', function: { name: 'a', arguments: '{"a":1}' } }),
        call({ id: 'x', function: { name: 'b', arguments: '{"a":2}' } }),
      ],
      call(
        { id: 'x', function: { name: 'a', arguments: '{"a":1}' } },
        { id: 'x', function: { name: 'b', arguments: '{"a":2}' } },
      ) as JsonObject,
    ],
    [
      'joins cumulative arguments',
      ['{', '{"c', '{"city":"P', '{"city":"Paris"}'].map((text) =>
        call({ index: 0, id: 'a', function: { name: 'f', arguments: text } }),
      ),
      call({ id: 'a', function: { name: 'f', arguments: '{"city":"Paris"}' } }) as JsonObject,
    ],
    [
      'keeps nested objects that begin alike',
      ['{"filter":', '{"filter":{"a', '":1}}}'].map((text) =>
        call({ index: 0, id: 'a', function: { name: 'f', arguments: text } }),
      ),
      call({
        id: 'a',
        function: { name: 'f', arguments: '{"filter":{"filter":{"a":1}}}' },
      }) as JsonObject,
    ],
    [
      'joins fragments of one index that have a new ID each',
      [
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"q":' } }),
        call({ index: 0, id: 'b', function: { arguments: '1' } }),
        call({ index: 0, id: 'c', function: { arguments: '}' } }),
      ],
      call({ id: 'a', function: { name: 'f', arguments: '{"q":1}' } }) as JsonObject,
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
      [
        { content: 'a', provider: 'X', status: 'running' },
        { content: 'b', provider: 'X', status: 'done' },
      ],
      { content: 'ab', provider: 'X', status: 'done' },
    ],
    [
      'keeps annotations apart whose index restarts in each chunk',
      ['u', 'v', 'v'].map((url) => ({ annotations: [{ index: 0, url }] })),
      { annotations: ['u', 'v'].map((url) => ({ index: 0, url })) },
    ],
    [
      'keeps two encrypted details of one index apart',
      ['D1', 'D2'].map((data) => ({
        reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data }],
      })),
      {
        reasoning_details: ['D1', 'D2'].map((data) => ({
          ...{ type: 'reasoning.encrypted', index: 0 },
          data,
        })),
      },
    ],
    [
      'keeps indentation, rules and numbers that grow',
      ['    ', '        ', '            x', '10', '100', '1000', '10000'].map((content) => ({
        content,
      })),
      { content: '    '.repeat(6) + 'x10100100010000' },
    ],
    [
      'joins the input of a custom tool',
      [
        call({ index: 0, id: 7, type: 'custom', custom: { name: 'sql', input: 'SELECT' } }),
        call({ index: 0, custom: { input: ' 1' } }),
      ],
      call({ id: 7, type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }) as JsonObject,
    ],
    [
      'joins a function_call',
      [
        { content: null, function_call: { name: 'f', arguments: '' } },
        { function_call: { arguments: '{"q":' } },
        { function_call: { arguments: '1}' } },
      ],
      { function_call: { name: 'f', arguments: '{"q":1}' } },
    ],
  ])('%s', (_name, deltas, expected) => {
    expect(message(...deltas)).toEqual(expected);
  });

  it.each(['Hi all', 'Hello world.'])('shows %s once if a message repeats the deltas', (text) => {
    const state = fold(
      delta({ content: text.slice(0, 3) }),
      delta({ content: text.slice(3) }),
      chunk({
        choices: [
          { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' },
        ],
      }),
      finish,
    );
    expect(state.choices[0]?.content).toBe(text);
  });

  it('keeps arguments that are two JSON values, and warns', () => {
    const state = fold(
      delta(call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"a":1}' } })),
      delta(call({ index: 0, function: { arguments: '{"b":2}' } })),
      last('tool_calls'),
      finish,
    );
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

  it('is the message of the same response without streaming, whatever the deltas', () => {
    const text = fc.string({ minLength: 1, unit: 'binary-ascii' });
    fc.assert(
      fc.property(
        fc.record({ content: text, reasoning: text, refusal: text, signature: fc.constant('s') }),
        fc.array(fc.nat(5)),
        (whole, cuts) => {
          const deltas = Object.entries(whole).flatMap(([name, value]) =>
            split(value, cuts).map((piece) => ({ [name]: piece })),
          );
          const assembled = foldAll(chatOperation, [
            ...deltas.map((piece) => delta(piece)),
            finish,
          ]);
          const read = foldAll(chatOperation, [body({ choices: [{ index: 0, message: whole }] })]);
          expect(assembled.choices[0]?.message).toEqual(read.choices[0]?.message);
        },
      ),
    );
  });
});

/** Cuts the text into two pieces at the first fitting position. */
function split(text: string, cuts: number[]): string[] {
  const at = cuts.find((cut) => cut > 0 && cut < text.length);
  return at === undefined ? [text] : [text.slice(0, at), text.slice(at)];
}
