/** Which operations a listed model answers: by `supported_endpoint_types` and, where those say too little, its name. */
import type { OperationName } from '../../shared/operations/operation-name.ts';

/** Words of new-api and its relatives, in lower case with hyphens; `other` for endpoints that Gatehouse does not use. */
const operationByType: ReadonlyMap<string, OperationName | 'other'> = new Map(
  Object.entries<OperationName | 'other'>({
    chat: 'chat',
    'chat-completion': 'chat',
    'chat-completions': 'chat',
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
    'audio-transcription': 'transcription',
    'audio-transcriptions': 'transcription',
    'openai-transcription': 'transcription',
    embedding: 'other',
    embeddings: 'other',
    moderation: 'other',
    moderations: 'other',
    'image-generation': 'other',
    'images-generations': 'other',
  }),
);

/** Beside these, a model may answer another text endpoint. */
const textTypes: readonly string[] = ['chat', 'completion'];

/** What a name gives away; the first that matches counts. Null for what no panel can run. */
const operationByName: readonly (readonly [RegExp, OperationName | null])[] = [
  // `bge-reranker-v2-m3` is of a family that otherwise embeds.
  [/rerank/, 'rerank'],
  [/embed|\b(bge|gte|m3e)\b|moderation|realtime|\bsuno|\bmusic/, null],
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

/**
 * Null if that is not clear. `openai` alone says little: new-api gives it to every model of an ordinary
 * channel, also to those that only draw, speak or embed, and lists their own type beside it at best.
 * `gemini` is the address that draws, but every text model of that family answers there too.
 */
export function fitsOperation(
  { id, endpointTypes }: { id: string; endpointTypes: readonly string[] | null },
  operation: OperationName,
): boolean | null {
  if (endpointTypes === null || endpointTypes.length === 0) return null;
  const words = endpointTypes.map(typeWord);
  const typed = words.flatMap((word) => operationByType.get(word) ?? []);
  if (typed.includes(operation)) return true;
  const named = operationOfName(id);
  if (operation === 'image' && words.includes('gemini')) {
    return named === 'image' || words.includes('image-generation') ? true : null;
  }
  if (typed.some((type) => !textTypes.includes(type)) || !words.includes('openai')) return false;
  if (named === operation) return operation !== 'image';
  if (operation === 'chat') return named === undefined ? true : null;
  return operation === 'completion' ? null : false;
}

/** Without the path and in one spelling: `/v1/audio/speech` is `audio-speech`. */
function typeWord(type: string): string {
  return type
    .toLowerCase()
    .replace(/^\/?v1(beta)?\//, '')
    .replace(/[/_\s]+/g, '-');
}

/** Undefined if the name gives nothing away, null for what no panel can run. */
export function operationOfName(id: string): OperationName | null | undefined {
  const name = id.toLowerCase();
  return operationByName.find(([pattern]) => pattern.test(name))?.[1];
}
