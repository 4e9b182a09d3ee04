/** Reads a Responses request as a chat request, and checks reasoning that is sent back. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { createInvalidRequest, DemoError } from '../requests.ts';
import { openReasoning } from './signatures.ts';

export function toChatRequest(body: JsonObject): JsonObject {
  const { model, input, instructions, temperature, stream, tools, tool_choice: choice } = body;
  const { max_output_tokens: limit, top_p: topP, top_logprobs: alternatives, text } = body;
  const { effort } = isJsonObject(body.reasoning) ? body.reasoning : {};
  const format = isJsonObject(text) ? text.format : undefined;
  const functions = readObjects(tools).filter(({ type }) => type === 'function');
  return withoutUndefined({
    model,
    temperature,
    stream,
    top_p: topP,
    max_tokens: limit,
    reasoning_effort: effort,
    top_logprobs: alternatives,
    messages: [
      ...(typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []),
      ...toMessages(
        typeof input === 'string' ? [{ role: 'user', content: input }] : readObjects(input),
      ),
    ],
    tools: functions.length === 0 ? undefined : functions.map(toFunction),
    tool_choice: toToolChoice(choice),
    parallel_tool_calls: body.parallel_tool_calls,
    response_format: toResponseFormat(format),
  });
}

export function readObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function withoutUndefined(fields: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Merges the items of each answer into one message. */
function toMessages(items: readonly JsonObject[]): JsonObject[] {
  const messages: JsonObject[] = [];
  for (const item of items) {
    const message = toMessage(item);
    const last = messages.at(-1);
    if (message === null) continue;
    const media = message.role === 'tool' ? listMedia(item.output) : [];
    if (message.role !== 'assistant' || last?.role !== 'assistant') {
      messages.push(message, ...(media.length > 0 ? [{ role: 'user', content: media }] : []));
    } else {
      const calls = [...readObjects(last.tool_calls), ...readObjects(message.tool_calls)];
      last.content = message.content ?? last.content ?? null;
      if (calls.length > 0) last.tool_calls = calls;
    }
  }
  return messages;
}

function toMessage(item: JsonObject): JsonObject | null {
  const { type = 'message', role, content, call_id: id, name, arguments: text, input } = item;
  switch (type) {
    case 'message':
      return { role: role ?? 'user', content: toContent(content, role === 'assistant') };
    case 'function_call':
      return toCall({
        id: id ?? '',
        type: 'function',
        function: { name: name ?? '', arguments: text ?? '' },
      });
    case 'custom_tool_call':
      return toCall({
        id: id ?? '',
        type: 'custom',
        custom: { name: name ?? '', input: input ?? '' },
      });
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', tool_call_id: id ?? '', content: toContent(item.output, true) };
    default:
      return null;
  }
}

function toCall(call: JsonObject): JsonObject {
  return { role: 'assistant', content: null, tool_calls: [call] };
}

function toContent(content: JsonValue | undefined, isText: boolean): JsonValue {
  if (!Array.isArray(content)) return content ?? '';
  const parts = readObjects(content);
  if (isText) return parts.map(({ text, refusal }) => String(text ?? refusal ?? '')).join('');
  return parts.map(toPart);
}

function listMedia(content: JsonValue | undefined): JsonObject[] {
  return readObjects(content)
    .filter(({ type }) => type !== 'input_text')
    .map(toPart);
}

function toPart(part: JsonObject): JsonObject {
  const { type, text, image_url: url, detail = 'auto', input_audio: audio } = part;
  const { filename, file_data: data, file_url: address, file_id: id } = part;
  if (type === 'input_image') return { type: 'image_url', image_url: { url: url ?? '', detail } };
  if (type === 'input_audio') return { type, input_audio: audio ?? {} };
  if (type !== 'input_file') return { type: 'text', text: text ?? '' };
  return {
    type: 'file',
    file: withoutUndefined({ filename, file_data: data ?? address, file_id: id }),
  };
}

function toFunction({ name, description, parameters }: JsonObject): JsonObject {
  return { type: 'function', function: withoutUndefined({ name, description, parameters }) };
}

function toToolChoice(choice: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(choice)) return choice;
  return choice.type === 'function'
    ? { type: 'function', function: { name: choice.name ?? '' } }
    : undefined;
}

/** Messages and Responses have the schema next to its type. */
export function toResponseFormat(format: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(format) || format.type !== 'json_schema') return format;
  const { type, ...schema } = format;
  return { type, json_schema: schema };
}

/** Throws if reasoning was changed, isn't stored, or is missing before a call (`insists`). */
export function checkReasoning({ input, store }: JsonObject, insists: boolean): void {
  let isReasoned = false;
  for (const [at, { type, id, encrypted_content: data, content }] of readObjects(input).entries()) {
    const param = `input[${at}]`;
    if (type === 'reasoning') {
      isReasoned = true;
      if (typeof data === 'string') checkSecret(data, `${param}.encrypted_content`);
      else if (store === false && !Array.isArray(content))
        throw createNotStoredError(String(id), param);
    } else if (type === 'function_call' && !isReasoned && insists) {
      const message = `Item '${id ?? param}' of type 'function_call' was provided without its required 'reasoning' item.`;
      throw createInvalidRequest(message, param);
    } else if (type !== 'function_call') isReasoned = false;
  }
}

function checkSecret(data: string, param: string): void {
  if (openReasoning(data) !== null) return;
  const message = `The encrypted content ${data.slice(0, 8)}… could not be verified.`;
  throw createInvalidRequest(message, param, 'invalid_encrypted_content');
}

function createNotStoredError(id: string, param: string): DemoError {
  const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
  return new DemoError(404, message, { type: 'invalid_request_error', param });
}
