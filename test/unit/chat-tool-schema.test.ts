import { expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { adaptSchema } from '../../shared/operations/chat/tool-schema.ts';

const port = { type: 'string', minLength: 1 };

it.each<[string, JsonObject, JsonObject]>([
  ['missing properties', { type: 'object' }, { type: 'object', properties: {} }],
  ['a missing type', { properties: { port } }, { type: 'object', properties: { port } }],
  [
    '$schema, also inside',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { $schema: port, inner: { $schema: 'x', type: 'object' } },
    },
    { type: 'object', properties: { $schema: port, inner: { type: 'object' } } },
  ],
  [
    'local references',
    {
      type: 'object',
      properties: {
        from: { $ref: '#/$defs/port', description: 'Start' },
        to: { $ref: '#/$defs/port' },
      },
      $defs: { port },
    },
    { type: 'object', properties: { from: { ...port, description: 'Start' }, to: port } },
  ],
  [
    'exclusive bounds of draft 4',
    {
      type: 'object',
      properties: {
        above: { type: 'number', minimum: 2, exclusiveMinimum: true },
        below: { type: 'number', maximum: 9, exclusiveMaximum: true },
        from: { type: 'number', minimum: 2, exclusiveMinimum: false },
      },
    },
    {
      type: 'object',
      properties: {
        above: { type: 'number', exclusiveMinimum: 2 },
        below: { type: 'number', exclusiveMaximum: 9 },
        from: { type: 'number', minimum: 2 },
      },
    },
  ],
  [
    'alternatives at the top',
    {
      type: 'object',
      properties: { port },
      required: ['port'],
      anyOf: [
        { properties: { day: port }, required: ['day', 'hour'] },
        { properties: { hour: port }, required: ['hour'] },
      ],
    },
    {
      type: 'object',
      properties: { day: port, hour: port, port },
      required: ['port', 'hour'],
    },
  ],
])('rewrites %s', (_name, schema, expected) => {
  for (const format of ['chat-completions', 'messages', 'responses'] as const) {
    expect(adaptSchema(schema, format)).toEqual(expected);
  }
});

it('returns the same schema if it fits, and keeps what can’t be written otherwise', () => {
  const plain = { type: 'object', properties: { port }, additionalProperties: false };
  expect(adaptSchema(plain, 'responses')).toBe(plain);
  const tree = {
    type: 'object',
    properties: { root: { $ref: '#/$defs/node' } },
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
  };
  expect(adaptSchema(tree, 'messages')).toMatchObject({
    properties: { root: { properties: { next: { $ref: '#/$defs/node' } } } },
    $defs: tree.$defs,
  });
  const remote = { type: 'object', properties: { port: { $ref: 'https://example.com/port' } } };
  expect(adaptSchema(remote, 'responses')).toBe(remote);
  expect(adaptSchema(undefined, 'messages')).toEqual({ type: 'object', properties: {} });
});
