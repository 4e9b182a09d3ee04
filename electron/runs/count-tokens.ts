/** Asks a gateway for the exact input tokens of a chat request, which isn't billed or recorded. */
import { appError, UserFacingError } from '../../shared/errors.ts';
import { getNumber } from '../../shared/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { getChatRequestSchema } from '../../shared/operations/chat/request.ts';
import { moveTo, toHttp } from '../../shared/operations/write-request.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { ResolvedConnection } from '../connections/custom-connections.ts';
import type { Network } from '../gateway/network.ts';
import { resolveTarget } from '../gateway/wire-request.ts';
import type { MediaStore } from '../media/media-store.ts';
import { requestDocument } from '../models/model-list.ts';
import { checkInput } from '../operations/check-input.ts';
import { toJsonText } from '../operations/execute-json.ts';
import { inlineFileRefs, inlineMedia } from '../operations/inline-media.ts';
import { getOwnEndpoint, withEndpoint } from './create-run-context.ts';
import type { PreviewInput } from './preview-request.ts';

interface CountOptions {
  media: MediaStore;
  network: Network;
  timeouts: Timeouts;
  resolve(connectionId: string): Promise<ResolvedConnection>;
  signal: AbortSignal | undefined;
}

/** Throws a `UserFacingError` if the gateway doesn't count tokens in this format. */
export async function countTokens(input: PreviewInput, options: CountOptions): Promise<number> {
  const { media, network, timeouts, resolve, signal } = options;
  const checked = checkInput('chat', input);
  const connection = withEndpoint(await resolve(input.connectionId), input);
  const extra = await inlineFileRefs(checked.extraBody, media);
  const { sent } = await inlineMedia(getChatRequestSchema(), checked.request, media);
  const { path, body, defaultHeaders } = toHttp(
    moveTo(chatOperation, getOwnEndpoint(connection, input)),
    { ...checked, request: sent, extraBody: extra.sent },
  );

  const ask: Ask = async (to, fields, count) => {
    const { url, access } = resolveTarget(connection, to);
    const stop = signal === undefined ? {} : { signal };
    const request = { baseUrl: connection.baseUrl, access, network, timeouts, ...stop };
    const answer = await requestDocument(request, url, toJsonText(fields), defaultHeaders);
    if (answer.outcome.status !== 'succeeded') throw toCountError(answer);
    return count(parseJson(answer.body));
  };

  const format = typeof input.request.format === 'string' ? input.request.format : '';
  const tokens = await (counters[format] ?? countByTokenizer)(ask, path, body);
  if (tokens === null) throw new UserFacingError(noCount);
  return tokens;
}

type Ask = <Answer>(
  path: string,
  body: JsonObject,
  read: (document: JsonValue | undefined) => Answer,
) => Promise<Answer>;

/** Returns null if the gateway's response has no count. */
type Count = (ask: Ask, path: string, body: JsonObject) => Promise<number | null>;

/** Fields that the endpoints take; they reject others, such as `max_tokens`. */
const MESSAGES = ['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking'];
const RESPONSES = [
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls'],
  ...['reasoning', 'text', 'truncation', 'previous_response_id', 'conversation'],
];

const counters: Readonly<Record<string, Count>> = {
  /** https://platform.claude.com/docs/en/api/messages-count-tokens */
  messages: (ask, path, body) =>
    ask(`${path}/count_tokens`, pick(body, MESSAGES), readField('input_tokens')),
  /** https://platform.openai.com/docs/api-reference/responses/input-tokens */
  responses: (ask, path, body) =>
    ask(`${path}/input_tokens`, pick(body, RESPONSES), readField('input_tokens')),
};

/**
 * vLLM counts messages, and llama.cpp the text that its template makes of them:
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html#tokenizer-api and
 * https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
 */
async function countByTokenizer(ask: Ask, _path: string, body: JsonObject): Promise<number | null> {
  const whole = pick(body, ['model', 'messages', 'tools']);
  const count = await ask('/tokenize', whole, readField('count'));
  if (count !== null) return count;
  const prompt = await ask('/apply-template', whole, (document) =>
    isJsonObject(document) && typeof document.prompt === 'string' ? document.prompt : null,
  );
  if (prompt === null) return null;
  const text = { content: prompt, add_special: true, parse_special: true };
  return ask('/tokenize', text, (document) =>
    isJsonObject(document) && Array.isArray(document.tokens) ? document.tokens.length : null,
  );
}

function pick(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

function readField(name: string): (document: JsonValue | undefined) => number | null {
  return (document) => (isJsonObject(document) ? getNumber(document[name]) : null);
}

const noCount = appError(
  'not-implemented',
  'The gateway doesn’t count tokens for this format.',
  'Use the estimate, or try another format.',
);

function toCountError({ status, outcome }: Awaited<ReturnType<typeof requestDocument>>) {
  const isMissing = status === 404 || status === 405 || status === 501;
  const isFailed = outcome.status !== 'succeeded' && !isMissing;
  return new UserFacingError(isFailed ? outcome.error : noCount);
}
