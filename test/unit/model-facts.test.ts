import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readEndpointTypes } from '../../electron/models/endpoint-types.ts';
import { parseVoices } from '../../electron/models/model-details.ts';
import { readModelFacts } from '../../electron/models/model-facts.ts';
import { parseModels } from '../../electron/models/model-list.ts';
import type { JsonObject } from '../../shared/json.ts';
import { type ModelFacts, modalitySchema, noFacts, toRates } from '../../shared/model-facts.ts';
import type { Rates } from '../../shared/prices.ts';

/** Parses facts such as `text image > text +tools`: inputs, outputs and supported features. */
function facts(
  contextTokens: number,
  outputTokens: number | null = null,
  abilities = '',
  rates: Rates | null = null,
): ModelFacts {
  const knows = (name: string) =>
    abilities.includes(`+${name}`) || (abilities.includes(`-${name}`) ? false : null);
  const [inputs = null, outputs = null] = abilities
    .replace(/[-+]\w+/g, '')
    .split('>')
    .map((kinds) => z.array(modalitySchema).nullable().parse(kinds.match(/\w+/g)));
  return {
    ...noFacts,
    contextTokens,
    outputTokens,
    inputs,
    outputs,
    rates,
    tools: knows('tools'),
    reasoning: knows('reasoning'),
  };
}
const perMillion = (input: number, output: number, cached: number | null = null) =>
  toRates({
    inputPerMillionTokens: input,
    outputPerMillionTokens: output,
    cachedInputPerMillionTokens: cached,
  });
const priced = (rates: Partial<Rates>): ModelFacts => ({ ...noFacts, rates: toRates(rates) });

/** Shortened rows of real gateways. */
const rows: [gateway: string, row: JsonObject, expected: ModelFacts][] = [
  [
    'OpenRouter',
    {
      id: 'openai/gpt-4o-mini',
      context_length: 128000,
      architecture: {
        modality: 'text+image+file->text',
        input_modalities: ['text', 'image', 'file'],
        output_modalities: ['text'],
      },
      pricing: {
        prompt: '0.00000015',
        completion: '0.0000006',
        request: '0',
        image: '0.000217',
        input_cache_read: '0.000000075',
      },
      top_provider: { context_length: 128000, max_completion_tokens: 16384, is_moderated: true },
      supported_parameters: ['max_tokens', 'response_format', 'tool_choice', 'tools'],
    },
    facts(128000, 16384, 'text image file > text +tools', perMillion(0.15, 0.6, 0.075)),
  ],
  [
    'OpenRouter, with only the older modality, no tools and a limit that is null',
    {
      context_length: 8192,
      architecture: { modality: 'text+image->text' },
      top_provider: { context_length: null, max_completion_tokens: null },
      supported_parameters: ['max_tokens', 'temperature'],
    },
    facts(8192, null, 'text image > text -tools'),
  ],
  [
    'LiteLLM',
    {
      mode: 'chat',
      max_tokens: 4096,
      max_input_tokens: 128000,
      max_output_tokens: 16384,
      input_cost_per_token: 2.5e-6,
      output_cost_per_token: 1e-5,
      cache_read_input_token_cost: 1.25e-6,
      output_cost_per_image: null,
      supports_function_calling: true,
      supports_vision: true,
      supports_audio_input: null,
      supports_reasoning: null,
    },
    facts(128000, 16384, 'text image +tools', perMillion(2.5, 10, 1.25)),
  ],
  [
    'OpenRouter, with prices of the cache',
    {
      pricing: {
        prompt: '0.000002',
        completion: '0.00001',
        input_cache_write: '0.0000025',
        input_cache_write_1h: '0.000004',
      },
    },
    priced({
      inputPerMillionTokens: 2,
      outputPerMillionTokens: 10,
      cacheWritePerMillionTokens: 2.5,
      hourCacheWritePerMillionTokens: 4,
    }),
  ],
  [
    'LiteLLM, with prices of the cache',
    {
      input_cost_per_token: 3e-6,
      cache_creation_input_token_cost: 3.75e-6,
      cache_creation_input_token_cost_above_1hr: 6e-6,
    },
    priced({
      inputPerMillionTokens: 3,
      cacheWritePerMillionTokens: 3.75,
      hourCacheWritePerMillionTokens: 6,
    }),
  ],
  [
    'LiteLLM, for a model whose price it does not know',
    { mode: 'chat', max_input_tokens: null, input_cost_per_token: 0, output_cost_per_token: 0 },
    noFacts,
  ],
  [
    'LiteLLM, for transcription',
    { mode: 'audio_transcription', input_cost_per_second: 0.0001, output_cost_per_second: 0 },
    priced({ perSoundMinute: 0.006 }),
  ],
  [
    'LiteLLM, for speech',
    { mode: 'audio_speech', input_cost_per_character: 1.5e-5 },
    priced({ perMillionCharacters: 15 }),
  ],
  [
    'LiteLLM, for video',
    { mode: 'video_generation', output_cost_per_video_per_second: 0.1 },
    priced({ perVideoSecond: 0.1 }),
  ],
  [
    'LiteLLM, images',
    { mode: 'image_generation', output_cost_per_image: 0.04 },
    priced({ perImage: 0.04 }),
  ],
  ['vLLM', { owned_by: 'vllm', max_model_len: 32768 }, facts(32768)],
  [
    'llama.cpp, trained for more',
    { owned_by: 'llamacpp', meta: { n_ctx_train: 131072, n_params: 8e9 } },
    facts(131072),
  ],
  [
    'llama.cpp’s /props',
    { default_generation_settings: { n_ctx: 4096 }, modalities: { vision: true, audio: false } },
    facts(4096, null, 'text image'),
  ],
  [
    'LM Studio',
    {
      type: 'vlm',
      state: 'loaded',
      max_context_length: 131072,
      loaded_context_length: 8192,
      capabilities: ['tool_use'],
    },
    facts(8192, null, 'text image +tools'),
  ],
  [
    'Mistral',
    {
      type: 'base',
      max_context_length: 131072,
      capabilities: {
        completion_chat: true,
        function_calling: true,
        vision: false,
        completion_fim: false,
      },
    },
    facts(131072, null, 'text +tools'),
  ],
  [
    'Groq',
    { context_window: 131072, max_completion_tokens: 32768, active: true },
    facts(131072, 32768),
  ],
  [
    'Together, per million tokens',
    {
      type: 'chat',
      context_length: 131072,
      pricing: { hourly: 0, input: 0.88, output: 0.88, base: 0, finetune: 0 },
    },
    facts(131072, null, '', perMillion(0.88, 0.88)),
  ],
  [
    'Together, for a model that is not billed by the token',
    { type: 'image', pricing: { hourly: 0, input: 0, output: 0, base: 0, finetune: 0 } },
    noFacts,
  ],
  [
    'the Vercel AI gateway, per token under the names of Together',
    {
      context_window: 200000,
      max_tokens: 64000,
      tags: ['tool-use', 'vision', 'reasoning'],
      pricing: { input: '0.000003', output: '0.000015', input_cache_read: '0.0000003' },
    },
    facts(200000, 64000, 'text image +tools +reasoning', perMillion(3, 15, 0.3)),
  ],
  [
    'Chutes, per million tokens under the names of OpenRouter',
    { max_model_len: 163840, pricing: { prompt: 0.3, completion: 1.2 } },
    facts(163840, null, '', perMillion(0.3, 1.2)),
  ],
  [
    'DeepInfra',
    {
      metadata: {
        context_length: 131072,
        max_tokens: 16384,
        pricing: { input_tokens: 0.23, output_tokens: 0.4 },
        tags: ['vision'],
      },
    },
    facts(131072, 16384, 'text image', perMillion(0.23, 0.4)),
  ],
  [
    'Novita',
    {
      context_size: 131072,
      max_output_tokens: 32768,
      input_token_price_per_m: 4000,
      output_token_price_per_m: 16000,
      features: ['function-calling'],
      input_modalities: ['text'],
      output_modalities: ['text'],
    },
    facts(131072, 32768, 'text > text +tools', perMillion(0.4, 1.6)),
  ],
  [
    'Moonshot',
    { context_length: 262144, supports_image_in: true, supports_reasoning: true },
    facts(262144, null, 'text image +reasoning'),
  ],
  [
    'Venice',
    {
      model_spec: {
        availableContextTokens: 65536,
        capabilities: { supportsVision: false, supportsFunctionCalling: true },
        pricing: { input: { usd: 0.5 }, output: { usd: 2 } },
      },
    },
    facts(65536, null, 'text +tools', perMillion(0.5, 2)),
  ],
  [
    'GitHub Models',
    {
      limits: { max_input_tokens: 131072, max_output_tokens: 16384 },
      capabilities: ['streaming', 'tool-calling'],
      supported_input_modalities: ['text', 'image', 'audio'],
      supported_output_modalities: ['text'],
    },
    facts(131072, 16384, 'text image audio > text +tools'),
  ],
  [
    'Gemini',
    { inputTokenLimit: 1048576, outputTokenLimit: 65536, thinking: true },
    facts(1048576, 65536, '+reasoning'),
  ],
  [
    'Ollama',
    { capabilities: ['completion', 'vision', 'tools', 'thinking'], context_length: 131072 },
    facts(131072, null, 'text image +tools +reasoning'),
  ],
  [
    'Xinference',
    { model_type: 'LLM', context_length: 32768, model_ability: ['chat', 'vision', 'tools'] },
    facts(32768, null, 'text image +tools'),
  ],
];

describe('model facts', () => {
  it.each(rows)('reads the facts of %s', (_gateway, row, expected) => {
    expect(readModelFacts(row) ?? noFacts).toEqual(expected);
  });

  it.each<[string, JsonObject, Rates | null]>([
    ['a negative price, as of a router', { pricing: { prompt: '-1', completion: '-1' } }, null],
    ['one negative price', { pricing: { prompt: '0.000001', completion: '-1' } }, null],
    ['an absurd price', { pricing: { prompt: 50_000, completion: 1 } }, null],
    ['words in place of a price', { pricing: { prompt: 'free', completion: '' } }, null],
    ['a list in place of prices', { pricing: [{ prompt: '0.1' }] }, null],
    ['a price that is null', { pricing: { prompt: null, completion: null } }, null],
    ['a cached price alone', { pricing: { input_cache_read: '0.000001' } }, null],
    ['a free model', { pricing: { prompt: '0', completion: '0' } }, perMillion(0, 0)],
    [
      'a high price',
      { pricing: { prompt: '0.00015', completion: '0.0006' } },
      perMillion(150, 600),
    ],
  ])('reads the price of %s', (_name, row, rates) => {
    expect(readModelFacts(row)?.rates ?? null).toEqual(rates);
  });

  it.each<[string, JsonObject, number | null]>([
    ['text with digits', { context_length: '8192' }, 8192],
    ['a fraction', { context_length: 8192.5 }, 8192],
    ['zero', { context_length: 0 }, null],
    ['a negative number', { context_length: -1 }, null],
    ['2^63', { context_length: 2 ** 63 }, null],
    ['an object', { context_length: { max: 1 } }, null],
    ['a bad value before a good one', { context_length: -1, max_model_len: 4096 }, 4096],
    ['a field of the prototype', { meta: JSON.parse('{"__proto__":{"n_ctx":1}}') }, null],
  ])('reads the context from %s', (_name, row, contextTokens) => {
    expect(readModelFacts(row)?.contextTokens ?? null).toBe(contextTokens);
  });

  it('ignores an output limit beyond the context', () => {
    const read = readModelFacts({ context_length: 4096, max_output_tokens: 100_000 });
    expect(read).toEqual(facts(4096));
  });

  it('merges llama.cpp’s two lists', () => {
    const models = parseModels(
      JSON.stringify({
        models: [{ name: 'a.gguf', capabilities: ['completion', 'multimodal'] }],
        object: 'list',
        data: [{ id: 'a.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 4096 } }],
      }),
    );
    const known = facts(4096, null, 'text image');
    expect(models).toEqual([
      { id: 'a.gguf', ownedBy: 'llamacpp', endpointTypes: null, facts: known },
    ]);
  });
});

it.each<[string, JsonObject, string[] | null]>([
  ['new-api', { supported_endpoint_types: ['openai', 'made-up'] }, ['openai', 'made-up']],
  ['LiteLLM', { mode: 'audio_speech' }, ['audio_speech']],
  ['LiteLLM, with a mode that no panel has', { mode: 'search' }, null],
  ['Together', { type: 'transcribe' }, ['transcribe']],
  ['Mistral', { type: 'base', capabilities: { completion_chat: true } }, ['chat']],
  ['Novita', { endpoints: ['chat/completions', 'anthropic'] }, ['chat/completions', 'anthropic']],
  ['OpenRouter', { id: 'a' }, null],
])('reads endpoint types from %s', (_gateway, row, types) => {
  expect(readEndpointTypes(row)).toEqual(types);
});

it.each<[string, string, string]>([
  ['names', '{"voices":["af_bella","am_adam"]}', 'af_bella - -, am_adam - -'],
  ['objects', '{"voices":[{"id":"v1","name":"Vera"}]}', 'v1 Vera -'],
  ['Mistral’s items', '{"items":[{"id":"7f","name":"Nick","model":"vox"}]}', '7f Nick vox'],
  ['labels and values', '{"voices":[{"label":"Em","value":"e.wav"}]}', 'e.wav Em -'],
  ['a bare list', '["a","a",null,7,{}]', 'a - -'],
  ['an error', '{"error":{"message":"no"}}', ''],
  ['a list of models', '{"data":[{"id":"gpt-4o","object":"model"}]}', ''],
])('reads voices from %s', (_name, text, voices) => {
  const read = parseVoices(JSON.parse(text)).map(({ id, name, model }) => [id, name, model]);
  expect(read.map((parts) => parts.map((part) => part ?? '-').join(' ')).join(', ')).toBe(voices);
});
