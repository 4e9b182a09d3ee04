/** Converts a Messages response to chat completions and keeps the received blocks in `items`. */
import { getNumber } from '../../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts';
import type { Translation } from '../../response/choices-fold.ts';
import { markWhole } from '../merge-delta.ts';
import type { ChatState } from '../state.ts';

export const messagesTranslation: Translation<ChatState> = {
  chunks: toChunks,
  document: toDocument,
  isEnd: ({ type }) => type === 'message_stop',
};

function toChunks(event: JsonObject, state: Pick<ChatState, 'usage' | 'choices'>): JsonObject[] {
  const { type, message, index, delta, content_block: block } = event;
  switch (type) {
    case 'message_start':
      return isJsonObject(message) ? [startChunk(message)] : [];
    case 'content_block_start':
      return isJsonObject(block) ? [deltaChunk(startBlock(block, index ?? 0))] : [];
    case 'content_block_delta':
      if (!isJsonObject(delta)) return [];
      return [deltaChunk(readDelta(delta, index ?? 0, findBlock(state, index ?? 0)))];
    case 'message_delta':
      return [endChunk(event, state.usage)];
    case 'content_block_stop':
    case 'message_stop':
    case 'ping':
      return [];
    case 'error':
      return [{ error: event.error ?? event }];
    default:
      // Shows the event under Other fields, because gateways add events.
      return [event.error === undefined ? { [String(type)]: event } : event];
  }
}

function startChunk({ id, model, role, usage, content }: JsonObject): JsonObject {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
    ...deltaChunk({ role: role ?? 'assistant', ...joinBlocks(blocks) }),
  };
}

function deltaChunk(delta: JsonObject): JsonObject {
  return { choices: [{ index: 0, delta }] };
}

/** Usage is cumulative, and the last event may repeat only some of the counts. */
function endChunk({ type: _type, delta, usage, ...rest }: JsonObject, known: JsonObject | null) {
  const { stop_reason: reason, ...more } = isJsonObject(delta) ? delta : {};
  return {
    ...rest,
    ...(isJsonObject(usage) && { usage: mergeUsage(known ?? {}, usage) }),
    choices: [{ index: 0, delta: {}, finish_reason: reason ?? null, ...withoutNulls(more) }],
  };
}

/** Some gateways repeat the counts as zeros (https://github.com/envoyproxy/ai-gateway/pull/1631). */
function mergeUsage(known: JsonObject, usage: JsonObject): JsonObject {
  const merged = { ...known };
  for (const [name, value] of Object.entries(usage)) {
    const old = merged[name];
    if (isJsonObject(old) && isJsonObject(value)) merged[name] = mergeUsage(old, value);
    else if (value !== null && !(getNumber(value) === 0 && getNumber(old))) merged[name] = value;
  }
  return merged;
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

function startBlock(block: JsonObject, index: JsonValue): JsonObject {
  return { ...readBlock(block, index), items: [{ index, ...withoutEmptyInput(block) }] };
}

/** The input arrives as pieces of JSON text, after an empty object. */
function withoutEmptyInput({ input, ...block }: JsonObject): JsonObject {
  const isEmpty = input === undefined || (isJsonObject(input) && Object.keys(input).length === 0);
  return isEmpty ? block : { ...block, input };
}

/** Returns the message fields that show the block. */
function readBlock(block: JsonObject, index: JsonValue): JsonObject {
  const { type, text, thinking, id, name, input, citations, data } = block;
  switch (type) {
    case 'text':
      return { ...(text !== '' && { content: text ?? '' }), ...readCitations(citations) };
    case 'thinking':
      return thinking === '' || thinking === undefined ? {} : { thinking };
    case 'redacted_thinking':
      return { thinking_blocks: [{ type, data: data ?? '' }] };
    case 'tool_use': {
      const given = withoutEmptyInput({ input: input ?? {} }).input;
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      const called = { name: name ?? '', ...(text !== undefined && { arguments: text }) };
      return { tool_calls: [{ index, id: id ?? '', type: 'function', function: called }] };
    }
    case 'web_search_tool_result':
      return Array.isArray(block.content) ? { search_results: block.content } : {};
    default:
      return {};
  }
}

function readCitations(citations: JsonValue | undefined): JsonObject {
  return Array.isArray(citations) && citations.length > 0 ? { annotations: citations } : {};
}

/** Returns an empty object for a block that has not started. */
function findBlock({ choices }: Pick<ChatState, 'choices'>, index: JsonValue): JsonObject {
  const { items } = choices[0]?.message ?? {};
  const blocks = Array.isArray(items) ? items.filter(isJsonObject) : [];
  return blocks.findLast((block) => block.index === index) ?? {};
}

/**
 * Reads all fields of a delta, because gateways put fields of one type into another
 * (https://github.com/maximhq/bifrost/issues/5638).
 */
function readDelta(delta: JsonObject, index: JsonValue, block: JsonObject): JsonObject {
  const { type: _, text, thinking, partial_json: json, citation, ...others } = delta;
  const citations = isJsonObject(citation) ? [citation] : [];
  const input = typeof json === 'string' && json !== '' ? json : undefined;
  return {
    ...(typeof text === 'string' && { content: text }),
    ...(typeof thinking === 'string' && { thinking }),
    ...readCitations(citations),
    // The provider answers calls of server tools.
    ...(input !== undefined &&
      block.type !== 'server_tool_use' && { tool_calls: [readInput(input, index, block)] }),
    items: [
      {
        index,
        ...others,
        ...(typeof text === 'string' && { text }),
        ...(typeof thinking === 'string' && { thinking }),
        ...(citations.length > 0 && { citations }),
        ...(input !== undefined && { input }),
      },
    ],
  };
}

/** Pieces replace an input that the block began with (https://github.com/inflaborg/ccrelay/pull/119). */
function readInput(piece: string, index: JsonValue, block: JsonObject): JsonObject {
  const called = { arguments: piece };
  const isFirst = block.input !== undefined && typeof block.input !== 'string';
  return { index, function: isFirst ? markWhole(called) : called };
}

function toDocument(body: JsonObject): JsonObject {
  const { content, role, stop_reason: reason, type, id, model, usage, ...rest } = body;
  if (!Array.isArray(content)) return body;
  const message = { role: role ?? 'assistant', ...joinBlocks(content.filter(isJsonObject)) };
  return {
    ...withoutNulls(rest),
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
    ...(type === 'error' && { object: 'error' }),
    choices: [{ index: 0, message, finish_reason: reason ?? null }],
  };
}

function joinBlocks(blocks: readonly JsonObject[]): JsonObject {
  if (blocks.length === 0) return {};
  const read = blocks.map((block, index) => readBlock(block, index));
  const texts = (name: string) =>
    read.flatMap(({ [name]: text }) => (text === undefined ? [] : [text]));
  const lists = (name: string) =>
    read.flatMap(({ [name]: list }) => (Array.isArray(list) ? list : []));
  const joined: JsonObject = {};
  for (const name of ['content', 'thinking']) {
    if (texts(name).length > 0) joined[name] = texts(name).join('');
  }
  for (const name of ['thinking_blocks', 'tool_calls', 'annotations', 'search_results']) {
    if (lists(name).length > 0) joined[name] = lists(name);
  }
  return { ...joined, items: blocks.map((block, index) => ({ index, ...block })) };
}
