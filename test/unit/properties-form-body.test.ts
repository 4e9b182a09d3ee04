import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectInput, editForm, writeShownBody } from '../../renderer/run/views/form-body.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { describeOperation, type FieldDescription } from '../../shared/operations/form/describe.ts';
import { FORMAT, findUnsentFields, listFormats } from '../../shared/operations/formats.ts';
import { type OperationName, operationNameSchema } from '../../shared/operations/operation-name.ts';
import { operations } from '../../shared/operations/operations.ts';
import { mergeParams, type Param, type Params } from '../../shared/param.ts';
import { inputs } from '../fixtures/property.ts';

const inPath = 'remix_video_id';

interface Settings {
  params: Params;
  extraBody: string;
}

/** Fields that each panel adds to a request. */
const ownFields: Record<OperationName, JsonObject> = {
  chat: { messages: [{ role: 'user', content: 'Hi' }] },
  completion: { prompt: 'Once', suffix: 'the end' },
  image: { contents: [{ role: 'user', parts: [{ text: 'A hill' }] }] },
  video: { prompt: 'A river' },
  rerank: { query: 'Which?', documents: ['One', 'Two'] },
  embeddings: { input: ['One'] },
  speech: { input: 'Hello' },
  transcription: { file: 'media:9f0c2f0a-7a51-4a0e-9d7c-0a1b2c3d4e5f' },
  console: {},
};

const samples: JsonValue[] = [
  ...[true, false, 1, 2, 0.5, 100, 'a', 'media:x', ['a'], { 5: 10 }],
  ...[{ include_usage: true }, { type: 'enabled', budget_tokens: 2000 }],
];

/** Generates the values that a field can send, each as set or as typed, and the field turned off. */
function paramsOf({ options, schema, startValue }: FieldDescription): fc.Arbitrary<Param> {
  const values = [...samples, ...options, options.slice(0, 2), startValue];
  const valid = values.filter(
    (value) =>
      schema.safeParse(value).success && !['""', '[]', '{}'].includes(JSON.stringify(value)),
  );
  if (valid.length === 0) return fc.constant({ off: true });
  const value = fc.constantFrom(...valid);
  return fc.oneof(
    value.map((set) => ({ value: set })),
    value.map((set) => ({ value: set, text: JSON.stringify(set) })),
    fc.constant({ off: true as const }),
  );
}

function settingsOf(name: OperationName, format: string): fc.Arbitrary<Settings> {
  const { fields, renamable } = describeOperation(name);
  const { fields: unsent } = findUnsentFields(name, { format });
  const { local } = operations[name];
  const isShown = (field: string) =>
    field !== FORMAT && field !== inPath && !unsent.has(field) && !local?.has(field);
  const all = fields
    .filter((field) => isShown(field.name))
    .map((field): [string, fc.Arbitrary<Param>] => {
      // The body shows a field that needs another one only while that one is on.
      const isNeeded = fields.some(({ needs }) => needs === field.name);
      return [field.name, isNeeded ? fc.constant({ value: true }) : paramsOf(field)];
    });
  const names = renamable.map((field) => [field.name, fc.constant({ as: `my_${field.name}` })]);
  const extra = fc.record(
    { top_k: fc.constant(40), mood: fc.constant('calm') },
    { requiredKeys: [] },
  );
  return fc
    .tuple(
      fc.record<Record<string, Param>>(Object.fromEntries(all), { requiredKeys: [] }),
      fc.record<Record<string, Param>>(Object.fromEntries(names), { requiredKeys: [] }),
      extra,
    )
    .map(([params, renamed, fields]) => ({
      params: { ...mergeParams(params, renamed), [FORMAT]: { value: format } },
      extraBody: Object.keys(fields).length === 0 ? '' : JSON.stringify(fields),
    }));
}

function openView(name: OperationName, values: Settings) {
  const described = describeOperation(name);
  const own = ownFields[name];
  const state = { values, model: 'm', own };
  const input = collectInput(described, state);
  const body = writeShownBody(name, input, new Map());
  const hold = (request: JsonObject) => ({ ...request, ...own });
  /** Returns the form after the user has replaced its JSON. */
  const write = (after: JsonObject): Settings => {
    const { fields } = editForm(described, state, { before: body, after, hold });
    const { params = {}, extraBody = values.extraBody } = fields;
    return { params: mergeParams(values.params, params), extraBody };
  };
  return { input, body, write };
}

const cases = operationNameSchema.options
  .filter((name) => name !== 'console')
  .flatMap((name) => {
    const formats = listFormats(name).map((format) => format.name);
    return (formats.length === 0 ? [''] : formats).map((format) => [name, format] as const);
  });

describe.each(cases)('the JSON of a %s form in format “%s”', (name, format) => {
  it('leaves the form as it is unless the user edits it', () => {
    fc.assert(
      fc.property(settingsOf(name, format), (values) => {
        const { body, write } = openView(name, values);
        expect(write(body)).toEqual(values);
      }),
      inputs(60),
    );
  });

  it('gives a new form the settings of the form whose JSON the user pastes', () => {
    fc.assert(
      fc.property(settingsOf(name, format), (values) => {
        const { input, body } = openView(name, values);
        const names = Object.entries(values.params).map(([field, { as = '' }]) => [field, { as }]);
        const chosen = { ...Object.fromEntries(names), [FORMAT]: { value: format } };
        const pasted = openView(
          name,
          openView(name, { params: chosen, extraBody: '' }).write(body),
        );
        expect(pasted.body).toEqual(body);
        // Other formats send some fields under one name.
        if (format === '') expect(pasted.input).toEqual(input);
      }),
      inputs(60),
    );
  });
});
