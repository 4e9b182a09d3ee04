import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readTyped } from '../../renderer/run/form/typed-value.ts';
import {
  checkDraft,
  type Draft,
  listOverriddenFields,
} from '../../renderer/run/form/validate-form.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { getChatRequestSchema } from '../../shared/operations/chat/request.ts';
import type { OperationDescription } from '../../shared/operations/form/describe.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { describedField as field } from '../fixtures/described-field.ts';

const slider = (name: string, minimum: number, maximum: number) =>
  field(name, { control: 'slider', minimum, maximum });
const operation: OperationDescription = {
  name: 'chat',
  objects: {},
  renamable: [],
  draft: { stream: true },
  fields: [
    ...[slider('temperature', 0, 2), slider('top_p', 0, 1), slider('presence_penalty', -2, 2)],
    field('n', { control: 'number', integer: true, minimum: 1 }),
    field('seed', { control: 'number', integer: true }),
    field('stream', { control: 'switch' }),
    field('reasoning_effort', { control: 'choice', options: ['low', 'medium', 'high'] }),
    field('modalities', { control: 'choices', options: ['text', 'audio'] }),
    field('stop', { control: 'lines' }),
    field('logit_bias', { control: 'json' }),
    field('input', { schema: z.string().max(4) }),
  ],
};

function draft(values: JsonObject, extraBody = ''): Draft {
  const params = Object.entries(values).map(([name, value]) => [name, { value }]);
  return { params: Object.fromEntries(params), extraBody };
}

function typed(name: string, text: string): Draft {
  return { params: { [name]: { text } }, extraBody: '' };
}

describe('checkDraft', () => {
  it.each<[string, Draft, object, object]>([
    ['set fields', draft({ stream: true, temperature: 0 }), { stream: true, temperature: 0 }, {}],
    ['no retired fields', draft({ retired: 1 }), {}, {}],
    ['extra fields', draft({}, '{"temperature": 9}'), {}, { temperature: 9 }],
  ])('sends %s', (_what, sent, request, extraBody) => {
    expect(checkDraft(operation, sent)).toEqual({ ok: true, request, extraBody });
  });

  const broken: [string, JsonValue, string][] = [
    ['temperature', 2.1, 'Enter a number from 0 to 2.'],
    ['temperature', -0.01, 'Enter a number from 0 to 2.'],
    ['top_p', 1.01, 'Enter a number from 0 to 1.'],
    ['presence_penalty', -2.5, 'Enter a number from -2 to 2.'],
    ['n', 0, 'Enter 1 or more.'],
    ['n', 1.5, 'Enter a whole number.'],
    ['seed', 0.5, 'Enter a whole number.'],
  ];
  it.each(broken)('rejects %s = %j with the message of the schema', (name, value, message) => {
    const errors = [{ path: [name], message }];
    expect(checkDraft(operation, draft({ [name]: value }))).toEqual({ ok: false, errors });
    const request = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], [name]: value };
    const parsed = getChatRequestSchema().safeParse(request);
    expect(parsed.error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  it.each<[string, Draft]>([
    ['reasoning_effort: Use low, medium or high.', draft({ reasoning_effort: 'extreme' })],
    ['modalities: Use text or audio.', draft({ modalities: ['smell'] })],
    ['input: Use at most 4 characters.', draft({ input: 'hello' })],
    ['stream: Enter true or false.', draft({ stream: 'yes' })],
    ['temperature: Enter a number.', typed('temperature', '1,5')],
    ['n: Enter a whole number.', typed('n', 'two')],
    ['logit_bias: Line 1, column 7: expected a value.', typed('logit_bias', '{"1": }')],
    ['logit_bias: Enter JSON, or reset the field.', typed('logit_bias', ' ')],
    ['extra_body: Enter a JSON object, such as {"top_k": 40}.', draft({}, '[1]')],
    ['extra_body: Line 3, column 1: trailing comma before }.', draft({}, '{\n  "a": 1,\n}')],
  ])('rejects a field with “%s”', (words, broken) => {
    const checked = checkDraft(operation, broken);
    const errors = checked.ok ? [] : checked.errors;
    expect(errors.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([words]);
  });

  it.each([
    ['7', '7'],
    ['+7', '7'],
    ['007', '7'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0.25', '-0.25'],
    ['1e3', '1000'],
    [' 9007199254740993 ', '9007199254740993'],
    ['-0009223372036854775809', '-9223372036854775809'],
    ['1000000000000000000000', '1000000000000000000000'],
    ['1.0000000000000000001', '1.0000000000000000001'],
    ['1E400', '1E400'],
  ])('reads a number typed as %j the way JSON writes it', (text, json) => {
    const read = readTyped(field('seed', { control: 'number' }), text);
    expect(JSON.stringify(read)).toBe(`{"ok":true,"value":${json}}`);
  });

  it.each(['', '-', '.', '1e', '0x10', '1_000', '12,5', 'Infinity', 'NaN'])(
    'rejects %j as a number',
    (text) => {
      expect(readTyped(field('seed', { control: 'number' }), text)).toMatchObject({ ok: false });
    },
  );

  it('allows a seed of any length, and compares every digit with the limits', () => {
    const long = draft({ seed: parseJson('9007199254740993') ?? null });
    const checked = checkDraft(operation, long);
    expect(JSON.stringify(checked)).toContain('"request":{"seed":9007199254740993}');
    const over = draft({ temperature: parseJson('2.0000000000000000001') ?? null });
    const error = { path: ['temperature'], message: 'Enter a number from 0 to 2.' };
    expect(checkDraft(operation, over)).toMatchObject({ errors: [error] });
  });

  it('reports every broken field at once', () => {
    const checked = checkDraft(operation, draft({ temperature: 3, n: 0 }, '[1]'));
    const names = checked.ok ? [] : checked.errors.map(({ path }) => path[0]);
    expect(names).toEqual(['temperature', 'n', 'extra_body']);
  });
});

it('finds form fields that an extra body field overrides', () => {
  const extraBody = '{"temperature": 1, "top_p": 1}';
  const overridden = listOverriddenFields(operation, draft({ temperature: 0.5 }, extraBody));
  expect(overridden).toEqual(['temperature']);
});
