/** What a request is expected to use, as prices count it, before it is sent: counted from what it says. */
import { getNumber } from '../../shared/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { referencedMedia } from '../../shared/media-reference.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Quantities } from '../../shared/quantities.ts';

/** About so many of a text make a token, in most languages and models. */
const CHARACTERS_PER_TOKEN = 4;

/** Of a file in the media store; null if that cannot be known. */
export type GetSeconds = (mediaId: string) => number | null;

type Expect = (sent: JsonObject, getSeconds: GetSeconds) => Quantities;

/**
 * As the quantities of a run: null for what only the answer says. `sent`: the request with its extra body fields. Never
 * throws, whatever those hold.
 */
export const expectedUse: Record<OperationName, Expect> = {
  chat: ({ messages, tools, response_format, max_tokens, max_completion_tokens, n }) => ({
    inputTokens: getTokens(messageTexts(messages), jsonText(tools), jsonText(response_format)),
    outputTokens: timesAnswers(getNumber(max_completion_tokens) ?? getNumber(max_tokens), n),
    images: null,
    soundSeconds: null,
  }),
  completion: ({ prompt, suffix, max_tokens, n }) => ({
    inputTokens: getTokens(getText(prompt), getText(suffix)),
    outputTokens: timesAnswers(getNumber(max_tokens), n),
  }),
  image: ({ contents, generationConfig }) => ({
    inputTokens: getTokens(
      getList(contents)
        .map(({ parts }) => partTexts(parts))
        .join(''),
    ),
    outputTokens: null,
    images: imageCount(generationConfig),
  }),
  video: ({ duration, n }) => ({ videoSeconds: timesAnswers(getNumber(duration), n) }),
  rerank: ({ query, documents }) => ({
    inputTokens: getTokens(getText(query), partTexts(documents)),
  }),
  speech: ({ input }) => ({ characters: Array.from(getText(input)).length, soundSeconds: null }),
  transcription({ file }, getSeconds) {
    const id = referencedMedia(getText(file));
    return { soundSeconds: id === null ? null : getSeconds(id) };
  },
  // What its requests are billed by is the gateway's own.
  console: () => ({}),
};

function getTokens(...texts: string[]): number {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Each of several answers may be as long. */
function timesAnswers(each: number | null, n: JsonValue | undefined): number | null {
  return each === null ? null : Math.max(0, each) * Math.max(1, getNumber(n) ?? 1);
}

/** One for each candidate, unless the configuration wants none. */
function imageCount(config: JsonValue | undefined): number {
  if (!isJsonObject(config)) return 1;
  const { responseModalities, candidateCount } = config;
  const wantsNone = Array.isArray(responseModalities) && !responseModalities.includes('IMAGE');
  return wantsNone ? 0 : Math.max(1, getNumber(candidateCount) ?? 1);
}

function messageTexts(messages: JsonValue | undefined): string {
  return getList(messages)
    .map(({ content, tool_calls }) => partTexts(content) + jsonText(tool_calls))
    .join('');
}

/** The text of a text, of a list of texts, or of parts that have one; files are not counted. */
function partTexts(content: JsonValue | undefined): string {
  if (!Array.isArray(content)) return getText(content);
  return content.map((part) => getText(isJsonObject(part) ? part.text : part)).join('');
}

function getText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function jsonText(value: JsonValue | undefined): string {
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function getList(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
