/** What gateways call the endpoints that a model answers: `supported_endpoint_types` of the model list. */
import type { OperationName } from '../../shared/operations/operation-name.ts';

/** Words of new-api and its relatives, in lower case with hyphens. A text model answers both text endpoints. */
const operationsByType: Readonly<Record<string, readonly OperationName[]>> = {
  openai: ['chat', 'completion'],
  chat: ['chat'],
  'chat-completion': ['chat'],
  'chat-completions': ['chat'],
  completion: ['completion'],
  completions: ['completion'],
  gemini: ['image'],
  'openai-video': ['video'],
  video: ['video'],
  'video-generation': ['video'],
  'video-generations': ['video'],
  'jina-rerank': ['rerank'],
  rerank: ['rerank'],
  speech: ['speech'],
  tts: ['speech'],
  'audio-speech': ['speech'],
  'openai-speech': ['speech'],
  transcription: ['transcription'],
  transcriptions: ['transcription'],
  stt: ['transcription'],
  'audio-transcription': ['transcription'],
  'audio-transcriptions': ['transcription'],
  'openai-transcription': ['transcription'],
};

/** Null where the gateway says nothing about the model. A type that is not known is no endpoint of ours. */
export function fitsOperation(
  types: readonly string[] | null,
  operation: OperationName,
): boolean | null {
  if (types === null || types.length === 0) return null;
  return types.some((type) => {
    const word = type
      .toLowerCase()
      .replace(/^\/?v1(beta)?\//, '')
      .replace(/[/_\s]+/g, '-');
    return operationsByType[word]?.includes(operation) ?? false;
  });
}
