import { expect, it } from 'vitest';
import {
  createOffSwitches,
  findSchemaProblem,
  getDefaults,
  listSchemaFields,
  toParams,
} from '../../renderer/run/mcp/schema-fields.ts';
import type { JsonObject } from '../../shared/json.ts';
import { findSecretFields } from '../../shared/mcp-activity.ts';

const getField = (property: JsonObject) =>
  listSchemaFields({ type: 'object', properties: { it: property } })[0];

it.for<[JsonObject, object]>([
  [{ type: 'string' }, { control: 'multiline', title: 'it' }],
  [
    { type: 'string', format: 'email', title: 'E-mail' },
    { control: 'text', title: 'E-mail' },
  ],
  [
    { type: 'string', enum: ['a', 'b'] },
    { control: 'choice', options: ['a', 'b'] },
  ],
  [
    { type: 'string', enum: ['a'], enumNames: ['First'] },
    { control: 'choice', options: ['a'], suggestions: [{ value: 'a', name: 'First' }] },
  ],
  [
    { type: 'string', oneOf: [{ const: 'a', title: 'First' }] },
    { control: 'choice', options: ['a'], suggestions: [{ value: 'a', name: 'First' }] },
  ],
  [
    { type: 'integer', minimum: 1 },
    { control: 'number', integer: true, minimum: 1 },
  ],
  [
    { type: 'boolean', default: true },
    { control: 'switch', gatewayDefault: true },
  ],
  [{ type: 'array', items: { type: 'string' } }, { control: 'lines' }],
  [
    { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] } },
    { control: 'choices', options: ['x'], suggestions: [{ value: 'x', name: 'X' }] },
  ],
  [
    { type: 'array', items: { type: 'number' } },
    { control: 'json', startValue: [] },
  ],
  [{ type: 'object' }, { control: 'json', startValue: {} }],
  [{ enum: [1, 2] }, { control: 'json' }],
  [{ type: ['string', 'null'] }, { control: 'json' }],
])('edits %j with %j', ([property, expected]) => {
  expect(getField(property)).toMatchObject(expected);
});

it('has no fields for a schema without properties, or with broken ones', () => {
  expect(listSchemaFields({ type: 'object' })).toEqual([]);
  expect(listSchemaFields({ properties: 'none', required: 'all' })).toEqual([]);
});

it('names the first field that can’t be sent', () => {
  const fields = listSchemaFields({
    properties: { city: { type: 'string' }, count: { type: 'integer', maximum: 9 } },
    required: ['city'],
  });
  expect(findSchemaProblem(fields, {})).toBe('Enter city.');
  expect(findSchemaProblem(fields, { city: { value: 'Oslo' }, count: { text: 'many' } })).toBe(
    'count: Enter a whole number.',
  );
  expect(findSchemaProblem(fields, toParams({ city: 'Oslo', count: 12 }))).toMatch(/^count: /);
  expect(findSchemaProblem(fields, toParams({ city: 'Oslo', count: 3, more: {} }))).toBeNull();
});

it('starts with the defaults', () => {
  const fields = listSchemaFields({
    properties: { a: { type: 'integer', default: 42 }, b: { type: 'string' } },
  });
  expect(getDefaults(fields)).toEqual({ a: { value: 42 } });
});

it('sends a required switch as off until the user turns it on', () => {
  const properties = { a: { type: 'boolean' }, b: { type: 'boolean' } };
  const fields = listSchemaFields({ properties, required: ['a'] });
  expect(createOffSwitches(fields)).toEqual({ a: { value: false } });
});

it.for<[string, JsonObject, boolean]>([
  ['password', {}, true],
  ['apiKey', {}, true],
  ['auth', { title: 'Access token' }, true],
  ['code', { format: 'password' }, true],
  ['value', { writeOnly: true }, true],
  ['max_tokens', { title: 'Most tokens' }, false],
  ['keyboard', { title: 'Shopping' }, false],
  ['passage', { title: 'Secretary' }, false],
])('tells whether the field %s with %j asks for a secret: %s', ([name, property, isSecret]) => {
  const schema = { properties: { [name]: { type: 'string', ...property } } };
  expect(findSecretFields(schema)).toHaveLength(isSecret ? 1 : 0);
});
