import { describe, expect, it } from 'vitest';
import type { RunEventBody } from '../../shared/run.ts';
import { delta, fold } from './support/chat-events.ts';

describe('streamed tool calls', () => {
  const call = (...items: unknown[]) => delta({ tool_calls: items });
  const begin = (
    index: number | undefined,
    id: string | undefined,
    name: string,
    args: unknown = '',
  ) => ({
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { name, arguments: args },
  });
  const more = (index: number | undefined, args: unknown) => ({
    ...(index === undefined ? {} : { index }),
    function: { arguments: args },
  });
  const callsOf = (...events: RunEventBody[]) =>
    fold(...events).choices[0]?.toolCalls.map(({ id, name, arguments: text }) => [id, name, text]);

  it('gives a fragment to the call of its index, though a call without one came between', () => {
    const calls = callsOf(
      call({ index: 0, id: 'a', function: { name: 'weather', arguments: '{"city":"Par' } }),
      call({ id: 'b', function: { name: 'time', arguments: '{}' } }),
      call(more(0, 'is"}')),
    );
    expect(calls).toEqual([
      ['a', 'weather', '{"city":"Paris"}'],
      ['b', 'time', '{}'],
    ]);
  });

  it('joins fragments by index, also when they alternate', () => {
    expect(
      callsOf(
        call(begin(0, 'a', 'sum')),
        call(begin(1, 'b', 'sum')),
        call(more(0, '{"x"')),
        call(more(1, '{"y"'), more(0, ':1}')),
        call(more(1, ':2}')),
      ),
    ).toEqual([
      ['a', 'sum', '{"x":1}'],
      ['b', 'sum', '{"y":2}'],
    ]);
  });

  it('joins fragments without an index to the call before', () => {
    expect(
      callsOf(
        call(begin(undefined, 'a', 'sum')),
        call(more(undefined, '{"x":')),
        call(more(undefined, '1}')),
        call(begin(undefined, 'b', 'sum')),
        call(more(undefined, '{}')),
      ),
    ).toEqual([
      ['a', 'sum', '{"x":1}'],
      ['b', 'sum', '{}'],
    ]);
  });

  it('keeps calls apart that share an index but not an id, and warns', () => {
    const events = [
      call(begin(0, 'a', 'sum', '{"x":1}')),
      call(begin(0, 'b', 'sum', '{"y"')),
      call(more(0, ':2}')),
    ];
    expect(callsOf(...events)).toEqual([
      ['a', 'sum', '{"x":1}'],
      ['b', 'sum', '{"y":2}'],
    ]);
    expect(fold(...events).warnings).toHaveLength(1);
  });

  it('keeps whole calls apart that have neither id nor index', () => {
    expect(
      callsOf(
        call(
          begin(undefined, undefined, 'sum', '{"x":1}'),
          begin(undefined, undefined, 'sum', '{"x":2}'),
        ),
      ),
    ).toEqual([
      ['', 'sum', '{"x":1}'],
      ['', 'sum', '{"x":2}'],
    ]);
  });

  it('continues a call whose id and name are repeated in each fragment', () => {
    expect(callsOf(call(begin(0, 'a', 'sum', '{"x"')), call(begin(0, 'a', 'sum', ':1}')))).toEqual([
      ['a', 'sum', '{"x":1}'],
    ]);
  });

  it('takes an id that comes late', () => {
    expect(
      callsOf(
        call(begin(0, undefined, 'sum', '{')),
        call({ index: 0, id: 'a', function: { arguments: '}' } }),
      ),
    ).toEqual([['a', 'sum', '{}']]);
  });

  it('joins a name that comes in pieces', () => {
    expect(
      callsOf(call(begin(0, 'a', 'get_')), call({ index: 0, function: { name: 'weather' } })),
    ).toEqual([['a', 'get_weather', '']]);
  });

  it('writes arguments that came as an object as JSON, and warns', () => {
    const events = [call(begin(0, 'a', 'sum', { x: 1 }))];
    expect(callsOf(...events)).toEqual([['a', 'sum', '{"x":1}']]);
    expect(fold(...events).warnings).toEqual(['The arguments of a tool call aren’t text.']);
  });
});
