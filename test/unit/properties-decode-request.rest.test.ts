import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { type OperationName, operationNameSchema } from '../../shared/operations/operation-name.ts';
import { operations, requestSchemas } from '../../shared/operations/operations.ts';
import { writeBody } from '../../shared/operations/write-request.ts';
import { inputs, jsonValue } from '../fixtures/property.ts';
import { again, conversation, decode, media, tools } from './support/decoding.ts';

/** Generates valid values for the fields with a control, within their options and limits. */
function requestsOf(name: OperationName, format: string): fc.Arbitrary<JsonObject> {
  const messages = fc
    .subarray(conversation.slice(1), { minLength: 1 })
    .map((chosen) => [...conversation.slice(0, 1), ...chosen]);
  const required: Partial<Record<OperationName, fc.Arbitrary<JsonObject>>> = {
    chat: messages.map((list) => ({ messages: list })),
    image: fc.record({
      contents: fc.constantFrom<JsonValue>(
        [{ role: 'user', parts: [{ text: 'A' }] }],
        [{ role: 'user', parts: [{ inlineData: { data: media } }, { text: 'A' }] }],
      ),
      ...(format === '' && { generationConfig: fc.constant({ responseModalities: ['IMAGE'] }) }),
    }),
    embeddings: fc.constant({ input: ['a', { image: media }] }),
    rerank: fc.constant({ query: 'q', documents: ['a', { text: 'b' }] }),
    speech: fc.constant({ input: 'a' }),
    transcription: fc.constant({ file: media }),
    completion: fc.constant({ prompt: 'a', suffix: 'b' }),
    video: fc.record(
      {
        prompt: fc.constant('p'),
        image: fc.constantFrom('https://a/b.png', media),
        images: fc.constant(['https://a/c.png', media]),
        metadata: fc.constant({ style: 'x', more: { a: [1] } }),
      },
      { requiredKeys: ['prompt'] },
    ),
  };
  const fields: Record<string, fc.Arbitrary<JsonValue>> = {};
  const values: JsonObject = {
    temperature: 0.5,
    top_p: 0.5,
    presence_penalty: 1,
    frequency_penalty: -1,
    seed: 7,
    max_tokens: 5,
    max_completion_tokens: 6,
    stop: ['a'],
    n: 2,
    stream: true,
    store: true,
    stream_options: { include_usage: true },
    tools,
    tool_choice: 'auto',
    user: 'u',
    parallel_tool_calls: false,
    reasoning_effort: 'high',
    reasoning_summary: 'auto',
    thinking: { type: 'enabled', budget_tokens: 9 },
    cache_control: true,
    logprobs: true,
    top_logprobs: 2,
    safety_identifier: 's',
    logit_bias: { 1: -100 },
    modalities: ['text'],
    include: ['reasoning.encrypted_content'],
    response_format: { type: 'json_object' },
    duration: 4,
    width: 10,
    height: 20,
    fps: 3,
    dimensions: 3,
    encoding_format: 'float',
    top_n: 1,
    return_documents: true,
    voice: 'v',
    instructions: 'i',
    speed: 2,
    language: 'en',
    timestamp_granularities: ['word', 'segment'],
    size: '1x1',
    quality: 'q',
    background: 'auto',
    output_format: 'png',
    partial_images: 2,
    echo: true,
  };
  const { shape } = requestSchemas[name];
  for (const [field, value] of Object.entries(values)) {
    const schema = shape[field];
    if (schema === undefined || value === undefined) continue;
    if ('safeParse' in schema && !schema.safeParse(value).success) continue;
    fields[field] = fc.constant(value);
  }
  const optional = fc.record(fields, { requiredKeys: [] });
  return fc.tuple(required[name] ?? fc.constant({}), optional).map(([own, parameters]) => ({
    model: 'gpt-5',
    ...parameters,
    ...own,
    ...(format !== '' && { format }),
  }));
}

const cases = operationNameSchema.options
  .filter((name) => name !== 'console')
  .flatMap((name) =>
    ['', ...(operations[name].formats ?? []).map((format) => format.name)].map(
      (format) => [name, format] as const,
    ),
  );

describe.each(cases)('%s in format “%s”', (name, format) => {
  it('reproduces every body that it writes, with any extra fields', () => {
    const names = fc.constantFrom('top_k', 'seed', 'a', 'metadata', 'model');
    const extra = fc.dictionary(names, jsonValue);
    fc.assert(
      fc.property(requestsOf(name, format), extra, (request, extraBody) => {
        const body = writeBody(operations[name], { request, extraBody, wireNames: {} });
        const { model = '' } = request;
        const read = decode(name, body, { format, current: { model } });
        expect(writeBody(operations[name], read)).toEqual(body);
      }),
      inputs(80),
    );
  });

  it('finds a field for everything that a form can send', () => {
    fc.assert(
      fc.property(requestsOf(name, format), (request) => {
        const body = writeBody(operations[name], { request, extraBody: {}, wireNames: {} });
        const { model = '' } = request;
        const isModelInPath = body.model === undefined;
        const read = decode(name, body, { format });
        expect(read).toMatchObject({ extraBody: {}, wireNames: {}, problems: [] });
        expect(isModelInPath || read.request.model === model).toBe(true);
      }),
      inputs(80),
    );
  });

  it('reads any object without failing, and writes back its fields', () => {
    const { shape } = requestSchemas[name];
    const known = 'input instructions system text reasoning image image[] size x'.split(' ');
    const names = fc.constantFrom(...Object.keys(shape), ...known);
    fc.assert(
      fc.property(fc.dictionary(names, jsonValue), (body) => {
        const { extraBody } = decode(name, body, { format });
        const sent = again(name, body, { format });
        for (const [field, value] of Object.entries(extraBody)) expect(sent[field]).toEqual(value);
      }),
      inputs(150),
    );
  });
});
