import { describe, expect, it } from 'vitest';
import { delta, fold } from './support/chat-events.ts';

/** Reads a call such as `0 a sum {"x"`: index, ID, name and arguments; `-` is a missing one. */
function readCall(text: string): object {
  const [index, id, name, args] = text.split(' ').map((word) => (word === '-' ? undefined : word));
  const at = index === undefined ? {} : { index: Number(index) };
  return { ...at, id, type: name && 'function', function: { name, arguments: args } };
}

describe('streamed tool calls', () => {
  it.each<[string, string, string, number]>([
    [
      'gives a fragment to the call with its index after a call without one',
      '0 a sum {"x" | - b time {} | 0 - - :1}',
      'a sum {"x":1}, b time {}',
      0,
    ],
    [
      'joins fragments by index, even if they alternate',
      '0 a sum | 1 b sum | 0 - - {"x" | 1 - - {"y" & 0 - - :1} | 1 - - :2}',
      'a sum {"x":1}, b sum {"y":2}',
      0,
    ],
    [
      'joins fragments without an index to the call before',
      '- a sum | - - - {"x": | - - - 1} | - b sum | - - - {}',
      'a sum {"x":1}, b sum {}',
      0,
    ],
    [
      'separates calls that share an index but not an ID, and warns',
      '0 a sum {"x":1} | 0 b sum {"y" | 0 - - :2}',
      'a sum {"x":1}, b sum {"y":2}',
      1,
    ],
    ['separates calls without ID and index', '- - f {"x":1} & - - f {}', ' f {"x":1},  f {}', 0],
    [
      'continues a call whose ID and name are repeated in each fragment',
      '0 a sum {"x" | 0 a sum :1}',
      'a sum {"x":1}',
      0,
    ],
    ['accepts a late ID', '0 - sum { | 0 a - }', 'a sum {}', 0],
    ['joins a name that comes in parts', '0 a get_ | 0 - weather', 'a get_weather ', 0],
  ])('%s', (_name, chunks, calls, warnings) => {
    const events = chunks
      .split(' | ')
      .map((chunk) => delta({ tool_calls: chunk.split(' & ').map(readCall) }));
    const state = fold(...events);
    const read = state.choices[0]?.toolCalls.map((call) => [call.id, call.name, call.arguments]);
    expect(read?.map((parts) => parts.join(' ')).join(', ')).toBe(calls);
    expect(state.warnings).toHaveLength(warnings);
  });

  it('serializes arguments that arrived as an object, with a warning', () => {
    const call = { index: 0, id: 'a', function: { name: 'sum', arguments: { x: 1 } } };
    const { choices, warnings } = fold(delta({ tool_calls: [call] }));
    expect(choices[0]?.toolCalls).toMatchObject([{ arguments: '{"x":1}' }]);
    expect(warnings).toHaveLength(1);
  });
});
