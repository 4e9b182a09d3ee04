import { expect, it } from 'vitest';
import { findSchemaProblem } from '../../shared/checks/find-schema-problem.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';

const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const need = (name: string, properties: JsonObject = {}) => ({
  type: 'object',
  properties: { [name]: {}, ...properties },
  required: [name],
});

const optionalNode = { anyOf: [ref('node'), { type: 'null' }] };
const tree: JsonObject = {
  type: 'object',
  properties: { root: optionalNode, pet: { anyOf: [ref('cat'), ref('dog')] } },
  $defs: {
    node: need('value', { value: text, left: optionalNode, right: optionalNode }),
    cat: need('claws'),
    dog: need('bark'),
  },
};

it.each<[string, JsonObject, JsonValue, boolean]>([
  ['a tree', tree, { root: { value: 'x', left: { value: 'y' }, right: null } }, true],
  ['a node without a value', tree, { root: { value: 'x', left: {} } }, false],
  ['one of several types', tree, { pet: { bark: 1 } }, true],
  ['none of several types', tree, { pet: { swim: 1 } }, false],
  ['a required name that has no schema', { type: 'object', required: ['a'] }, {}, false],
  ['a value of a name that has no schema', { type: 'object', required: ['a'] }, { a: 1 }, true],
  ['a format', { type: 'string', format: 'email' }, 'x', true],
  ['a property called “format”', need('format', { format: text }), { format: 1 }, false],
])('checks %s', (_title, schema, value, isValid) => {
  expect(findSchemaProblem(schema, value) === null).toBe(isValid);
});

function createDoubling(depth: number): JsonObject {
  const level = (at: number) => ({ anyOf: [ref(`level${at + 1}`), ref(`level${at + 1}`)] });
  const levels = Array.from({ length: depth }, (_, at) => [`level${at}`, level(at)]);
  return { ...ref('level0'), $defs: { ...Object.fromEntries(levels), [`level${depth}`]: text } };
}

const nest = (depth: number): JsonValue => (depth === 0 ? {} : { inner: nest(depth - 1) });
const inner = { inner: { $ref: '#' } };

it.each<[string, JsonObject, JsonValue]>([
  ['has a pattern', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`],
  [
    'has a pattern in a property called “enum”',
    { type: 'object', properties: { enum: { type: 'string', pattern: '^(a+)+$' } } },
    { enum: `${'a'.repeat(40)}!` },
  ],
  ['doubles with each reference', createDoubling(60), 1],
  ['doubles with each level', { anyOf: [need('a', inner), need('b', inner)] }, nest(60)],
  ['refers to itself', { $ref: '#' }, {}],
  ['refers to another file', { $ref: 'https://example.com/schema.json' }, {}],
])('checks no value if the schema %s', (_title, schema, value) => {
  expect(findSchemaProblem(schema, value)).toBeUndefined();
});

it('checks no value if the schema is too deep', () => {
  let schema: JsonObject = text;
  for (let depth = 0; depth < 20_000; depth += 1) schema = { not: schema };
  expect(findSchemaProblem(schema, 'x')).toBeUndefined();
});
