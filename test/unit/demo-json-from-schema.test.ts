import { describe, expect, it } from 'vitest';
import { jsonFromSchema } from '../../electron/demo/language/json-from-schema.ts';
import type { JsonValue } from '../../shared/json.ts';

const none = { words: [], numbers: [] };

describe('jsonFromSchema', () => {
  const cases: [string, JsonValue, JsonValue][] = [
    ['a const', { const: 7 }, 7],
    ['the first word of an enum', { enum: ['b', 'a'] }, 'b'],
    ['an integer at its minimum', { type: 'integer', minimum: 5 }, 5],
    ['an integer above an exclusive minimum', { type: 'integer', exclusiveMinimum: 5 }, 6],
    ['an integer below a maximum', { type: 'integer', maximum: -3 }, -3],
    ['a multiple', { type: 'integer', multipleOf: 4, minimum: 5 }, 8],
    [
      'a number between exclusive bounds',
      {
        type: 'number',
        exclusiveMinimum: 0,
        exclusiveMaximum: 0.1,
      },
      0.05,
    ],
    ['a short text', { type: 'string', maxLength: 3 }, 'sam'],
    ['a date', { type: 'string', format: 'date' }, '2026-01-31'],
    ['the first type that is not null', { type: ['null', 'boolean'] }, true],
    ['the first of anyOf', { anyOf: [{ type: 'integer', minimum: 2 }, { type: 'null' }] }, 2],
    [
      'all of allOf',
      {
        allOf: [
          { type: 'object', required: ['a'], properties: { a: { const: 1 } } },
          { required: ['b'], properties: { b: { const: 2 } } },
        ],
      },
      { a: 1, b: 2 },
    ],
    [
      'a local reference',
      {
        $ref: '#/$defs/point',
        $defs: { point: { type: 'object', properties: { x: { const: 0 } } } },
      },
      { x: 0 },
    ],
    ['enough items', { type: 'array', minItems: 2, items: { const: 'x' } }, ['x', 'x']],
    [
      'unique items',
      {
        type: 'array',
        minItems: 2,
        uniqueItems: true,
        items: { enum: ['x', 'y'] },
      },
      ['x', 'y'],
    ],
    [
      'required properties without a schema',
      { type: 'object', required: ['a'] },
      {
        a: 'sample a',
      },
    ],
    ['an empty object', { type: 'object' }, {}],
  ];

  it.each(cases)('makes %s', (_name, schema, value) => {
    expect(jsonFromSchema(schema, none)).toEqual(value);
  });

  it('ends for a schema that refers to itself', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          required: ['name', 'children'],
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
            next: { $ref: '#/$defs/node' },
          },
        },
      },
    };
    expect(jsonFromSchema(tree, none)).toMatchObject({ name: 'sample name' });
    expect(jsonFromSchema({ $ref: '#' }, none)).toBe('sample value');
  });

  it('puts names and numbers of the user where they fit', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer', maximum: 7 },
        year: { type: 'integer' },
      },
    };
    expect(jsonFromSchema(schema, { words: ['Oslo'], numbers: [2030, 3] })).toEqual({
      city: 'Oslo',
      days: 3,
      year: 2030,
    });
  });
});
