/** Reads messages, tools and schemas of the Messages format: the inverse of `encode.ts`. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts';

/** Writes text as blocks, and joins messages of the same role. */
export function normalizeMessages(body: JsonObject): JsonObject {
  const { system, messages } = body;
  return {
    ...body,
    ...(typeof system === 'string' && { system: toBlocks(system) }),
    ...(Array.isArray(messages) && { messages: joinTurns(messages) }),
  };
}

function joinTurns(messages: readonly JsonValue[]): JsonValue[] {
  const joined: JsonValue[] = [];
  for (const message of messages) {
    if (!isJsonObject(message)) {
      joined.push(message);
      continue;
    }
    const last = joined.at(-1);
    const content = toBlocks(message.content);
    const before = isJsonObject(last) && last.role === message.role ? last.content : null;
    if (isJsonObject(last) && Array.isArray(before) && Array.isArray(content)) {
      joined[joined.length - 1] = { ...last, content: [...before, ...content] };
    } else joined.push({ ...message, content });
  }
  return joined;
}

function toBlocks(content: JsonValue | undefined): JsonValue {
  if (typeof content !== 'string') return content ?? null;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

/** Inverse of `toMessageFields`, which `normalizeMessages` prepares. */
export function readMessageFields({ system, messages }: JsonObject): JsonValue[] {
  return [...readSystem(system), ...readMessages(messages)];
}

/** Returns a string if there is only plain text, because blocks may have other fields. */
function simplify(parts: JsonValue[]): JsonValue {
  const [first, ...others] = parts;
  const isText = others.length === 0 && isPlain(first, 'text');
  return isText && isJsonObject(first) ? (first.text ?? '') : parts;
}

function isPlain(block: JsonValue | undefined, ...fields: string[]): boolean {
  const names = ['type', ...fields];
  return isJsonObject(block) && Object.keys(block).every((name) => names.includes(name));
}

function readSystem(system: JsonValue | undefined): JsonValue[] {
  if (!Array.isArray(system) || system.length === 0) return [];
  return [{ role: 'system', content: simplify(system) }];
}

function readMessages(messages: JsonValue | undefined): JsonValue[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message): JsonValue[] => {
    if (!isJsonObject(message) || !Array.isArray(message.content)) return [message];
    const { role, content } = message;
    if (role === 'assistant') return [readAnswer(content)];
    return readUserMessage(role ?? 'user', content);
  });
}

/** Each tool result becomes a message. */
function readUserMessage(role: JsonValue, content: readonly JsonValue[]): JsonValue[] {
  const messages: JsonValue[] = [];
  let parts: JsonValue[] = [];
  const endParts = () => {
    if (parts.length > 0) messages.push({ role, content: simplify(parts) });
    parts = [];
  };
  for (const block of content) {
    if (isJsonObject(block) && block.type === 'tool_result') {
      endParts();
      const { tool_use_id: id, content: result, is_error: isError } = block;
      const sent = Array.isArray(result) ? result.map(readPart) : (result ?? '');
      messages.push({
        role: 'tool',
        content: sent,
        ...(id !== undefined && { tool_call_id: id }),
        ...(isError === true && { is_error: true }),
      });
    } else parts.push(readPart(block));
  }
  endParts();
  return messages;
}

/** Reads text and calls; if that loses anything, `items` keeps all blocks as received. */
function readAnswer(content: readonly JsonValue[]): JsonObject {
  const texts = content.flatMap((block) =>
    isJsonObject(block) && block.type === 'text' && typeof block.text === 'string'
      ? [block.text]
      : [],
  );
  const calls = content.filter(isJsonObject).filter(({ type }) => type === 'tool_use');
  const isSimple =
    texts.length <= 1 &&
    texts.length + calls.length === content.length &&
    (texts.length === 0 || isPlain(content[0], 'text')) &&
    calls.every((call) => isPlain(call, 'id', 'name', 'input') && isJsonObject(call.input));
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join('\n\n'),
    ...(calls.length > 0 && { tool_calls: calls.map(readCall) }),
    ...(!isSimple && { items: [...content] }),
  };
}

function readCall({ id, name, input }: JsonObject): JsonObject {
  const called = { name: name ?? '', arguments: JSON.stringify(input ?? {}) };
  return { id: id ?? '', type: 'function', function: called };
}

function readPart(block: JsonValue): JsonValue {
  if (!isJsonObject(block) || !isJsonObject(block.source)) return block;
  const { type, source, title, ...more } = block;
  const url = readSource(source);
  if (type === 'image' && url !== null) {
    return { ...more, type: 'image_url', image_url: { url } };
  }
  if (type !== 'document') return block;
  const filename = title === undefined ? {} : { filename: title };
  if (url !== null) return { ...more, type: 'file', file: { ...filename, file_data: url } };
  if (source.type !== 'file' || source.file_id === undefined) return block;
  return { ...more, type: 'file', file: { ...filename, file_id: source.file_id } };
}

/** Returns a URL or a data URL; null for a file of the gateway or inline text. */
function readSource({ type, url, media_type: mediaType, data }: JsonObject): string | null {
  if (type === 'url' && typeof url === 'string') return url;
  if (type !== 'base64' || typeof data !== 'string') return null;
  return `data:${typeof mediaType === 'string' ? mediaType : ''};base64,${data}`;
}

/** Leaves the provider's own tools unchanged, because they aren't functions. */
export function readTool(tool: JsonValue): JsonValue {
  if (!isJsonObject(tool) || tool.input_schema === undefined) return tool;
  const { type: _, name, description, input_schema: parameters, strict, ...more } = tool;
  return {
    type: 'function',
    function: {
      ...more,
      name: name ?? '',
      ...(description !== undefined && { description }),
      parameters,
      ...(strict !== undefined && { strict }),
    },
  };
}

export function readToolChoice(choice: JsonValue): JsonValue | undefined {
  if (!isJsonObject(choice)) return undefined;
  const { type, name } = choice;
  if (type === 'tool') return { type: 'function', function: { name: name ?? '' } };
  return type === 'any' ? 'required' : (type ?? null);
}

/** Keeps the schema's current name, because the format doesn't send one. */
export function readOutputFormat(
  format: JsonValue,
  current: JsonValue | undefined,
): JsonValue | undefined {
  if (!isJsonObject(format)) return undefined;
  const { type, schema } = format;
  if (type !== 'json_schema' || schema === undefined) return format;
  const known = isJsonObject(current) ? current.json_schema : undefined;
  const named = isJsonObject(known) && known.schema !== undefined ? known : { name: 'answer' };
  return { type, json_schema: { ...named, schema } };
}
