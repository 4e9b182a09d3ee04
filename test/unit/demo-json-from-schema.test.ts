import { describe, expect, it } from 'vitest';
import { createJsonFromSchema } from '../../electron/demo/language/json-from-schema.ts';
import type { JsonValue } from '../../shared/json.ts';

const none = { words: [], numbers: [] };

describe('jsonFromSchema', () => {
  const point = { type: 'object', properties: { x: { const: 0 } } };
  const withA = { type: 'object', required: ['a'], properties: { a: { const: 1 } } };
  const withB = { required: ['b'], properties: { b: { const: 2 } } };
  const unique = { type: 'array', minItems: 2, uniqueItems: true, items: { enum: ['x', 'y'] } };
  const number = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.1 };
  const cases: [string, JsonValue, JsonValue][] = [
    ['a const', { const: 7 }, 7],
    ['the first word of an enum', { enum: ['b', 'a'] }, 'b'],
    ['an integer at its minimum', { type: 'integer', minimum: 5 }, 5],
    ['an integer above an exclusive minimum', { type: 'integer', exclusiveMinimum: 5 }, 6],
    ['an integer below a maximum', { type: 'integer', maximum: -3 }, -3],
    ['a multiple', { type: 'integer', multipleOf: 4, minimum: 5 }, 8],
    ['a number between exclusive bounds', number, 0.05],
    ['a short text', { type: 'string', maxLength: 3 }, 'sam'],
    ['a date', { type: 'string', format: 'date' }, '2026-01-31'],
    ['the first type except null', { type: ['null', 'boolean'] }, true],
    ['the first of anyOf', { anyOf: [{ type: 'integer', minimum: 2 }, { type: 'null' }] }, 2],
    ['all of allOf', { allOf: [withA, withB] }, { a: 1, b: 2 }],
    ['a local reference', { $ref: '#/$defs/point', $defs: { point } }, { x: 0 }],
    ['enough items', { type: 'array', minItems: 2, items: { const: 'x' } }, ['x', 'x']],
    ['unique items', unique, ['x', 'y']],
    ['a property without a schema', { type: 'object', required: ['a'] }, { a: 'sample a' }],
    ['an empty object', { type: 'object' }, {}],
  ];

  it('makes a recipe unless the schema sets limits', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const properties = {
      title: { type: 'string' },
      minutes: { type: 'integer', minimum: 60 },
      ingredients: list,
      steps: list,
    };
    const made = createJsonFromSchema({ type: 'object', properties }, none);
    expect(made).toMatchObject({ title: 'Thin pancakes', minutes: 60 });
    expect(made).toHaveProperty('steps.4');
  });

  it.each(cases)('makes %s', (_name, schema, value) => {
    expect(createJsonFromSchema(schema, none)).toEqual(value);
  });

  it('terminates on a schema that refers to itself', () => {
    const next = { $ref: '#/$defs/node' };
    const properties = { name: { type: 'string' }, children: { type: 'array', items: next }, next };
    const node = { type: 'object', required: ['name', 'children'], properties };
    const made = createJsonFromSchema({ ...next, $defs: { node } }, none);
    expect(made).toMatchObject({ name: 'sample name' });
    expect(createJsonFromSchema({ $ref: '#' }, none)).toBe('sample value');
  });

  it('uses the names and numbers in the user’s prompt if they fit', () => {
    const days = { type: 'integer', maximum: 7 };
    const properties = { city: { type: 'string' }, days, year: { type: 'integer' } };
    const hints = { words: ['Oslo'], numbers: [2030, 3] };
    const made = createJsonFromSchema({ type: 'object', properties }, hints);
    expect(made).toEqual({ city: 'Oslo', days: 3, year: 2030 });
  });
});
