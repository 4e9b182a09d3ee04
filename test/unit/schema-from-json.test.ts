import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRounded } from '../../shared/parse-json.ts';
import { createSchemaFromJson } from '../../shared/schema-from-json.ts';
import { inputs } from '../fixtures/property.ts';

it('describes fields, lists and values of different types', () => {
  const ada = { id: 1, name: 'Ada', tags: ['x'], score: 1.5 };
  const properties = {
    id: { type: 'integer' },
    name: { type: ['string', 'null'] },
    score: { type: 'number' },
    tags: { type: 'array', items: { type: 'string' } },
  };
  const required = ['id', 'name', 'tags', 'score'];
  const items = { type: 'object', properties, required, additionalProperties: false };
  const schema = createSchemaFromJson([ada, { id: 2, name: null, tags: [], score: 2 }]);
  expect(schema).toEqual({ type: 'array', items });
});

it('requires only fields that every item has', () => {
  expect(createSchemaFromJson([{ a: 1, b: 1 }, { a: 2 }])).toMatchObject({
    items: { properties: { b: { type: 'integer' } }, required: ['a'] },
  });
});

it('makes a schema that accepts its own example', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = parseRounded(text) ?? null;
      const schema = parseRounded(JSON.stringify(createSchemaFromJson(value)));
      const validator = new Validator(schema as object, '2020-12');
      expect(validator.validate(value)).toMatchObject({ valid: true });
    }),
    inputs(100),
  );
});
