/** Maps each chat field to the Messages format, `POST /v1/messages`. */
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../json.ts';
import type { BodyStep, FieldTable } from '../../field-table.ts';
import type { ChatRequest } from '../request.ts';
import { readMessageFields, readOutputFormat, readTool, readToolChoice } from './decode.ts';
import { toMessageFields, toOutputFormat, toTool, toToolChoice } from './encode.ts';

const messages: BodyStep = {
  writes: ['messages', 'system'],
  encode: (body, { request }) => ({ ...body, ...toMessageFields(request.messages) }),
  decode: (body) => ({ fields: { messages: readMessageFields(body) } }),
  note: '`messages` and `system`, as listed below',
};

/** The tool choice of this format also limits the number of calls. */
const serialCalls: BodyStep = {
  writes: ['tool_choice'],
  encode(body, { request }) {
    if (request.parallel_tool_calls !== false || body.tools === undefined) return body;
    const choice = isJsonObject(body.tool_choice) ? body.tool_choice : { type: 'auto' };
    if (choice.type === 'none') return body;
    return { ...body, tool_choice: { ...choice, disable_parallel_tool_use: true } };
  },
  decode(body) {
    const { tool_choice: choice } = body;
    const isSerial = isJsonObject(choice) && choice.disable_parallel_tool_use === true;
    return { fields: isSerial ? { parallel_tool_calls: false } : {} };
  },
  note: 'If off, `disable_parallel_tool_use` in `tool_choice`',
};

/** Caches the tools, the system prompt and the messages so far. */
const breakpoints: BodyStep = {
  writes: [],
  encode: (body, { request }) =>
    request.cache_control === true ? mapLastBlocks(body, markBlock) : body,
  decode(body) {
    const lists = listMarked(body);
    const isCached = lists.length > 0 && lists.every((list) => isMarked(list.at(-1)));
    if (!isCached) return { fields: {} };
    return { fields: { cache_control: true }, body: mapLastBlocks(body, unmarkBlock) };
  },
  note: '`cache_control` on the last tool, the system prompt and the last message',
};

/** `cache_control` is last, because its step marks what the other rows wrote. */
export const messagesFields: FieldTable<ChatRequest> = {
  model: 'same',
  temperature: 'same',
  top_p: 'same',
  stream: 'same',
  thinking: 'same',
  max_tokens: { default: 4096, note: 'because the format requires it' },
  max_completion_tokens: { with: 'max_tokens' },
  messages: { step: messages },
  tools: {
    encode: (tools) => toList(tools, toTool),
    decode: (tools) => (Array.isArray(tools) ? tools.map(readTool) : undefined),
    note: 'with `input_schema` in the dialect below; tools of the provider as they are',
  },
  tool_choice: {
    encode: toToolChoice,
    decode: readToolChoice,
    note: 'as `auto`, `none`, `any` for required, or `tool` for one tool',
  },
  parallel_tool_calls: { step: serialCalls },
  stop: {
    at: ['stop_sequences'],
    encode: (stop) => (Array.isArray(stop) ? stop : [stop]),
    note: 'always as a list',
  },
  reasoning_effort: {
    at: ['output_config', 'effort'],
    encode: (effort) => (effort === 'none' || effort === 'minimal' ? undefined : effort),
    note: 'except for `none` and `minimal`, which have no counterpart',
  },
  response_format: {
    at: ['output_config', 'format'],
    encode: toOutputFormat,
    decode: readOutputFormat,
    note: 'only with a schema',
  },
  user: { at: ['metadata', 'user_id'] },
  presence_penalty: 'unsent',
  frequency_penalty: 'unsent',
  seed: 'unsent',
  logit_bias: 'unsent',
  n: 'unsent',
  stream_options: 'unsent',
  modalities: 'unsent',
  audio: 'unsent',
  reasoning_summary: 'unsent',
  logprobs: 'unsent',
  top_logprobs: 'unsent',
  store: 'unsent',
  include: 'unsent',
  safety_identifier: 'unsent',
  cache_control: { step: breakpoints },
};

/** The format rejects an empty list. */
function toList(
  tools: JsonValue,
  convert: (tool: JsonValue) => JsonValue,
): JsonValue[] | undefined {
  return Array.isArray(tools) && tools.length > 0 ? tools.map(convert) : undefined;
}

const BREAKPOINT: JsonObject = { type: 'ephemeral' };

function markBlock(block: JsonObject): JsonObject {
  return { ...block, cache_control: BREAKPOINT };
}

function unmarkBlock({ cache_control: _, ...block }: JsonObject): JsonObject {
  return block;
}

function listMarked({ tools, system, messages: turns }: JsonObject): JsonValue[][] {
  const last = Array.isArray(turns) ? turns.at(-1) : undefined;
  const content = isJsonObject(last) ? last.content : undefined;
  return [tools, system, content].filter((list) => Array.isArray(list));
}

function isMarked(block: JsonValue | undefined): boolean {
  return isJsonObject(block) && isSameJson(block.cache_control, BREAKPOINT);
}

/** Converts the last block of the tools, of the system prompt and of the last message. */
function mapLastBlocks(body: JsonObject, convert: (block: JsonObject) => JsonObject): JsonObject {
  const { tools, system, messages: turns } = body;
  const mapLast = (blocks: JsonValue) => {
    const last = Array.isArray(blocks) ? blocks.at(-1) : undefined;
    if (!Array.isArray(blocks) || !isJsonObject(last)) return blocks;
    return [...blocks.slice(0, -1), convert(last)];
  };
  const last = Array.isArray(turns) ? turns.at(-1) : undefined;
  return {
    ...body,
    ...(Array.isArray(turns) &&
      isJsonObject(last) && {
        messages: [...turns.slice(0, -1), { ...last, content: mapLast(last.content ?? null) }],
      }),
    ...(tools !== undefined && { tools: mapLast(tools) }),
    ...(system !== undefined && { system: mapLast(system) }),
  };
}
