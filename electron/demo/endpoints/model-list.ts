/**
 * Implements `GET /v1/models`, and `POST /v1/fine-tunes`, which the API documents as not
 * implemented.
 */
import type { ModelFacts } from '../../../shared/model-facts.ts';
import { type DemoExchange, sendJson } from '../exchange.ts';
import { demoModels, findDemoFacts } from '../models.ts';
import { DemoError } from '../requests.ts';

const CREATED = 1_767_225_600;

/** The endpoint types that gateways of this kind report. */
const ENDPOINT_TYPES = {
  chat: ['openai'],
  completion: ['completions'],
  image: ['gemini', 'image-generation'],
  video: ['openai-video'],
  rerank: ['jina-rerank'],
  embeddings: ['embeddings'],
  speech: ['audio-speech'],
  transcription: ['audio-transcription'],
} as const satisfies Record<Exclude<keyof typeof demoModels, 'console'>, readonly string[]>;

export async function answerModelList({ response }: DemoExchange): Promise<void> {
  const typesById = new Map<string, string[]>();
  for (const operation of Object.keys(ENDPOINT_TYPES) as (keyof typeof ENDPOINT_TYPES)[]) {
    for (const { id } of demoModels[operation]) {
      typesById.set(id, [...(typesById.get(id) ?? []), ...ENDPOINT_TYPES[operation]]);
    }
  }
  sendJson(response, 200, {
    object: 'list',
    data: [...typesById].map(([id, types]) => ({
      id,
      object: 'model',
      created: CREATED,
      owned_by: 'demo',
      supported_endpoint_types: types,
      ...encodeFacts(findDemoFacts(id)),
    })),
  });
}

/** Uses OpenRouter's field names, without prices: https://openrouter.ai/docs/api-reference */
function encodeFacts(facts: ModelFacts | null) {
  if (facts === null) return {};
  const { contextTokens, outputTokens, inputs, outputs, tools, reasoning } = facts;
  const parameters = [
    ...(tools ? ['tools', 'tool_choice'] : []),
    ...(reasoning ? ['reasoning'] : []),
  ];
  return {
    ...(contextTokens !== null && {
      context_length: contextTokens,
      top_provider: { max_completion_tokens: outputTokens },
      supported_parameters: ['max_tokens', 'temperature', ...parameters],
    }),
    architecture: {
      input_modalities: inputs ?? undefined,
      output_modalities: outputs ?? undefined,
    },
  };
}

export async function answerFineTunes({ request }: DemoExchange): Promise<void> {
  request.resume();
  throw new DemoError(501, 'API not implemented', {
    type: 'invalid_request_error',
    param: '',
    code: 'api_not_implemented',
  });
}
