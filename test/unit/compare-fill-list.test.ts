import { expect, test } from 'vitest';
import { emptyVariant } from '../../renderer/run/compare/variant-form.ts';
import {
  combineAxes,
  createExtraAxis,
  createFieldAxis,
  createModelAxis,
  createPromptAxis,
} from '../../renderer/run/compare/variant-list.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { getParamValues } from '../../shared/param.ts';

function field(operation: OperationName, name: string) {
  const found = describeOperation(operation).fields.find((one) => one.name === name);
  if (found === undefined) throw new TypeError(`No ${operation} ${name}`);
  return found;
}

function axis(operation: OperationName, name: string, values: string) {
  const read = createFieldAxis(field(operation, name), values);
  if (!read.ok) throw new TypeError(read.message);
  return read.axis;
}

test('combines four voices and three speeds into twelve variants, sorted by voice', () => {
  const drafts = combineAxes([
    { choices: [] },
    axis('speech', 'voice', 'alloy, echo, nova, onyx'),
    axis('speech', 'speed', '0.8\n1\n1.2'),
  ]);
  expect(drafts).toHaveLength(12);
  expect(drafts.slice(0, 4).map(({ params }) => getParamValues(params))).toEqual([
    { voice: 'alloy', speed: 0.8 },
    { voice: 'alloy', speed: 1 },
    { voice: 'alloy', speed: 1.2 },
    { voice: 'echo', speed: 0.8 },
  ]);
});

test('sets the connection only if it differs from the form', () => {
  const [same] = combineAxes([createModelAxis('demo', false, ['m1'])]);
  const [other] = combineAxes([createModelAxis('far', true, ['m1'])]);
  expect([same?.connectionId, same?.models]).toEqual([null, { demo: 'm1' }]);
  expect([other?.connectionId, other?.models]).toEqual(['far', { far: 'm1' }]);
});

test('merges extra fields with those of the form, and reads one prompt per line', () => {
  const drafts = combineAxes([
    createExtraAxis('top_k', '40, many', '{"seed": 1}'),
    createPromptAxis('One, two\n\nThree'),
  ]);
  expect(drafts.map(({ extraBody, prompt }) => [extraBody, prompt])).toEqual([
    ['{"seed":1,"top_k":40}', 'One, two'],
    ['{"seed":1,"top_k":40}', 'Three'],
    ['{"seed":1,"top_k":"many"}', 'One, two'],
    ['{"seed":1,"top_k":"many"}', 'Three'],
  ]);
});

test.each([
  ['[1,2], {"a":1}', [[1, 2], { a: 1 }]],
  ['[1, 2]\n"a, b", null', [[1, 2], 'a, b', null]],
  ['fast, 2, null', ['fast', 2, null]],
  ['', []],
])('reads values of an extra field: %s', (values, expected) => {
  const drafts = createExtraAxis('x', values, '').choices.map((choose) => choose(emptyVariant));
  expect(drafts.map(({ extraBody }) => JSON.parse(extraBody ?? '').x)).toEqual(expected);
});

test.each([
  ['speech', 'speed', '1, fast', '“fast”: Enter a number.'],
  ['speech', 'speed', '9', '“9”: '],
  ['chat', 'stream', 'maybe', '“maybe”: Enter on or off.'],
] as const)('rejects an invalid value for %s %s: %s', (operation, name, values, message) => {
  const read = createFieldAxis(field(operation, name), values);
  expect(read).toMatchObject({ ok: false });
  expect(read.ok ? '' : read.message).toContain(message);
});
