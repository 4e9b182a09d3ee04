/** Derives a model's operations from the endpoint types and modalities that the gateway lists. */
import type { JsonObject } from '../../shared/json.ts';
import type { Modality, ModelFacts } from '../../shared/model-facts.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { readPath, readWords } from './model-facts.ts';
import { endpointTypesPath, typeFlagPaths, typePaths } from './model-field-paths.ts';

/** new-api and its forks use kebab case; `other` maps to no endpoint that Gatehouse supports. */
const operationByType: ReadonlyMap<string, OperationName | 'other'> = new Map(
  Object.entries<OperationName | 'other'>({
    chat: 'chat',
    'chat-completion': 'chat',
    'chat-completions': 'chat',
    anthropic: 'chat',
    messages: 'chat',
    'openai-response': 'chat',
    responses: 'chat',
    language: 'chat',
    code: 'chat',
    llm: 'chat',
    vlm: 'chat',
    completion: 'completion',
    completions: 'completion',
    'openai-video': 'video',
    video: 'video',
    'video-generation': 'video',
    'video-generations': 'video',
    'jina-rerank': 'rerank',
    rerank: 'rerank',
    speech: 'speech',
    tts: 'speech',
    'audio-speech': 'speech',
    'openai-speech': 'speech',
    transcription: 'transcription',
    transcriptions: 'transcription',
    stt: 'transcription',
    transcribe: 'transcription',
    'audio-transcription': 'transcription',
    'audio-transcriptions': 'transcription',
    'openai-transcription': 'transcription',
    embedding: 'embeddings',
    embeddings: 'embeddings',
    moderation: 'other',
    moderations: 'other',
    image: 'image',
    'image-generation': 'image',
    'images-generations': 'image',
    'images-edits': 'image',
  }),
);

/** A model of one of these types may also support the other one. */
const textTypes: readonly string[] = ['chat', 'completion'];

/** The first match wins; null means that no panel can run the model. */
const operationByName: readonly (readonly [RegExp, OperationName | null])[] = [
  // Rerankers come before embeddings, so that `bge-reranker-v2-m3` counts as a reranker.
  [/rerank/, 'rerank'],
  [/embed|\b(bge|gte|m3e)\b/, 'embeddings'],
  [/moderation|realtime|\bsuno|\bmusic/, null],
  [/whisper|transcri|\basr\b|\bstt\b|sensevoice|paraformer/, 'transcription'],
  [/\btts\b|speech|cosyvoice/, 'speech'],
  [/\bsora|\bveo|video|kling|seedance|hailuo|\bvidu|\bwan-?\d/, 'video'],
  [
    /image|banana|dall-e|flux|diffusion|\bsd(xl|3)|midjourney|\bmj_|cogview|recraft|seedream|seededit|ideogram|kolors|jimeng/,
    'image',
  ],
  [/^(text-)?(ada|babbage|curie|davinci)\b|-turbo-instruct/, 'completion'],
  [
    /gpt|\bo[134]\b|claude|gemini|gemma|deepseek|qwen|qwq|llama|mi[sx]tral|glm|grok|kimi|moonshot|doubao|ernie|hunyuan|minimax|command-r|\bphi\b|chat|instruct/,
    'chat',
  ],
];

type Known = { id: string; endpointTypes: readonly string[] | null; facts?: ModelFacts | null };

/** Returns null if the gateway doesn't say whether the model supports the operation. */
export function fitsOperation(
  { id, endpointTypes, facts = null }: Known,
  operation: OperationName,
): boolean | null {
  const byType = endpointTypes?.length ? fitsTypes(id, endpointTypes, operation) : null;
  return byType ?? fitsModalities(facts?.inputs ?? null, facts?.outputs ?? null, operation);
}

/**
 * Returns null if unclear, because new-api lists `openai` for whole channels and `gemini` for whole
 * model families.
 */
function fitsTypes(
  id: string,
  endpointTypes: readonly string[],
  operation: OperationName,
): boolean | null {
  const words = endpointTypes.map(normalizeType);
  const typed = words.flatMap((word) => operationByType.get(word) ?? []);
  if (typed.includes(operation)) return true;
  const named = guessOperation(id);
  if (operation === 'image' && words.includes('gemini')) {
    return named === 'image' || words.includes('image-generation') ? true : null;
  }
  if (typed.some((type) => !textTypes.includes(type))) return false;
  if (!words.includes('openai')) {
    return typed.length > 0 && textTypes.includes(operation) ? null : false;
  }
  if (named === operation) return true;
  if (operation === 'chat') return named === undefined ? true : null;
  return operation === 'completion' ? null : false;
}

function fitsModalities(
  inputs: readonly Modality[] | null,
  outputs: readonly Modality[] | null,
  operation: OperationName,
): boolean | null {
  if (outputs === null) return null;
  const writes = outputs.includes('text');
  switch (operation) {
    case 'chat':
      return writes;
    case 'completion':
      return writes ? null : false;
    case 'image':
    case 'video':
      return outputs.includes(operation);
    case 'speech':
      if (!outputs.includes('audio')) return false;
      return writes ? null : true;
    case 'transcription':
      return writes && (inputs === null || inputs.includes('audio')) ? null : false;
    // Rerankers and embedding models state no modality for scores and vectors.
    case 'rerank':
    case 'embeddings':
    case 'console':
      return null;
  }
}

/** The endpoint types of each format; new-api calls chat completions `openai`. */
const typesByFormat: Partial<Record<OperationName, Record<string, readonly string[]>>> = {
  chat: {
    '': ['openai', 'chat', 'chat-completion', 'chat-completions'],
    messages: ['anthropic', 'messages'],
    responses: ['openai-response', 'responses'],
  },
  image: {
    '': ['gemini'],
    images: ['openai', 'image', 'image-generation', 'images-generations', 'images-edits'],
  },
};

/** Only the Images API serves these models. */
const IMAGES_MODEL = /(?:^|\/)(?:gpt-image|chatgpt-image|dall-e)-/i;

/**
 * Returns a model's format, or an empty string for the operation's default format; null if the
 * gateway doesn't say.
 */
export function findFormat(
  { id, endpointTypes }: Pick<Known, 'id' | 'endpointTypes'>,
  operation: OperationName,
): string | null {
  const words = endpointTypes?.map(normalizeType) ?? [];
  const formats = Object.entries(typesByFormat[operation] ?? {}).flatMap(([format, types]) =>
    words.some((word) => types.includes(word)) ? [format] : [],
  );
  if (operation === 'image' && formats.length === 0 && IMAGES_MODEL.test(id)) return 'images';
  return formats[0] ?? null;
}

/** Returns null if no type is known; new-api's own field is returned unfiltered. */
export function readEndpointTypes(row: JsonObject): string[] | null {
  const stated = readPath(row, endpointTypesPath);
  if (Array.isArray(stated)) return stated.filter((type) => typeof type === 'string');
  const types = [
    ...typePaths.flatMap(([path]) => readWords(readPath(row, path))),
    ...typeFlagPaths.flatMap(([path, , type]) => (readPath(row, path) === true ? type : [])),
  ].filter((type) => operationByType.has(normalizeType(type)));
  return types.length > 0 ? [...new Set(types)] : null;
}

/** Converts a path such as `/v1/audio/speech` to `audio-speech`. */
function normalizeType(type: string): string {
  return type
    .toLowerCase()
    .replace(/^\/?v1(beta)?\//, '')
    .replace(/[/_\s]+/g, '-');
}

/** Returns undefined for an unknown name and null for a model that no panel can run. */
export function guessOperation(id: string): OperationName | null | undefined {
  const name = id.toLowerCase();
  return operationByName.find(([pattern]) => pattern.test(name))?.[1];
}
