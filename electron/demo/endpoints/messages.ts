/** Implements `POST /v1/messages`, whose requests are read as chat requests. */
import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { getChatRequestSchema } from '../../../shared/operations/chat/request.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import type { DemoExchange } from '../exchange.ts';
import { splitTokens } from '../language/answer.ts';
import { countPrompt, getUsage, sendDocument, streamChoices } from '../language/generation.ts';
import { findHonesty } from '../language/honesty.ts';
import { languageModels } from '../language/language-models.ts';
import type { Piece, PlannedChoice } from '../language/plan-choice.ts';
import { toResponseFormat } from '../language/read-response-input.ts';
import { signThinking } from '../language/signatures.ts';
import {
  checkRequest,
  createInvalidRequest,
  findModel,
  readJsonObject,
  withoutNulls,
} from '../requests.ts';
import { planChat } from './chat.ts';

const STOP_REASONS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
} as const satisfies Record<PlannedChoice['finishReason'], string>;

export async function answerMessages(exchange: DemoExchange): Promise<void> {
  const body = withoutNulls(await readJsonObject(exchange.request));
  // A simulated model may have ignored it.
  if (body.max_tokens === undefined && findHonesty(body.model) === null)
    throw createInvalidRequest('max_tokens: Field required', 'max_tokens');
  const request = checkRequest(getChatRequestSchema(), toChatRequest(body));
  const model = findModel(languageModels, request.model);
  if (model.signs) checkThinking(body.messages);
  const [planned] = await planChat(exchange, model, request, body);
  if (planned === undefined) return;
  const choice = model.signs ? addThinking(planned) : planned;
  const prompt = countPrompt(request.messages, request.tools);
  const counted = getUsage(prompt, [choice]);
  const usage = {
    input_tokens: (counted.prompt_tokens ?? 0) - prompt.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: prompt.cached,
    output_tokens: counted.completion_tokens ?? 0,
  };
  const message = {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: model.id,
  };
  const ending = { stop_reason: STOP_REASONS[choice.finishReason], stop_sequence: null };
  if (!request.stream) {
    const document = { ...message, content: toBlocks(choice.pieces), ...ending, usage };
    return sendDocument(exchange, model, [choice], document);
  }
  const toEvents = createBlockWriter();
  await streamChoices(exchange, model, [choice], {
    opening: () => [
      {
        type: 'message_start',
        message: {
          ...message,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 1 },
        },
      },
      { type: 'ping' },
    ],
    piece: (_choice, piece) => toEvents(piece),
    ending: () => [
      ...toEvents(null),
      { type: 'message_delta', delta: ending, usage: { output_tokens: usage.output_tokens } },
    ],
    closing: () => [{ type: 'message_stop' }],
    isTyped: true,
  });
}

/** A model that signs its thinking also thinks before a call. */
export function addThinking(choice: PlannedChoice): PlannedChoice {
  const [first] = choice.pieces;
  if (first?.kind !== 'call') return choice;
  const thinking = splitTokens(`The tool ${first.name} fits the question, so I call it.`);
  const pieces = thinking.map((text): Piece => ({ kind: 'reasoning', text }));
  return { ...choice, pieces: [...pieces, ...choice.pieces] };
}

function toChatRequest(body: JsonObject): JsonObject {
  const { system, messages, stop_sequences: stop, tools, tool_choice: choice } = body;
  const { model, max_tokens: limit, temperature, top_p: topP, stream } = body;
  const all = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  const { format } = isJsonObject(body.output_config) ? body.output_config : {};
  const isSerial = isJsonObject(choice) && choice.disable_parallel_tool_use === true;
  return withoutUndefined({
    model,
    temperature,
    stop,
    stream,
    max_tokens: limit,
    top_p: topP,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: toText(system) }]),
      ...all.flatMap(toChatMessages),
    ],
    tools: Array.isArray(tools) ? tools.filter(isJsonObject).map(toFunction) : undefined,
    tool_choice: toToolChoice(choice),
    parallel_tool_calls: isSerial ? false : undefined,
    response_format: toResponseFormat(format),
  });
}

function withoutUndefined(fields: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function toText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return getBlocks(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

function getBlocks(content: JsonValue | undefined): JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

function toChatMessages({ role, content }: JsonObject): JsonObject[] {
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content }] : getBlocks(content);
  if (role === 'assistant') {
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(toCall);
    const text = toText(blocks);
    return [
      {
        role,
        content: text === '' ? null : text,
        ...(calls.length > 0 && { tool_calls: calls }),
      },
    ];
  }
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const inResults = results.flatMap(({ content: result }) => getBlocks(result));
  const shown = inResults.filter(({ type }) => type !== 'text');
  const parts = [...shown, ...blocks].flatMap((block) => toPart(block) ?? []);
  return [
    ...results.map((result) => ({
      role: 'tool',
      tool_call_id: result.tool_use_id ?? '',
      content: toText(result.content),
    })),
    ...(parts.length > 0 ? [{ role: 'user', content: parts }] : []),
  ];
}

function toCall({ id, name, input }: JsonObject): JsonObject {
  const called = { name: name ?? '', arguments: JSON.stringify(input ?? {}) };
  return { id: id ?? '', type: 'function', function: called };
}

function toPart({ type, text, source, title }: JsonObject): JsonObject | null {
  if (type === 'text') return { type, text: text ?? '' };
  if (!isJsonObject(source)) return null;
  const url =
    source.type === 'url'
      ? (source.url ?? '')
      : `data:${source.media_type};base64,${source.data ?? ''}`;
  if (type === 'image') return { type: 'image_url', image_url: { url } };
  if (type !== 'document') return null;
  return { type: 'file', file: { filename: title ?? 'document', file_data: url } };
}

function toFunction({ name, description, input_schema: parameters }: JsonObject): JsonObject {
  return { type: 'function', function: withoutUndefined({ name, description, parameters }) };
}

function toToolChoice(choice: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(choice)) return undefined;
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name ?? '' } };
  return choice.type === 'any' ? 'required' : choice.type;
}

/** Throws unless signed thinking comes back unchanged with the calls that followed it. */
function checkThinking(messages: JsonValue | undefined): void {
  for (const [at, { role, content }] of getBlocks(messages).entries()) {
    if (role !== 'assistant') continue;
    const blocks = getBlocks(content);
    const param = `messages.${at}.content.0`;
    if (blocks.some(({ type }) => type === 'tool_use') && blocks[0]?.type !== 'thinking') {
      const message = `${param}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${blocks[0]?.type}\`.`;
      throw createInvalidRequest(message, param);
    }
    for (const { type, thinking, signature } of blocks) {
      if (type !== 'thinking' || signature === signThinking(String(thinking))) continue;
      throw createInvalidRequest(`${param}: Invalid \`signature\` in \`thinking\` block`, param);
    }
  }
}

/** Returns a function that converts pieces to events; null ends the last block. */
function createBlockWriter(): (piece: Piece | null) => JsonObject[] {
  let index = -1;
  let kind = '';
  let thinking = '';
  const delta = (fields: JsonObject) => ({ type: 'content_block_delta', index, delta: fields });
  const end = (): JsonObject[] => {
    if (kind === '') return [];
    const signature =
      kind === 'thinking'
        ? [delta({ type: 'signature_delta', signature: signThinking(thinking) })]
        : [];
    kind = '';
    return [...signature, { type: 'content_block_stop', index }];
  };
  const begin = (next: string, block: JsonObject): JsonObject[] => {
    if (kind === next) return [];
    const ended = end();
    kind = next;
    index += 1;
    return [
      ...ended,
      { type: 'content_block_start', index, content_block: { type: next, ...block } },
    ];
  };
  return (piece) => {
    switch (piece?.kind) {
      case 'reasoning':
        thinking += piece.text;
        return [
          ...begin('thinking', { thinking: '', signature: '' }),
          delta({ type: 'thinking_delta', thinking: piece.text }),
        ];
      case 'content':
        return [...begin('text', { text: '' }), delta({ type: 'text_delta', text: piece.text })];
      case 'call':
        return [...end(), ...begin('tool_use', { id: piece.id, name: piece.name, input: {} })];
      case 'arguments':
        return [delta({ type: 'input_json_delta', partial_json: piece.text })];
      case 'spoken':
        return [];
      default:
        return end();
    }
  };
}

/** Joins the streamed blocks, so that streamed and whole answers agree. */
function toBlocks(pieces: readonly Piece[]): JsonObject[] {
  const write = createBlockWriter();
  const blocks: JsonObject[] = [];
  for (const { type, content_block: block, delta } of [...pieces, null].flatMap(write)) {
    if (type === 'content_block_start' && isJsonObject(block)) blocks.push({ ...block });
    const last = blocks.at(-1);
    if (last === undefined || !isJsonObject(delta)) continue;
    for (const name of ['text', 'thinking', 'signature']) {
      if (delta[name] !== undefined) last[name] = `${last[name]}${delta[name]}`;
    }
    if (delta.partial_json !== undefined) last.json = `${last.json ?? ''}${delta.partial_json}`;
  }
  return blocks.map(({ json, ...block }) =>
    typeof json === 'string' ? { ...block, input: parseJson(json) ?? {} } : block,
  );
}
