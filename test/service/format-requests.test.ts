/** Reads what each format sends for tools: the provider's own, and schemas in its dialect. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { writeBuiltInTools } from '../../shared/operations/chat/built-in-tools.ts';
import { startBench } from '../fixtures/run-operation.ts';
import { bodyOf, jsonReply } from '../fixtures/wire-server.ts';

const answer = jsonReply({ choices: [{ index: 0, message: { content: 'Hi' } }] });

async function sendTools(format: string | undefined, tools: JsonValue[]) {
  const bench = await startBench(({ send }) => send(answer));
  const messages = [{ role: 'user', content: 'Go' }];
  const request = { model: 'm', messages, tools, ...(format !== undefined && { format }) };
  await bench.run('chat', request);
  const [sent = ''] = bench.server.requests;
  return { path: sent.split(' ')[1], tools: bodyOf(sent).tools };
}

describe('the provider’s own tools', () => {
  it.each<[string, string, JsonObject, JsonObject]>([
    ['responses', 'webSearch', {}, { type: 'web_search' }],
    [
      'responses',
      'webSearch',
      { contextSize: 'low', allowedDomains: ['example.com'] },
      {
        type: 'web_search',
        search_context_size: 'low',
        filters: { allowed_domains: ['example.com'] },
      },
    ],
    [
      'responses',
      'code',
      { memory: '4g' },
      { type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } },
    ],
    [
      'responses',
      'fileSearch',
      { vectorStores: ['vs_1'], maxResults: 3 },
      { type: 'file_search', vector_store_ids: ['vs_1'], max_num_results: 3 },
    ],
    [
      'responses',
      'imageGeneration',
      { quality: 'low', size: '1024x1024', outputFormat: 'webp' },
      { type: 'image_generation', quality: 'low', size: '1024x1024', output_format: 'webp' },
    ],
    [
      'messages',
      'webSearch',
      { maxUses: 2, blockedDomains: ['example.com'], version: 'web_search_20260318' },
      {
        type: 'web_search_20260318',
        name: 'web_search',
        max_uses: 2,
        blocked_domains: ['example.com'],
      },
    ],
    [
      'messages',
      'webFetch',
      { maxContentTokens: 9000, citations: true },
      {
        type: 'web_fetch_20250910',
        name: 'web_fetch',
        max_content_tokens: 9000,
        citations: { enabled: true },
      },
    ],
    ['messages', 'code', {}, { type: 'code_execution_20250825', name: 'code_execution' }],
  ])('are sent by %s: %s %j', async (format, name, values, expected) => {
    const choices = [{ format, name, values }];
    const sent = await sendTools(format, writeBuiltInTools(choices, format));
    expect(sent).toEqual({ path: `/v1/${format}`, tools: [expected] });
    expect(writeBuiltInTools(choices, undefined)).toEqual([]);
  });

  it('aren’t sent without what the provider requires', async () => {
    const bench = await startBench(({ send }) => send(answer));
    const request = {
      format: 'responses',
      model: 'm',
      messages: [{ role: 'user', content: 'Go' }],
      tools: [{ type: 'file_search' }],
    };
    await expect(bench.run('chat', request)).rejects.toThrow('File search needs Vector store IDs.');
    expect(bench.server.requests).toEqual([]);
  });
});

describe('the schema of a tool', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    properties: {
      port: { $ref: '#/definitions/port' },
      day: { minimum: 0, exclusiveMinimum: true },
    },
    definitions: { port: { type: 'string' } },
  };
  const adapted = {
    type: 'object',
    properties: { port: { type: 'string' }, day: { exclusiveMinimum: 0 } },
  };
  const tool = { type: 'function', function: { name: 'tide', parameters: schema } };

  it.each<[string | undefined, JsonObject]>([
    [undefined, { type: 'function', function: { name: 'tide', parameters: adapted } }],
    ['messages', { name: 'tide', input_schema: adapted }],
    ['responses', { type: 'function', name: 'tide', parameters: adapted, strict: false }],
  ])('is sent in the dialect of %s', async (format, expected) => {
    expect((await sendTools(format, [tool])).tools).toEqual([expected]);
  });
});
