/** Reads messages, tools and schemas of the Responses format: the inverse of `encode.ts`. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts';
import { readInstructions } from './encode.ts';

/** Converts the input to a list, and a leading system message to instructions. */
export function normalizeResponses(body: JsonObject): JsonObject {
  const { input, instructions } = body;
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  if (!Array.isArray(items)) return body;
  const [first, ...others] = items.map(normalizeItem);
  const moved = instructions === undefined && isJsonObject(first) ? readInput(first) : null;
  if (moved !== null) return { ...body, instructions: moved, input: others };
  return { ...body, input: first === undefined ? [] : [first, ...others] };
}

function readInput(item: JsonObject): string | null {
  const { content } = item;
  return readInstructions({ ...item, content: readContent(content) });
}

function normalizeItem(item: JsonValue): JsonValue {
  if (!isJsonObject(item)) return item;
  const { type, content, output } = item;
  const parts = Array.isArray(content) ? content.map(normalizePart) : content;
  if (type === 'message' && item.role !== 'assistant') {
    const { type: _, ...message } = item;
    return { ...message, content: parts ?? null };
  }
  return {
    ...item,
    ...(parts !== undefined && { content: parts }),
    ...(Array.isArray(output) && { output: output.map(normalizePart) }),
  };
}

function normalizePart(part: JsonValue): JsonValue {
  if (!isJsonObject(part) || part.type !== 'input_image') return part;
  return { ...part, detail: part.detail ?? 'auto' };
}

/** Inverse of `toMessageFields`, which `normalizeResponses` prepares. */
export function readMessageFields({ instructions, input }: JsonObject): JsonValue[] {
  return [
    ...(typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []),
    ...readItems(input),
  ];
}

/** Joins an answer's items into a message; keeps them if they aren't only text and calls. */
function readItems(input: JsonValue | undefined): JsonValue[] {
  if (!Array.isArray(input)) return [];
  const messages: JsonValue[] = [];
  let answer: JsonObject[] = [];
  const endAnswer = () => {
    if (answer.length > 0) messages.push(readAnswer(answer));
    answer = [];
  };
  for (const item of input) {
    const message = isJsonObject(item) ? readMessage(item) : item;
    if (message === null && isJsonObject(item)) {
      // Text starts another answer, unless reasoning came first.
      if (isAnswerText(item) && answer.every((known) => isAnswerText(known) || isPlainCall(known)))
        endAnswer();
      answer.push(item);
    } else {
      endAnswer();
      messages.push(message);
    }
  }
  endAnswer();
  return messages;
}

/** Returns null for an item of an answer. */
function readMessage(item: JsonObject): JsonObject | null {
  const { type, role, content, call_id: id, output } = item;
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    return { role: 'tool', content: readContent(output), tool_call_id: id ?? '' };
  }
  if (role === undefined || role === 'assistant') return null;
  return { role, content: readContent(content) };
}

function isAnswerText(item: JsonObject): boolean {
  const names = Object.keys(item);
  return (
    item.role === 'assistant' &&
    typeof item.content === 'string' &&
    names.every((name) => name === 'role' || name === 'content')
  );
}

const CALLS: ReadonlyMap<JsonValue, string> = new Map([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
]);

function isPlainCall(item: JsonObject): boolean {
  const text = CALLS.get(item.type ?? null);
  if (text === undefined) return false;
  const names = new Set(['type', 'call_id', 'name', text]);
  return Object.keys(item).every((name) => names.has(name));
}

function readAnswer(items: readonly JsonObject[]): JsonObject {
  const calls = items.filter(({ type }) => CALLS.has(type ?? null));
  const [first] = items;
  const hasText = first !== undefined && isAnswerText(first);
  const isSimple = calls.every(isPlainCall) && calls.length === items.length - (hasText ? 1 : 0);
  const text = items.map(readAnswerText).filter(Boolean).join('\n\n');
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length > 0 && { tool_calls: calls.map(readCall) }),
    ...(!isSimple && { items: [...items] }),
  };
}

function readAnswerText({ content, role }: JsonObject): string {
  if (role !== 'assistant') return '';
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('');
}

function readCall({ type, call_id: id, name, arguments: text, input }: JsonObject): JsonObject {
  if (type === 'custom_tool_call') {
    return { id: id ?? '', type: 'custom', custom: { name: name ?? '', input: input ?? '' } };
  }
  const called = { name: name ?? '', arguments: text ?? '{}' };
  return { id: id ?? '', type: 'function', function: called };
}

function readContent(content: JsonValue | undefined): JsonValue {
  return Array.isArray(content) ? content.map(readPart) : (content ?? '');
}

function readPart(part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part;
  const { type, ...more } = part;
  switch (type) {
    case 'input_text':
      return { ...more, type: 'text' };
    case 'input_image': {
      const { image_url: url, detail, ...others } = more;
      if (url === undefined) return part;
      const image = { url, ...(detail !== 'auto' && { detail: detail ?? null }), ...others };
      return { type: 'image_url', image_url: image };
    }
    case 'input_file': {
      const { file_url: url, ...others } = more;
      return { type: 'file', file: { ...others, ...(url !== undefined && { file_data: url }) } };
    }
    default:
      return part;
  }
}

export function readTool(tool: JsonValue): JsonValue {
  if (!isJsonObject(tool)) return tool;
  const { type, strict, ...more } = tool;
  if (type === 'function') {
    return { type, function: { ...more, ...(strict !== false && { strict: strict ?? null }) } };
  }
  if (type !== 'custom') return tool;
  const { format, ...others } = more;
  return {
    type,
    custom: { ...others, ...(format !== undefined && { format: readGrammar(format) }) },
  };
}

function readGrammar(format: JsonValue): JsonValue {
  if (!isJsonObject(format) || format.type !== 'grammar') return format;
  const { type, ...grammar } = format;
  return { type, grammar };
}

export function readToolChoice(choice: JsonValue): JsonValue {
  if (!isJsonObject(choice)) return choice;
  const { type, name, ...more } = choice;
  if (type === 'function' || type === 'custom') return { type, [type]: { name: name ?? '' } };
  if (type !== 'allowed_tools') return choice;
  const { tools } = more;
  const named = Array.isArray(tools) ? { tools: tools.map(readToolChoice) } : {};
  return { type, allowed_tools: { ...more, ...named } };
}

export function readTextFormat(format: JsonValue): JsonValue {
  if (!isJsonObject(format) || format.type !== 'json_schema') return format;
  const { type, ...schema } = format;
  return { type, json_schema: schema };
}
