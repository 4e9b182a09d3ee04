/** Finds the operation and format that a pasted request is written for. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { OperationName } from '../operations/operation-name.ts';
import type { PastedBody } from './pasted-request.ts';

export interface PastedTarget {
  operation: Exclude<OperationName, 'console'>;
  /** The name of the format; empty for the operation's own. */
  format: string;
  /** The model in the path; null if it is in the body. */
  model: string | null;
  /** A generateContent request without images, which Chat sends in its own format. */
  isGeminiChat: boolean;
}

type Endpoint = Pick<PastedTarget, 'operation' | 'format'>;

const endpoints: readonly [pattern: RegExp, endpoint: Endpoint][] = [
  [/\/chat\/completions$/, { operation: 'chat', format: '' }],
  [/\/completions$/, { operation: 'completion', format: '' }],
  [/\/responses$/, { operation: 'chat', format: 'responses' }],
  [/(?<!\/threads\/[^/]+)\/messages$/, { operation: 'chat', format: 'messages' }],
  [/\/embeddings$/, { operation: 'embeddings', format: '' }],
  [/\/rerank$/, { operation: 'rerank', format: '' }],
  [/\/ranking$/, { operation: 'rerank', format: 'ranking' }],
  [/\/images\/(?:generations|edits)$/, { operation: 'image', format: 'images' }],
  [/\/video\/generations$/, { operation: 'video', format: '' }],
  [/\/videos(?:\/[^/]+\/remix)?$/, { operation: 'video', format: 'videos' }],
  [/\/audio\/speech$/, { operation: 'speech', format: '' }],
  [/\/audio\/transcriptions$/, { operation: 'transcription', format: '' }],
];
const GEMINI = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** Returns null for a request that only the Console can send. */
export function detectTarget(
  method: string,
  url: string | null,
  body: PastedBody,
): PastedTarget | null {
  if (method !== 'POST') return null;
  const path = url === null ? null : (url.split(/[?#]/, 1)[0] ?? '').replace(/(?<!\/)\/+$/, '');
  if (path === null) return body.kind === 'json' ? detectBody(body.value) : null;
  const fields = body.kind === 'json' && isJsonObject(body.value) ? body.value : null;
  const gemini = GEMINI.exec(path);
  if (gemini !== null) {
    return fields === null ? null : detectGemini(fields, decodeModel(gemini[1] ?? ''));
  }
  const endpoint = endpoints.find(([pattern]) => pattern.test(path))?.[1];
  if (endpoint === undefined || (fields === null && body.kind !== 'form')) return null;
  if (body.kind === 'form' && !takesForms.has(endpoint.operation)) return null;
  // Two formats have the same path.
  const isTexts = endpoint.operation === 'rerank' && Array.isArray(fields?.texts);
  const format = isTexts ? 'texts' : endpoint.format;
  return { ...endpoint, format, model: null, isGeminiChat: false };
}

const takesForms: ReadonlySet<OperationName> = new Set(['transcription', 'image', 'video']);

/** Guesses the endpoint of a body without a URL from its fields. */
function detectBody(value: JsonValue): PastedTarget | null {
  if (!isJsonObject(value)) return null;
  if (isContents(value.contents)) return detectGemini(value, null);
  const endpoint = detectFields(value);
  return endpoint && { ...endpoint, model: null, isGeminiChat: false };
}

function detectGemini(body: JsonObject, model: string | null): PastedTarget | null {
  if (body.contents === undefined) return null;
  const makesImages = isImageRequest(body) || (model !== null && /image/i.test(model));
  if (makesImages) return { operation: 'image', format: '', model, isGeminiChat: false };
  return { operation: 'chat', format: '', model, isGeminiChat: true };
}

function isImageRequest({ generationConfig, generation_config: snake }: JsonObject): boolean {
  const config = isJsonObject(generationConfig) ? generationConfig : snake;
  if (!isJsonObject(config)) return false;
  const modalities = config.responseModalities ?? config.response_modalities;
  const wantsImages =
    Array.isArray(modalities) && modalities.some((name) => /^image$/i.test(String(name)));
  return wantsImages || isJsonObject(config.imageConfig);
}

function detectFields(body: JsonObject): Endpoint | null {
  const model = typeof body.model === 'string' ? body.model : '';
  if (isMessages(body.messages)) {
    return { operation: 'chat', format: isAnthropic(body, model) ? 'messages' : '' };
  }
  if (model === '') return null;
  if ('query' in body && Array.isArray(body.documents)) return { operation: 'rerank', format: '' };
  if ('input' in body) return detectInput(body, model);
  return typeof body.prompt === 'string' ? detectPrompt(body, model) : null;
}

function detectInput(body: JsonObject, model: string): Endpoint | null {
  const { input } = body;
  const isText = typeof input === 'string';
  if (isText && 'voice' in body) return { operation: 'speech', format: '' };
  const isVectors =
    hasAny(body, ['dimensions', 'encoding_format', 'input_type']) ||
    /embed|bge-|e5-|minilm/i.test(model) ||
    (Array.isArray(input) && input.length > 0 && !input.every(isJsonObject));
  if (isVectors) return { operation: 'embeddings', format: '' };
  return isText || Array.isArray(input) ? { operation: 'chat', format: 'responses' } : null;
}

const videoFields = ['duration', 'seconds', 'fps', 'last_frame'];
const imageFields = ['size', 'quality', 'style', 'background', 'output_format'];
const textFields = ['max_tokens', 'suffix', 'echo', 'best_of', 'stop', 'logprobs', 'temperature'];

function detectPrompt(body: JsonObject, model: string): Endpoint | null {
  if (hasAny(body, textFields)) return { operation: 'completion', format: '' };
  if (/sora|veo|video|kling|hailuo|seedance|-[ti]2v/i.test(model) || hasAny(body, videoFields)) {
    return { operation: 'video', format: 'seconds' in body ? 'videos' : '' };
  }
  if (/image|dall-e|flux|imagen|seedream|diffusion/i.test(model) || hasAny(body, imageFields)) {
    return { operation: 'image', format: 'images' };
  }
  return /instruct|davinci|babbage|fim|coder|base/i.test(model)
    ? { operation: 'completion', format: '' }
    : null;
}

function hasAny(body: JsonObject, names: readonly string[]): boolean {
  return names.some((name) => name in body);
}

const anthropicTypes: ReadonlySet<JsonValue | undefined> = new Set([
  ...['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'document'],
]);

function isAnthropic(body: JsonObject, model: string): boolean {
  if ('system' in body || 'stop_sequences' in body || 'anthropic_version' in body) return true;
  const messages = listObjects(body.messages);
  if (messages.some(({ role }) => role !== 'user' && role !== 'assistant')) return false;
  const parts = messages.flatMap(({ content }) => listObjects(content));
  if (parts.some(({ type, source }) => anthropicTypes.has(type) || isJsonObject(source)))
    return true;
  if (listObjects(body.tools).some((tool) => 'input_schema' in tool)) return true;
  return /^claude/i.test(model) && 'max_tokens' in body;
}

function isMessages(value: JsonValue | undefined): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isJsonObject(item) && typeof item.role === 'string')
  );
}

function isContents(value: JsonValue | undefined): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isJsonObject(item) && Array.isArray(item.parts))
  );
}

function listObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function decodeModel(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
