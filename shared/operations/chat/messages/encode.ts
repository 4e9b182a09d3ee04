/** Writes messages, tools and schemas in the Messages format. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts';
import { parseJson } from '../../../parse-json.ts';
import { FUNCTION_CALL_ID } from '../answer-view.ts';
import { readArguments } from '../call-arguments.ts';
import { arrangeResults, type ResultRules } from '../tool-results.ts';
import { adaptSchema } from '../tool-schema.ts';

/** Returns the message fields of the body; `system` is missing if there is no system message. */
export function toMessageFields(messages: JsonValue | undefined): JsonObject {
  const given = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  const all = arrangeResults(given, resultRules);
  const system = all.filter(isSystem).flatMap(({ content }) => toBlocks(content));
  const chat = joinTurns(all.filter((message) => !isSystem(message)).map(toMessage));
  return { messages: chat, ...(system.length > 0 && { system }) };
}

/** Results keep all parts, because `toBlock` replaces audio and video with a note. */
const resultRules: ResultRules = {
  parts: new Set<JsonValue>(['text', 'image_url', 'file', 'input_audio', 'video_url']),
  hasErrors: true,
};

/** The format has one system prompt, so later system messages move to it. */
function isSystem({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer';
}

type Turn = { role: 'user' | 'assistant'; content: JsonValue[] };

function toMessage(message: JsonObject): Turn {
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', content: toAnswer(message) };
    case 'tool':
      return { role: 'user', content: [toToolResult(message, message.tool_call_id)] };
    case 'function':
      return { role: 'user', content: [toToolResult(message, FUNCTION_CALL_ID)] };
    default:
      return { role: 'user', content: toBlocks(message.content) };
  }
}

/** Roles must alternate, and the results of parallel calls belong to one message. */
function joinTurns(turns: readonly Turn[]): JsonValue[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (turn.content.length === 0) continue;
    if (last?.role === turn.role) last.content.push(...turn.content);
    else joined.push({ ...turn, content: [...turn.content] });
  }
  return joined;
}

/** Prefers the received blocks, because their signatures cover their order. */
function toAnswer(message: JsonObject): JsonValue[] {
  const { items, content, tool_calls: calls, function_call: older } = message;
  if (Array.isArray(items)) return items.filter(isJsonObject).map(toSentBlock);
  return [
    ...toBlocks(content),
    ...(Array.isArray(calls) ? calls.filter(isJsonObject).map(toToolUse) : []),
    ...(isJsonObject(older) ? [toToolUse({ id: FUNCTION_CALL_ID, function: older })] : []),
  ];
}

/** `messages/translate.ts` adds the index and joins the input as text. */
function toSentBlock({ index: _, ...block }: JsonObject): JsonObject {
  const { type, input = '' } = block;
  const isCall = type === 'tool_use' || type === 'server_tool_use';
  return isCall && typeof input === 'string' ? { ...block, input: parseInput(input) } : block;
}

function toToolUse({ id, function: called, custom }: JsonObject): JsonObject {
  const body = isJsonObject(called) ? called : isJsonObject(custom) ? custom : {};
  const { name, arguments: text, input } = body;
  const given = typeof text === 'string' ? text : typeof input === 'string' ? input : '';
  return { type: 'tool_use', id: String(id), name: name ?? '', input: parseInput(given) };
}

/** The format requires an object. */
function parseInput(text: string): JsonValue {
  return readArguments(text) ?? { input: parseJson(text) ?? text };
}

function toToolResult(message: JsonObject, id: JsonValue | undefined): JsonObject {
  const { content, is_error: isError } = message;
  return {
    type: 'tool_result',
    tool_use_id: String(id ?? ''),
    content: typeof content === 'string' ? content : toBlocks(content),
    ...(isError === true && { is_error: true }),
  };
}

/** The format rejects empty text. */
function toBlocks(content: JsonValue | undefined): JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content
    .filter(isJsonObject)
    .map(toBlock)
    .filter((block) => block !== null);
}

function toBlock(part: JsonObject): JsonObject | null {
  const { type, image_url: image, file } = part;
  if (type === 'text') return part.text === '' ? null : { ...part, type: 'text' };
  if (type === 'image_url' && isJsonObject(image)) {
    return { type: 'image', source: toSource(String(image.url)), ...pickOptions(part) };
  }
  if (type === 'file' && isJsonObject(file)) return { ...toDocument(file), ...pickOptions(part) };
  // The format doesn't support any other kind of input.
  return { type: 'text', text: `[${String(type).replaceAll('_', ' ')} not sent]` };
}

/** Other fields of a part belong to other formats. */
function pickOptions(part: JsonObject): JsonObject {
  const options = Object.entries(part).filter(([name]) => OPTIONS.has(name));
  return Object.fromEntries(options);
}

const OPTIONS = new Set(['cache_control', 'citations', 'context']);

const DATA_URL = /^data:([^;,]*)[^,]*;base64,(.*)$/s;

function toSource(url: string): JsonObject {
  const [, type = '', data] = DATA_URL.exec(url) ?? [];
  if (data === undefined) return { type: 'url', url };
  return { type: 'base64', media_type: type, data };
}

function toDocument({ file_data: data, file_id: id, filename }: JsonObject): JsonObject {
  const source = typeof data === 'string' ? toSource(data) : { type: 'file', file_id: id ?? '' };
  const title = typeof filename === 'string' ? { title: filename } : {};
  return { type: 'document', source, ...title };
}

export function toTool(tool: JsonValue): JsonValue {
  // The provider's own tools are not functions.
  if (!isJsonObject(tool) || !isJsonObject(tool.function)) return tool;
  const { name, description, parameters, strict } = tool.function;
  return {
    name: name ?? '',
    ...(description !== undefined && { description }),
    input_schema: adaptSchema(parameters, 'messages'),
    ...(strict === true && { strict }),
  };
}

const choices: ReadonlyMap<JsonValue, string> = new Map([
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'any'],
]);

/** Returns undefined for an unknown word. */
export function toToolChoice(choice: JsonValue): JsonObject | undefined {
  const word = choices.get(choice);
  if (word !== undefined) return { type: word };
  if (!isJsonObject(choice)) return undefined;
  return isJsonObject(choice.function)
    ? { type: 'tool', name: choice.function.name ?? '' }
    : choice;
}

/** Returns undefined for a format without a schema. */
export function toOutputFormat(format: JsonValue): JsonObject | undefined {
  const named = isJsonObject(format) ? format.json_schema : undefined;
  const schema = isJsonObject(named) ? (named.schema ?? named) : undefined;
  return schema === undefined ? undefined : { type: 'json_schema', schema };
}
