/** Writes messages, tools and schemas in the Responses format. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts';
import { FUNCTION_CALL_ID } from '../answer-view.ts';
import { writeArguments } from '../call-arguments.ts';
import { arrangeResults, type ResultRules } from '../tool-results.ts';
import { adaptSchema } from '../tool-schema.ts';
import { ENVELOPE, partPlaces } from './places.ts';

/** Returns the message fields of the body; `isStored` is true if the gateway keeps the answer. */
export function toMessageFields(messages: JsonValue | undefined, isStored: boolean): JsonObject {
  const given = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  const [first, ...others] = arrangeResults(given, resultRules);
  const instructions = first === undefined ? null : readInstructions(first);
  const sent = first === undefined || instructions !== null ? others : [first, ...others];
  const customIds = findCustomCalls(sent);
  return {
    input: sent.flatMap((message) => toItems(message, { isStored, customIds })),
    ...(instructions !== null && { instructions }),
  };
}

/** A result can have text, images and files; a message can also have audio. */
const resultRules: ResultRules = {
  parts: new Set<JsonValue>(['text', 'image_url', 'file', 'video_url']),
  hasErrors: false,
};

/** The first system message; null if it isn't one, or has more than text. */
export function readInstructions({ role, content }: JsonObject): string | null {
  if (role !== 'system') return null;
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const texts = parts.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  );
  return texts.length > 0 && texts.length === parts.length ? texts.join('\n\n') : null;
}

interface Options {
  isStored: boolean;
  /** The results of custom calls are another kind of item. */
  customIds: ReadonlySet<JsonValue>;
}

function findCustomCalls(messages: readonly JsonObject[]): Set<JsonValue> {
  return new Set(
    messages.flatMap(({ tool_calls: calls }) =>
      (Array.isArray(calls) ? calls.filter(isJsonObject) : []).flatMap(({ type, id }) =>
        type === 'custom' && id !== undefined ? [id] : [],
      ),
    ),
  );
}

function toItems(message: JsonObject, options: Options): JsonObject[] {
  const { role, content } = message;
  switch (role) {
    case 'assistant':
      return toAnswer(message, options);
    case 'tool':
      return [toResult(message, message.tool_call_id ?? '', options)];
    case 'function':
      return [toResult(message, FUNCTION_CALL_ID, options)];
    default: {
      const sent = toContent(content);
      return sent === '' || sent.length === 0 ? [] : [{ role: role ?? 'user', content: sent }];
    }
  }
}

/** Prefers the received items, because reasoning belongs to the items that follow it. */
function toAnswer(message: JsonObject, { isStored }: Options): JsonObject[] {
  const { items, content, tool_calls: calls, function_call: older } = message;
  if (Array.isArray(items)) {
    const kept = items.filter(isJsonObject);
    const isSent = (item: JsonObject) => toSentItem(item, isStored).length > 0;
    const isWhole = kept.every((item) => item.type !== 'reasoning' || isSent(item));
    return kept.flatMap((item) => toSentItem(isWhole ? item : withoutId(item), isStored));
  }
  const text = toAnswerText(content);
  return [
    ...(text === '' ? [] : [{ role: 'assistant', content: text }]),
    ...(Array.isArray(calls) ? calls.filter(isJsonObject).map(toCall) : []),
    ...(isJsonObject(older) ? [toCall({ id: FUNCTION_CALL_ID, function: older })] : []),
  ];
}

/** The API rejects an item with an ID if the reasoning that belongs to it is missing. */
function withoutId(item: JsonObject): JsonObject {
  const { id: _, ...others } = item;
  return REASONED.has(item.type ?? null) ? others : item;
}

const REASONED: ReadonlySet<JsonValue> = new Set(['message', 'function_call', 'custom_tool_call']);

/** `responses/translate.ts` adds the index and drops nulls, which some items require. */
function toSentItem({ index: _, ...received }: JsonObject, isStored: boolean): JsonObject[] {
  const fields = Object.entries(received).filter(([name]) => !ENVELOPE.has(name));
  const item: JsonObject = Object.fromEntries(fields);
  const { type, id, status: _status, content } = item;
  switch (type) {
    case 'reasoning':
      return toSentReasoning(item, isStored);
    case 'message': {
      const parts = toSentParts(content).map((part) =>
        part.type === 'output_text' ? { ...part, annotations: part.annotations ?? [] } : part,
      );
      if (parts.length === 0) return [];
      const { status: _state, ...unfinished } = item;
      const sent = id === undefined ? unfinished : item;
      return [{ ...sent, role: 'assistant', content: parts }];
    }
    case 'function_call':
      return [{ ...item, arguments: writeArguments(String(item.arguments ?? '')) }];
    case 'code_interpreter_call':
      return [{ ...item, code: item.code ?? null, outputs: item.outputs ?? null }];
    default:
      return [item];
  }
}

/**
 * An ID refers to a stored item, so reasoning that isn't stored needs its content instead
 * (https://github.com/vercel/ai/issues/7543).
 */
function toSentReasoning(item: JsonObject, isStored: boolean): JsonObject[] {
  const { id, encrypted_content: encrypted, ...others } = item;
  const summary = toSentParts(item.summary);
  const content = toSentParts(item.content);
  const sent = { ...others, summary, ...(content.length > 0 && { content }) };
  if (isStored) return [{ ...item, ...sent }];
  if (encrypted) return [{ ...sent, encrypted_content: encrypted }];
  return content.length > 0 ? [{ ...sent, ...(id !== undefined && { id }) }] : [];
}

function toSentParts(parts: JsonValue | undefined): JsonObject[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter(isJsonObject).map((part) => {
    const { index: _, logprobs: __, ...sent } = part;
    return partPlaces.has(part.type ?? null) ? sent : part;
  });
}

/** Describes images as text, because the format allows no images in answers from elsewhere. */
function toAnswerText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isJsonObject)
    .map((part) => (typeof part.text === 'string' ? part.text : describePart(part)))
    .join('');
}

function toCall({ id, function: called, custom }: JsonObject): JsonObject {
  if (isJsonObject(custom)) {
    const { name, input } = custom;
    return { type: 'custom_tool_call', call_id: String(id), name: name ?? '', input: input ?? '' };
  }
  const { name, arguments: text } = isJsonObject(called) ? called : {};
  return {
    type: 'function_call',
    call_id: String(id),
    name: name ?? '',
    arguments: writeArguments(String(text ?? '')),
  };
}

function toResult({ content }: JsonObject, id: JsonValue, { customIds }: Options): JsonObject {
  const type = customIds.has(id) ? 'custom_tool_call_output' : 'function_call_output';
  return { type, call_id: String(id), output: toContent(content) };
}

function toContent(content: JsonValue | undefined): string | JsonObject[] {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.filter(isJsonObject).flatMap(toPart) : '';
}

function toPart(part: JsonObject): JsonObject[] {
  const { type, text, image_url: image, file, input_audio: audio } = part;
  if (type === 'text') return text === '' ? [] : [{ ...part, type: 'input_text' }];
  if (type === 'image_url' && isJsonObject(image)) {
    const { url, detail = 'auto', ...more } = image;
    return [{ type: 'input_image', image_url: url ?? '', detail, ...more }];
  }
  if (type === 'file' && isJsonObject(file)) {
    const { file_data: data, ...more } = file;
    const isUrl = typeof data === 'string' && /^https?:/i.test(data);
    const place = isUrl ? 'file_url' : 'file_data';
    return [{ type: 'input_file', ...more, ...(data !== undefined && { [place]: data }) }];
  }
  if (type === 'input_audio' && audio !== undefined) return [{ type, input_audio: audio }];
  return [{ type: 'input_text', text: describePart(part) }];
}

/** Tells the model which kind of content is missing. */
function describePart({ type }: JsonObject): string {
  const name = String(type).replaceAll('_', ' ').replace(/ url$/, '');
  return `[${name} not sent]`;
}

/** Functions are strict by default in this format, unlike in chat completions. */
export function toTool(tool: JsonValue): JsonValue {
  if (!isJsonObject(tool)) return tool;
  const { function: called, custom } = tool;
  if (isJsonObject(custom)) return { type: 'custom', ...custom, ...toGrammar(custom.format) };
  if (!isJsonObject(called)) return tool;
  const { parameters, strict = false, ...more } = called;
  return { type: 'function', ...more, parameters: adaptSchema(parameters, 'responses'), strict };
}

function toGrammar(format: JsonValue | undefined): JsonObject {
  if (!isJsonObject(format) || !isJsonObject(format.grammar)) return {};
  return { format: { type: 'grammar', ...format.grammar } };
}

export function toToolChoice(choice: JsonValue): JsonValue {
  if (!isJsonObject(choice)) return choice;
  const { type, function: called, custom, allowed_tools: allowed } = choice;
  const inner = [called, custom].find(isJsonObject);
  if (inner !== undefined) return { type: type ?? 'function', name: inner.name ?? '' };
  if (!isJsonObject(allowed)) return choice;
  const tools = Array.isArray(allowed.tools) ? allowed.tools.map(toToolChoice) : [];
  return { type: 'allowed_tools', ...allowed, tools };
}

export function toTextFormat(format: JsonValue): JsonValue {
  if (!isJsonObject(format) || !isJsonObject(format.json_schema)) return format;
  const { name, schema, ...more } = format.json_schema;
  const named = schema === undefined ? { schema: format.json_schema } : { schema, ...more };
  return { type: 'json_schema', name: name ?? 'answer', ...named };
}
