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
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    ...{ type: 'function', function: { name, arguments: args } },
  });
  const more = (index: number | undefined, args: unknown) => ({
    ...(index !== undefined && { index }),
    function: { arguments: args },
  });

  it.each<[string, RunEventBody[], string[], number]>([
    [
      'gives a fragment to the call with its index after a call without one',
      [
        call(begin(0, 'a', 'sum', '{"x"')),
        call(begin(undefined, 'b', 'time', '{}')),
        call(more(0, ':1}')),
      ],
      ['a sum {"x":1}', 'b time {}'],
      0,
    ],
    [
      'joins fragments by index, even if they alternate',
      [
        ...[call(begin(0, 'a', 'sum')), call(begin(1, 'b', 'sum')), call(more(0, '{"x"'))],
        ...[call(more(1, '{"y"'), more(0, ':1}')), call(more(1, ':2}'))],
      ],
      ['a sum {"x":1}', 'b sum {"y":2}'],
      0,
    ],
    [
      'joins fragments without an index to the call before',
      [
        ...[call(begin(undefined, 'a', 'sum')), call(more(undefined, '{"x":'))],
        ...[call(more(undefined, '1}')), call(begin(undefined, 'b', 'sum'))],
        call(more(undefined, '{}')),
      ],
      ['a sum {"x":1}', 'b sum {}'],
      0,
    ],
    [
      'separates calls that share an index but not an ID, and warns',
      [
        call(begin(0, 'a', 'sum', '{"x":1}')),
        call(begin(0, 'b', 'sum', '{"y"')),
        call(more(0, ':2}')),
      ],
      ['a sum {"x":1}', 'b sum {"y":2}'],
      1,
    ],
    [
      'separates whole calls without ID and index',
      [
        call(
          begin(undefined, undefined, 'sum', '{"x":1}'),
          begin(undefined, undefined, 'sum', '{}'),
        ),
      ],
      [' sum {"x":1}', ' sum {}'],
      0,
    ],
    [
      'continues a call whose ID and name are repeated in each fragment',
      [call(begin(0, 'a', 'sum', '{"x"')), call(begin(0, 'a', 'sum', ':1}'))],
      ['a sum {"x":1}'],
      0,
    ],
    [
      'accepts a late ID',
      [call(begin(0, undefined, 'sum', '{')), call({ ...more(0, '}'), id: 'a' })],
      ['a sum {}'],
      0,
    ],
    [
      'joins a name that comes in parts',
      [call(begin(0, 'a', 'get_')), call({ index: 0, function: { name: 'weather' } })],
      ['a get_weather '],
      0,
    ],
    [
      'writes arguments that came as an object as JSON, and warns',
      [call(begin(0, 'a', 'sum', { x: 1 }))],
      ['a sum {"x":1}'],
      1,
    ],
  ])('%s', (_name, events, calls, warnings) => {
    const state = fold(...events);
    const toolCalls = state.choices[0]?.toolCalls.map(({ id, name, arguments: text }) => [
      id,
      name,
      text,
    ]);
    expect(toolCalls?.map((parts) => parts.join(' '))).toEqual(calls);
    expect(state.warnings).toHaveLength(warnings);
  });
});
