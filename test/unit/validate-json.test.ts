import { describe, expect, it } from 'vitest';
import { validateJson } from '../../renderer/features/chat/log/answer/validate-json.ts';
import { getSchema } from '../../renderer/features/chat/options/check-definitions.ts';

const schema = {
  type: 'object',
  properties: { a: { type: 'integer' }, list: { type: 'array', items: { enum: ['x'] } } },
  required: ['a'],
  additionalProperties: false,
};

describe('validateJson', () => {
  it('accepts a matching answer and rejects text', async () => {
    expect(await validateJson('{"a": 1, "list": ["x"]}', schema)).toEqual({ kind: 'fits' });
    expect(await validateJson('Sure! {"a": 1}', schema)).toEqual({
      kind: 'not-json',
      message: 'Line 1, column 1: expected a value.',
    });
    expect(await validateJson('```json\n{"a": 1}\n```', schema)).toEqual({
      kind: 'not-json',
      message: 'It’s inside a code fence.',
    });
  });

  it('returns only the innermost violations', async () => {
    const fit = await validateJson('{"a": "1", "list": ["y"], "more": 2}', schema);
    const paths = fit.kind === 'misfits' ? fit.misfits.map(({ path }) => path) : [];
    expect(paths.sort()).toEqual(['/a', '/list/0', '/more']);
  });

  it.each([
    ['{}', '', '"a" is missing.'],
    ['{"a": "1"}', '/a', 'Expected "integer", got "string".'],
    ['{"a": 1, "list": ["y"]}', '/list/0', 'This value does not match any of ["x"].'],
  ])('describes the problem of %s', async (text, path, message) => {
    const misfits = [{ path, message }];
    expect(await validateJson(text, schema)).toEqual({ kind: 'misfits', misfits });
  });

  it('follows references within the schema', async () => {
    const recursive = { $defs: { n: { type: 'number' } }, prefixItems: [{ $ref: '#/$defs/n' }] };
    expect(await validateJson('[1]', recursive)).toEqual({ kind: 'fits' });
    expect(await validateJson('["1"]', recursive)).toMatchObject({ kind: 'misfits' });
  });

  it('never fetches a remote reference', async () => {
    expect(await validateJson('1', { $ref: 'http://127.0.0.1:9/schema.json' })).toMatchObject({
      kind: 'bad-schema',
      message: expect.stringContaining('http://127.0.0.1:9/schema.json'),
    });
  });
});

it.each([
  [
    { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'array' } } },
    { type: 'array' },
  ],
  [{ type: 'json_schema', json_schema: { type: 'array' } }, { type: 'array' }],
  [{ type: 'json_object' }, null],
  [undefined, null],
])('finds the schema in %j', (format, expected) => {
  expect(getSchema(format)).toEqual(expected);
});
