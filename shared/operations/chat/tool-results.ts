/** Arranges tool results as a format accepts them: order, errors, and media that move. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { FUNCTION_CALL_ID } from './answer-view.ts';

/** Describes the tool results of a format. */
export interface ResultRules {
  /** Types of content parts; other parts follow in a user message. */
  parts: ReadonlySet<JsonValue>;
  /** If false, the text of a failed result begins with “Error:”. */
  hasErrors: boolean;
}

/**
 * Puts results in the order of their calls, because some gateways pair them by position, and moves
 * media that results can't have into a user message after them.
 */
export function arrangeResults(messages: readonly JsonObject[], rules: ResultRules): JsonObject[] {
  const arranged: JsonObject[] = [];
  let calls: Call[] = [];
  for (let at = 0; at < messages.length; ) {
    const message = messages[at];
    if (message === undefined) break;
    if (!isResult(message)) {
      if (message.role === 'assistant') calls = listCalls(message);
      arranged.push(message);
      at += 1;
      continue;
    }
    const count = countResults(messages, at);
    const sorted = sortByCall(messages.slice(at, at + count), calls);
    arranged.push(...sorted.map((result) => writeResult(result, rules)));
    const media = sorted.flatMap((result) => listMoved(result, calls, rules));
    if (media.length > 0) arranged.push({ role: 'user', content: media });
    at += count;
  }
  return arranged;
}

interface Call {
  id: string;
  name: string;
}

function listCalls({ tool_calls: calls, function_call: older }: JsonObject): Call[] {
  const list = Array.isArray(calls) ? calls.filter(isJsonObject) : [];
  const named = list.map(({ id, function: called, custom }) => {
    const { name } = [called, custom].find(isJsonObject) ?? {};
    return { id: String(id), name: String(name ?? '') };
  });
  if (!isJsonObject(older)) return named;
  return [...named, { id: FUNCTION_CALL_ID, name: String(older.name ?? '') }];
}

function isResult({ role }: JsonObject): boolean {
  return role === 'tool' || role === 'function';
}

function countResults(messages: readonly JsonObject[], from: number): number {
  const end = messages.findIndex((message, at) => at >= from && !isResult(message));
  return (end === -1 ? messages.length : end) - from;
}

function getCallId({ role, tool_call_id: id }: JsonObject): string {
  return role === 'function' ? FUNCTION_CALL_ID : String(id);
}

/** Results of unknown calls stay last. */
function sortByCall(results: readonly JsonObject[], calls: readonly Call[]): JsonObject[] {
  const getPlace = (result: JsonObject) => {
    const place = calls.findIndex(({ id }) => id === getCallId(result));
    return place === -1 ? calls.length : place;
  };
  return results.toSorted((one, other) => getPlace(one) - getPlace(other));
}

function listParts({ content }: JsonObject): JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

function writeResult(result: JsonObject, rules: ResultRules): JsonObject {
  const { is_error: isError, ...sent } = result;
  const parts = listParts(result);
  const kept = parts.filter(({ type }) => rules.parts.has(type ?? null));
  const isMoved = kept.length < parts.length;
  const content = !isMoved ? (sent.content ?? '') : joinTexts(kept) || FOLLOWS;
  if (isError !== true) return isMoved ? { ...sent, content } : sent;
  return rules.hasErrors
    ? { ...sent, content, is_error: true }
    : { ...sent, content: markError(content) };
}

const FOLLOWS = 'The result follows in the next message.';

/** Gateways that allow only text in results also expect it as a string. */
function joinTexts(parts: readonly JsonObject[]): JsonValue {
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.length === parts.length ? texts.join('\n') : [...parts];
}

function markError(content: JsonValue): JsonValue {
  if (typeof content === 'string') {
    if (/^\s*error\b/i.test(content)) return content;
    return content === '' ? 'Error: The tool failed.' : `Error: ${content}`;
  }
  return Array.isArray(content) ? [{ type: 'text', text: 'Error:' }, ...content] : content;
}

/** Returns the parts that results can't have, after a sentence that names the tool. */
function listMoved(result: JsonObject, calls: readonly Call[], { parts }: ResultRules) {
  const moved = listParts(result).filter(({ type }) => !parts.has(type ?? null));
  if (moved.length === 0) return [];
  const name = calls.find(({ id }) => id === getCallId(result))?.name;
  const tool = name === undefined || name === '' ? 'a tool' : `the tool ${name}`;
  const kinds = [...new Set(moved.map(({ type }) => getKind(type ?? null)))].join(', ');
  return [{ type: 'text', text: `Returned by ${tool} (${kinds}):` }, ...moved];
}

const kinds: ReadonlyMap<JsonValue, string> = new Map([
  ['image_url', 'image'],
  ['input_audio', 'audio'],
  ['video_url', 'video'],
]);

function getKind(type: JsonValue): string {
  return kinds.get(type) ?? String(type);
}
