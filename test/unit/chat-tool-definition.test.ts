import { describe, expect, it } from 'vitest';
import {
  checkSchemaDefinition,
  checkTool,
} from '../../renderer/features/chat/options/check-definitions.ts';
import {
  checkJsonSchema,
  createProblem,
} from '../../renderer/features/chat/options/check-json-schema.ts';
import { schemaTemplates } from '../../renderer/features/chat/options/schema-templates.ts';
import { createTool, exampleTool } from '../../renderer/features/chat/session/option-examples.ts';
import { listProblems, readJson } from '../../renderer/ui/json-editor/json-problems.ts';
import { type JsonValue, toJson } from '../../shared/json.ts';

const tool = (definition: JsonValue) => ({ type: 'function', function: definition });
const words = (value: JsonValue, others: string[] = []) =>
  checkTool(value, others).map(({ path, severity }) => `${severity} ${path.join('.')}`);

describe('a tool definition', () => {
  it('accepts the example', () => {
    expect(checkTool(toJson(exampleTool), [])).toEqual([]);
  });

  it.each<[string, JsonValue, string[]]>([
    ['is an object', [], ['error ']],
    ['has the type function', { type: 'tool', function: { name: 'a' } }, ['error type']],
    ['has a function', { type: 'function' }, ['error function']],
    ['has a name', tool({ name: ' ' }), ['error function.name']],
    ['has a name that gateways take', tool({ name: 'a b' }), ['warning function.name']],
    ['describes itself', tool({ name: 'a', description: 1 }), ['error function.description']],
    ['has a schema', tool({ name: 'a', parameters: [] }), ['error function.parameters']],
    [
      'is an object',
      tool({ name: 'a', parameters: { type: 'string' } }),
      ['warning function.parameters'],
    ],
  ])('%s', (_, value, expected) => {
    expect(words(value)).toEqual(expected);
  });

  it('requires a unique name', () => {
    expect(words(tool({ name: 'a' }), ['a'])).toEqual(['error function.name']);
  });
});

describe('a JSON Schema', () => {
  it.each<[string, JsonValue, string[]]>([
    ['unknown types', { type: 'objekt' }, ['type']],
    ['unknown types in a list', { type: ['string', 1] }, ['type']],
    ['properties that are a list', { properties: [] }, ['properties']],
    [
      'what stands deep inside',
      { properties: { a: { items: { minimum: '1' } } } },
      ['properties.a.items.minimum'],
    ],
    ['required beside a property', { required: true }, ['required']],
    ['required names that are not there', { properties: {}, required: ['a'] }, ['required.0']],
    ['an empty enum', { enum: [] }, ['enum']],
    ['patterns that are none', { pattern: '(' }, ['pattern']],
    ['a tuple in items', { items: [{ type: 'string' }] }, ['items']],
    ['counts below 0', { minLength: -1 }, ['minLength']],
    ['lists of schemas that are none', { anyOf: {} }, ['anyOf']],
    ['references to nothing', { items: { $ref: '#/$defs/a' }, $defs: {} }, ['items.$ref']],
  ])('marks %s', (_, schema, paths) => {
    expect(checkJsonSchema(schema).map(({ path }) => path.join('.'))).toEqual(paths);
  });

  it('accepts unknown keywords', () => {
    const $defs = { 'a/b': { $ref: '#' } };
    expect(checkJsonSchema({ 'x-mine': 1, $ref: '#/$defs/a~1b', $defs })).toEqual([]);
    expect(checkJsonSchema(true)).toEqual([]);
  });
});

it.each([
  ['1', { ok: true, value: 1, warnings: [{ message: 'odd' }] }],
  ['{"a": }', { ok: false, problems: [{ message: expect.stringContaining('Line 1, column 7') }] }],
])('allows warnings, and points to invalid JSON: %s', (text, expected) => {
  const read = readJson(text, () => [{ path: [], message: 'odd', severity: 'warning' }]);
  expect(read).toMatchObject(expected);
});

it('lists the first problems, errors before warnings', () => {
  const check = () => [
    ...Array.from({ length: 30 }, (_, at) => createProblem([at], 'odd', 'warning')),
    createProblem(['a'], 'wrong'),
  ];
  const { problems, hiddenCount } = listProblems('{}', check);
  expect(problems[0]?.message).toBe('wrong');
  expect(problems.length + hiddenCount).toBe(31);
});

it.each([
  [[], 'get_weather'],
  [['get_weather'], 'get_weather_2'],
  [['get_weather', 'get_weather_2', 'look_up'], 'get_weather_3'],
])('creates a valid tool with a free name next to %j', (takenNames, name) => {
  const tool = createTool(takenNames);
  expect(tool.function.name).toBe(name);
  expect(checkTool(tool as unknown as JsonValue, takenNames)).toEqual([]);
});

it('warns about keywords that strict modes reject, in strict schemas only', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, list: { type: 'array', items: { type: 'object' } } },
    required: ['a'],
    additionalProperties: false,
  };
  const warned = checkSchemaDefinition({ name: 'x', strict: true, schema });
  expect(warned.map(({ path, severity }) => `${path.join('.')} ${severity}`)).toEqual([
    'schema.properties warning',
    'schema.properties.list.items warning',
  ]);
  expect(checkSchemaDefinition({ name: 'x', schema })).toEqual([]);
  const list = { type: 'array', items: { anyOf: [{ type: 'object' }] } };
  const inList = checkSchemaDefinition({ name: 'x', strict: true, schema: list });
  expect(inList.map(({ path }) => path.join('.'))).toEqual(['schema', 'schema.items.anyOf.0']);
});

it.each(schemaTemplates)(
  'offers a template that strict modes accept: $name',
  ({ name, schema }) => {
    expect(checkSchemaDefinition({ name, strict: true, schema })).toEqual([]);
  },
);
