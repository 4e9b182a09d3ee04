/** Lists the field names that gateways use for model facts; each line names its gateways. */
import type { Modality } from '../../shared/model-facts.ts';
import type { RateName } from '../../shared/prices.ts';

/** Paths into a row of a model list, in order of preference. */
export type FieldPath = readonly [path: string, source: string];

const openRouter = 'https://openrouter.ai/docs/api-reference/list-available-models';
const liteLlm = 'https://docs.litellm.ai/docs/provider_registration/add_model_pricing';
const lmStudio = 'https://lmstudio.ai/docs/developer/rest/endpoints';
const llamaCpp = 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md';
const mistral = 'https://docs.mistral.ai/api/endpoint/models';
const groq = 'https://console.groq.com/docs/models';
const together = 'https://docs.together.ai/reference/models-1';
const vllm = 'https://docs.vllm.ai/en/latest/api/vllm/entrypoints/openai/protocol.html';
const gemini = 'https://ai.google.dev/api/models';
const ollama = 'https://github.com/ollama/ollama/blob/main/docs/api.md';
const novita = 'https://novita.ai/docs/api-reference/model-apis-llm-list-models';
const deepInfra = 'https://deepinfra.com/docs/openai_api';
const xinference =
  'https://inference.readthedocs.io/en/latest/reference/generated/xinference.client.Client.list_models.html';
const moonshot = 'https://platform.moonshot.ai/docs/api/list-models';
const fireworks = 'https://docs.fireworks.ai/api-reference/list-models';
const requesty = 'https://docs.requesty.ai/api-reference/endpoint/models-list';
const venice = 'https://docs.venice.ai/api-reference/endpoint/models/list';
const gitHub = 'https://docs.github.com/en/rest/models/catalog';
const vercel = 'https://vercel.com/docs/ai-gateway/models-and-providers';
const perplexity = 'https://docs.perplexity.ai/api-reference/gateway-models-get';

/** A loaded context comes first, because requests are limited by it. */
export const contextPaths: readonly FieldPath[] = [
  ['loaded_context_length', lmStudio],
  ['meta.n_ctx', llamaCpp],
  ['default_generation_settings.n_ctx', llamaCpp],
  ['top_provider.context_length', openRouter],
  ['context_length', openRouter],
  ['context_window', groq],
  ['max_model_len', vllm],
  ['meta.max_model_len', vllm],
  ['max_context_length', mistral],
  ['context_size', novita],
  ['metadata.context_length', deepInfra],
  ['model_spec.availableContextTokens', venice],
  ['max_input_tokens', liteLlm],
  ['limits.max_input_tokens', gitHub],
  ['inputTokenLimit', gemini],
  ['input_token_limit', gemini],
  ['meta.n_ctx_train', llamaCpp],
  ['details.context_length', ollama],
];

export const outputPaths: readonly FieldPath[] = [
  ['top_provider.max_completion_tokens', openRouter],
  ['max_completion_tokens', groq],
  ['max_output_tokens', liteLlm],
  ['max_output_length', openRouter],
  ['limits.max_output_tokens', gitHub],
  ['model_spec.maxCompletionTokens', venice],
  ['metadata.max_tokens', deepInfra],
  ['outputTokenLimit', gemini],
  ['output_token_limit', gemini],
  ['max_tokens', vercel],
];

/** Lists of modalities, which are also read from `text+image->text`. */
export const inputPaths: readonly FieldPath[] = [
  ['architecture.input_modalities', openRouter],
  ['input_modalities', novita],
  ['supported_input_modalities', gitHub],
  ['modalities.input', vercel],
];
export const generatedPaths: readonly FieldPath[] = [
  ['architecture.output_modalities', openRouter],
  ['output_modalities', novita],
  ['supported_output_modalities', gitHub],
  ['modalities.output', vercel],
];
export const modalityPaths: readonly FieldPath[] = [
  ['architecture.modality', openRouter],
  ['modality', openRouter],
];

export type Flag = 'tools' | 'reasoning' | `${'in' | 'out'}:${Modality}`;

/** Boolean fields that tell whether a model has a capability. */
export const flagPaths: readonly (readonly [...FieldPath, Flag])[] = [
  ['supports_function_calling', liteLlm, 'tools'],
  ['supports_tools', fireworks, 'tools'],
  ['supports_tool_calling', requesty, 'tools'],
  ['capabilities.function_calling', mistral, 'tools'],
  ['capabilities.trained_for_tool_use', lmStudio, 'tools'],
  ['model_spec.capabilities.supportsFunctionCalling', venice, 'tools'],
  ['supports_reasoning', liteLlm, 'reasoning'],
  ['capabilities.reasoning', mistral, 'reasoning'],
  ['model_spec.capabilities.supportsReasoning', venice, 'reasoning'],
  ['thinking', gemini, 'reasoning'],
  ['supports_vision', liteLlm, 'in:image'],
  ['supports_image_in', moonshot, 'in:image'],
  ['supports_image_input', fireworks, 'in:image'],
  ['capabilities.vision', mistral, 'in:image'],
  ['modalities.vision', llamaCpp, 'in:image'],
  ['model_spec.capabilities.supportsVision', venice, 'in:image'],
  ['supports_audio_input', liteLlm, 'in:audio'],
  ['modalities.audio', llamaCpp, 'in:audio'],
  ['capabilities.audio', mistral, 'in:audio'],
  ['model_spec.capabilities.supportsAudioInput', venice, 'in:audio'],
  ['supports_video_in', moonshot, 'in:video'],
  ['supports_video_input', liteLlm, 'in:video'],
  ['model_spec.capabilities.supportsVideoInput', venice, 'in:video'],
  ['supports_pdf_input', liteLlm, 'in:file'],
  ['supports_audio_output', liteLlm, 'out:audio'],
  ['supports_image_output', requesty, 'out:image'],
];

/** Fields that list capabilities by name. */
export const wordListPaths: readonly FieldPath[] = [
  ['supported_parameters', openRouter],
  ['supported_features', openRouter],
  ['capabilities', ollama],
  ['features', novita],
  ['tags', vercel],
  ['metadata.tags', deepInfra],
  ['model_ability', xinference],
  ['type', lmStudio],
];
export const flagByWord: Readonly<Record<string, Flag>> = {
  tools: 'tools',
  tool_use: 'tools',
  'tool-use': 'tools',
  'tool-calling': 'tools',
  tool_calling: 'tools',
  'function-calling': 'tools',
  function_calling: 'tools',
  reasoning: 'reasoning',
  thinking: 'reasoning',
  vision: 'in:image',
  vlm: 'in:image',
  multimodal: 'in:image',
  'image-input': 'in:image',
  'audio-input': 'in:audio',
  'file-input': 'in:file',
  'image-generation': 'out:image',
};
/** If one of these lists lacks `tools`, the model doesn't support tools. */
export const completeLists: ReadonlySet<string> = new Set([
  'supported_parameters',
  'supported_features',
]);

/**
 * The unit of a rate. Gateways give rates per token and per million tokens under the same names;
 * `readRates` tells them apart by their size.
 */
export type Unit = 'token' | 'million tokens' | 'ten-thousandth per million' | 'character';

export const tokenRatePaths: readonly (readonly [...FieldPath, RateName, Unit])[] = [
  ['pricing.prompt', openRouter, 'inputPerMillionTokens', 'token'],
  ['pricing.completion', openRouter, 'outputPerMillionTokens', 'token'],
  ['pricing.input_cache_read', openRouter, 'cachedInputPerMillionTokens', 'token'],
  ['pricing.input_cache_write', openRouter, 'cacheWritePerMillionTokens', 'token'],
  ['pricing.input_cache_write_1h', openRouter, 'hourCacheWritePerMillionTokens', 'token'],
  ['pricing.input', together, 'inputPerMillionTokens', 'token'],
  ['pricing.output', together, 'outputPerMillionTokens', 'token'],
  ['pricing.cached_input', together, 'cachedInputPerMillionTokens', 'token'],
  ['pricing.cache_read', perplexity, 'cachedInputPerMillionTokens', 'token'],
  ['input_cost_per_token', liteLlm, 'inputPerMillionTokens', 'token'],
  ['output_cost_per_token', liteLlm, 'outputPerMillionTokens', 'token'],
  ['cache_read_input_token_cost', liteLlm, 'cachedInputPerMillionTokens', 'token'],
  ['cache_creation_input_token_cost', liteLlm, 'cacheWritePerMillionTokens', 'token'],
  ['cache_creation_input_token_cost_above_1hr', liteLlm, 'hourCacheWritePerMillionTokens', 'token'],
  ['input_price', requesty, 'inputPerMillionTokens', 'token'],
  ['output_price', requesty, 'outputPerMillionTokens', 'token'],
  ['cached_price', requesty, 'cachedInputPerMillionTokens', 'token'],
  ['caching_price', requesty, 'cacheWritePerMillionTokens', 'token'],
  ['metadata.pricing.input_tokens', deepInfra, 'inputPerMillionTokens', 'million tokens'],
  ['metadata.pricing.output_tokens', deepInfra, 'outputPerMillionTokens', 'million tokens'],
  [
    'metadata.pricing.cache_read_tokens',
    deepInfra,
    'cachedInputPerMillionTokens',
    'million tokens',
  ],
  ['model_spec.pricing.input.usd', venice, 'inputPerMillionTokens', 'million tokens'],
  ['model_spec.pricing.output.usd', venice, 'outputPerMillionTokens', 'million tokens'],
  ['model_spec.pricing.cache_input.usd', venice, 'cachedInputPerMillionTokens', 'million tokens'],
  ['input_token_price_per_m', novita, 'inputPerMillionTokens', 'ten-thousandth per million'],
  ['output_token_price_per_m', novita, 'outputPerMillionTokens', 'ten-thousandth per million'],
  ['input_cost_per_character', liteLlm, 'perMillionCharacters', 'character'],
];

/** Only in this field does 0 mean free; elsewhere, it can also mean an unknown price. */
export const freePath = 'pricing.prompt';

/** Rates of models that aren't billed by token, by the gateway's name for their task. */
export const mediaRatePaths: readonly (readonly [
  ...FieldPath,
  RateName,
  mode: string,
  factor: number,
])[] = [
  ['output_cost_per_image', liteLlm, 'perImage', 'image_generation', 1],
  ['output_cost_per_video_per_second', liteLlm, 'perVideoSecond', 'video_generation', 1],
  ['output_cost_per_second', liteLlm, 'perVideoSecond', 'video_generation', 1],
  ['input_cost_per_second', liteLlm, 'perSoundMinute', 'audio_transcription', 60],
  ['output_cost_per_second', liteLlm, 'perSoundMinute', 'audio_speech', 60],
];

/** The types that gateways of the new-api family list for each model: https://docs.newapi.pro */
export const endpointTypesPath = 'supported_endpoint_types';

/** Other names of a model's task; used only if `endpoint-types.ts` knows them. */
export const typePaths: readonly FieldPath[] = [
  ['endpoints', novita],
  ['mode', liteLlm],
  ['type', together],
  ['model_type', xinference],
];

/** Fields that are true for models of an endpoint type. */
export const typeFlagPaths: readonly (readonly [...FieldPath, type: string])[] = [
  ['capabilities.completion_chat', mistral, 'chat'],
  ['capabilities.completion_fim', mistral, 'completion'],
  ['capabilities.audio_transcription', mistral, 'transcription'],
  ['capabilities.audio_speech', mistral, 'speech'],
];
