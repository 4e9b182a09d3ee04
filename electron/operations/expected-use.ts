/** Estimates a request's usage in billable quantities. */
import { estimateTokens } from '../../shared/estimate-tokens.ts';
import { getNumber } from '../../shared/exact-number.ts';
import { getString, isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { findReferencedMedia } from '../../shared/media.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Quantities } from '../../shared/quantities.ts';

export type GetSeconds = (mediaId: string) => number | null;

type Expect = (sent: JsonObject, getSeconds: GetSeconds) => Quantities;

/** `sent` includes extra body fields; null means that only the response reveals the quantity. */
export const expectedUse: Record<OperationName, Expect> = {
  chat: ({ messages, tools, response_format, max_tokens, max_completion_tokens, n }) => ({
    inputTokens: getTokens(
      getMessageText(messages),
      toJsonText(tools),
      toJsonText(response_format),
    ),
    outputTokens: multiplyByCount(getNumber(max_completion_tokens) ?? getNumber(max_tokens), n),
    images: null,
    soundSeconds: null,
  }),
  completion: ({ prompt, suffix, max_tokens, n }) => ({
    inputTokens: getTokens(getString(prompt), getString(suffix)),
    outputTokens: multiplyByCount(getNumber(max_tokens), n),
  }),
  image: ({ contents, generationConfig }) => ({
    inputTokens: getTokens(
      getList(contents)
        .map(({ parts }) => getPartText(parts))
        .join(''),
    ),
    outputTokens: null,
    images: countImages(generationConfig),
  }),
  video: ({ duration, n }) => ({ videoSeconds: multiplyByCount(getNumber(duration), n) }),
  rerank: ({ query, documents }) => ({
    inputTokens: getTokens(getString(query), getPartText(documents)),
  }),
  embeddings: ({ input }) => ({ inputTokens: getTokens(getPartText(input)) }),
  speech: ({ input }) => ({ characters: Array.from(getString(input)).length, soundSeconds: null }),
  transcription({ file }, getSeconds) {
    const id = findReferencedMedia(getString(file));
    return { soundSeconds: id === null ? null : getSeconds(id) };
  },
  // Only the gateway knows the price of a console request.
  console: () => ({}),
};

function getTokens(...texts: string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + estimateTokens(text), 0));
}

/** Multiplies a limit by the number of answers, because each one may reach it. */
function multiplyByCount(each: number | null, n: JsonValue | undefined): number | null {
  return each === null ? null : Math.max(0, each) * Math.max(1, getNumber(n) ?? 1);
}

function countImages(config: JsonValue | undefined): number {
  if (!isJsonObject(config)) return 1;
  const { responseModalities, candidateCount } = config;
  const wantsNone = Array.isArray(responseModalities) && !responseModalities.includes('IMAGE');
  return wantsNone ? 0 : Math.max(1, getNumber(candidateCount) ?? 1);
}

function getMessageText(messages: JsonValue | undefined): string {
  return getList(messages)
    .map(({ content, tool_calls }) => getPartText(content) + toJsonText(tool_calls))
    .join('');
}

/** Concatenates a string, a list of strings, or text content parts, skipping files. */
function getPartText(content: JsonValue | undefined): string {
  if (!Array.isArray(content)) return getString(content);
  return content.map((part) => getString(isJsonObject(part) ? part.text : part)).join('');
}

function toJsonText(value: JsonValue | undefined): string {
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function getList(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
