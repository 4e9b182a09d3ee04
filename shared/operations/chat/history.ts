/** Builds the request messages of a branch, with answers as the gateway sent them. */

import type { ProviderFields } from '../../conversation.ts';
import { isJsonObject, type JsonObject, type JsonValue, toJson } from '../../json.ts';
import { createImagePart, readAnswerPart } from './answer-parts.ts';
import {
  FUNCTION_CALL_ID,
  hasProviderItems,
  isThought,
  REASONING_FIELDS,
  type ToolCallView,
} from './answer-view.ts';
import { writeArguments } from './call-arguments.ts';
import { splitAtImages } from './inline-images.ts';
import {
  type Content,
  type ContentPart,
  getMediaId,
  getSource,
  type Role,
  type ToolCall,
  type WireMessage,
} from './message.ts';
import { sortResults } from './open-calls.ts';
import { joinTextFiles } from './text-file.ts';

/** The default format of a chat request, and of the messages that Gatehouse builds. */
export const CHAT_COMPLETIONS = 'chat-completions';

export interface BranchMessage {
  role: Role;
  content: Content;
  name: string | null;
  reasoning: string | null;
  toolCalls: ToolCall[];
  toolCallId: string | null;
  /** Null unless a tool's result was computed by Gatehouse. */
  callRecord: { failed: boolean } | null;
  audio: { id: string | null; transcript: string; expiresAt: number | null } | null;
  /** Null if the user wrote or edited the message. */
  wire: WireMessage | null;
}

interface HistoryOptions {
  providerFields: ProviderFields;
  /** The request's format; undefined for chat completions. Answers of other formats are converted. */
  format?: JsonValue | undefined;
  /** Unix time in seconds. */
  now: number;
  /** Sends the last turn's answers as they came, whatever `providerFields` says. */
  keepsLast?: boolean;
}

/** Skips answers without content, because gateways reject an empty assistant message. */
export function buildChatMessages(
  systemMessage: string,
  path: readonly BranchMessage[],
  options: HistoryOptions,
): JsonObject[] {
  const { format = CHAT_COMPLETIONS } = options;
  const messages: JsonObject[] = [];
  if (systemMessage.trim() !== '') messages.push({ role: 'system', content: systemMessage });
  const calls = new Map<string, Pick<ToolCall, 'function'>>();
  const ids = new Map<string, JsonValue>();
  // Results are stored as they arrive; some gateways match them to the calls by position.
  const turns = splitTurns(sortResults(path));
  for (const turn of turns) {
    const isLast = options.keepsLast === true && turn === turns.at(-1);
    const isKept = isLast || keepsReasoning(turn, options);
    for (const message of turn) {
      if (message.role === 'tool') {
        messages.push(writeToolMessage(message, ids, calls));
        continue;
      }
      if (message.role !== 'assistant') {
        messages.push({
          role: message.role,
          content: toJson(joinTextFiles(message.content)),
          ...getNameField(message),
        });
        continue;
      }
      for (const call of readWireCalls(message.wire ?? { message: {} }))
        ids.set(String(call.id), call.id ?? null);
      for (const call of message.toolCalls) calls.set(call.id, call);
      const isForeign = message.wire !== null && message.wire.format !== format;
      const sent = isForeign ? { ...message, reasoning: null, wire: null } : message;
      const answer = writeAssistantMessage(sent, isKept, ids, options);
      if (answer !== null) messages.push(answer);
    }
  }
  return messages;
}

/** A turn starts with user messages and ends before the next ones. */
function splitTurns(path: readonly BranchMessage[]): BranchMessage[][] {
  const turns: BranchMessage[][] = [];
  for (const message of path) {
    const turn = turns.at(-1);
    if (turn === undefined || message.role === 'user') turns.push([message]);
    else turn.push(message);
  }
  return turns;
}

/**
 * DeepSeek and Kimi require the reasoning of a turn that calls tools; search results and generated
 * images spare the model from looking again; OpenAI recommends to keep the phases of messages.
 */
function keepsReasoning(
  turn: readonly BranchMessage[],
  { providerFields }: HistoryOptions,
): boolean {
  if (providerFields !== 'automatic') return providerFields === 'always';
  return turn.some(
    ({ toolCalls, wire }) => toolCalls.length > 0 || hasProviderItems(wire?.message),
  );
}

function getNameField({ name }: BranchMessage): JsonObject {
  return name ? { name } : {};
}

/** A result of the older `function_call` has a function name instead of an ID. */
function writeToolMessage(
  message: BranchMessage,
  ids: ReadonlyMap<string, JsonValue>,
  calls: ReadonlyMap<string, Pick<ToolCall, 'function'>>,
): JsonObject {
  const { content, toolCallId, callRecord } = message;
  const isError = callRecord?.failed === true ? { is_error: true } : {};
  const name = calls.get(toolCallId ?? '')?.function.name ?? '';
  if (toolCallId === FUNCTION_CALL_ID) {
    return { role: 'function', name, content: toJson(content), ...isError };
  }
  return {
    role: 'tool',
    content: toJson(content),
    ...getNameField(message),
    ...(toolCallId && { tool_call_id: ids.get(toolCallId) ?? toolCallId }),
    ...isError,
  };
}

/**
 * Fields to send back: Gemini puts the signature of an answer without calls in `extra_content`, and
 * other formats keep the received output in `items`.
 */
const KEPT_FIELDS = [...REASONING_FIELDS, 'extra_content', 'items'];

function writeAssistantMessage(
  message: BranchMessage,
  isKept: boolean,
  ids: ReadonlyMap<string, JsonValue>,
  options: HistoryOptions,
): JsonObject | null {
  const { toolCalls, reasoning, wire } = message;
  const spoken = getSpoken(message, options);
  const content = isKept ? restoreContent(message) : toJson(message.content);
  const hasContent = typeof content === 'string' ? content !== '' : isFilled(content);
  const hasItems = isKept && hasProviderItems(wire?.message);
  if (!hasContent && !hasItems && toolCalls.length === 0 && spoken === null) return null;
  const sent: JsonObject = { role: 'assistant', ...getNameField(message) };
  sent.content = hasContent ? content : null;
  const older = toolCalls.find(({ id }) => id === FUNCTION_CALL_ID);
  if (older) sent.function_call = sendFunction(older.function, options);
  const calls = toolCalls.filter((call) => call !== older);
  if (calls.length > 0) sent.tool_calls = calls.map((call) => sendCall(call, ids, options));
  if (isKept && wire !== null) {
    for (const name of KEPT_FIELDS) {
      const value = wire.message[name];
      if (value !== undefined && value !== null) sent[name] = value;
    }
  } else if (isKept && reasoning) sent.reasoning_content = reasoning;
  return hasContent ? sent : { ...sent, ...spoken };
}

interface SentProviderFields {
  /** The number of answers with reasoning, including signatures. */
  reasoning: number;
  /** The number of tool calls with fields that aren't in the API, such as a signature. */
  calls: number;
  /** The number of spoken answers that are sent by ID. */
  audio: number;
}

/** Counts the provider-specific fields in the request messages. */
export function countProviderFields(messages: readonly JsonObject[]): SentProviderFields {
  const counts = { reasoning: 0, calls: 0, audio: 0 };
  for (const { role, content, audio, tool_calls: calls, ...rest } of messages) {
    if (role !== 'assistant') continue;
    const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
    const isReasoned = KEPT_FIELDS.some((name) => rest[name] !== undefined);
    if (isReasoned || parts.some(isThought)) counts.reasoning += 1;
    if (audio !== undefined) counts.audio += 1;
    if (Array.isArray(calls)) counts.calls += calls.filter(hasProviderFields).length;
  }
  return counts;
}

function hasProviderFields(call: JsonValue): boolean {
  return Object.keys(getProviderFields(call)).length > 0;
}

function getProviderFields(call: JsonValue): JsonObject {
  if (!isJsonObject(call)) return {};
  const { id: _id, type: _type, function: called, custom, ...more } = call;
  const { name: _name, arguments: _text, ...inner } = isJsonObject(called) ? called : {};
  return { ...more, ...(custom === undefined && inner) };
}

/** Returns the names of provider-specific fields in the request messages. */
export function listProviderFields(messages: readonly JsonObject[]): Set<string> {
  const names = new Set<string>();
  function add(value: JsonValue, isOuter: boolean): void {
    if (Array.isArray(value)) for (const item of value) add(item, isOuter);
    if (!isJsonObject(value)) return;
    for (const [name, item] of Object.entries(value)) {
      // Inner names such as `text` are too common to identify a field.
      if (isOuter || /signature|reasoning|thinking|thought/i.test(name)) names.add(name);
      add(item, false);
    }
  }
  for (const { role, content, audio, tool_calls: calls, ...rest } of messages) {
    if (role !== 'assistant') continue;
    const sent = KEPT_FIELDS.filter((name) => rest[name] !== undefined);
    add(Object.fromEntries(sent.map((name) => [name, rest[name] ?? null])), true);
    for (const part of Array.isArray(content) ? content : []) {
      if (!isJsonObject(part) || !isThought(part)) continue;
      names.add(String(part.type));
      add(part, false);
    }
    if (audio !== undefined) names.add('audio');
    if (Array.isArray(calls)) add(calls.map(getProviderFields), true);
  }
  return names;
}

function isFilled(content: JsonValue): boolean {
  return Array.isArray(content) && content.length > 0;
}

/** Returns the audio's ID, or its transcript once the ID has expired. */
function getSpoken({ audio, wire }: BranchMessage, options: HistoryOptions): JsonObject | null {
  const refusal = wire?.message.refusal;
  if (audio === null) return typeof refusal === 'string' && refusal ? { content: refusal } : null;
  const { id, transcript, expiresAt } = audio;
  const isValid = id !== null && (expiresAt === null || expiresAt > options.now);
  if (isValid && options.providerFields !== 'never') return { audio: { id } };
  return { content: transcript === '' ? '[audio without a transcript]' : transcript };
}

/** Keeps reasoning that is part of the content, as `<think>` tags or `thinking` parts. */
function restoreContent({ content, wire }: BranchMessage): JsonValue {
  const received = wire?.message.content;
  if (typeof received === 'string') return withImages(received, content);
  if (!Array.isArray(received)) return toJson(content);
  const thoughts = received.filter((part) => isJsonObject(part) && isThought(part));
  if (thoughts.length === 0) return toJson(content);
  return received.flatMap((part): JsonValue[] => {
    if (!isJsonObject(part)) return [];
    if (isThought(part)) return [part];
    if (part.type === 'text' && typeof part.text === 'string') {
      return splitText(part.text, content).map((piece) =>
        piece.type === 'text' ? { ...part, text: piece.text } : toJson(piece),
      );
    }
    const read = readAnswerPart(part, () => {});
    return read === null ? [] : [toJson(read)];
  });
}

/** Returns the text as received, but with images as separate parts. */
function withImages(received: string, content: Content): JsonValue {
  if (typeof content === 'string') return received;
  const pieces = splitText(received, content);
  const placed = new Set(pieces.map(getSource));
  const others = content.filter((part) => part.type !== 'text' && !placed.has(getSource(part)));
  return toJson([...pieces, ...others]);
}

function splitText(text: string, content: Content): ContentPart[] {
  const stored =
    typeof content === 'string' ? [] : content.flatMap((part) => getMediaId(part) ?? []);
  return splitAtImages(text, stored).flatMap((piece): ContentPart[] => {
    if (typeof piece !== 'string') return [createImagePart(piece.url)];
    return piece === '' ? [] : [{ type: 'text', text: piece }];
  });
}

function sendCall(
  { id, function: called, ...rest }: ToolCall,
  ids: ReadonlyMap<string, JsonValue>,
  options: HistoryOptions,
): JsonObject {
  const sentId = ids.get(id) ?? id;
  const { custom } = rest;
  const more = options.providerFields === 'never' ? {} : toJsonObject(rest);
  if (isJsonObject(custom)) return { ...more, id: sentId, type: 'custom', custom };
  return { ...more, id: sentId, type: 'function', function: sendFunction(called, options) };
}

function sendFunction(
  { name, arguments: text, ...rest }: ToolCall['function'],
  { providerFields }: HistoryOptions,
): JsonObject {
  const more = providerFields === 'never' ? {} : toJsonObject(rest);
  return { ...more, name, arguments: writeArguments(text) };
}

/** Returns the calls with every field received; a call without an ID gets one. */
export function toStoredCalls(message: JsonObject, calls: readonly ToolCallView[]): ToolCall[] {
  const received = readWireCalls({ message });
  return calls.map(({ id, name, arguments: text }, index) => {
    const { function: called, ...call } = received[index] ?? {};
    const isWrapped = isJsonObject(called) || isJsonObject(call.custom);
    const { name: _name, arguments: _text, ...more } = call;
    return {
      ...(isWrapped ? call : more),
      id: id === '' ? `call_${index}` : id,
      type: isJsonObject(call.custom) ? 'custom' : 'function',
      function: { ...(isJsonObject(called) && called), name, arguments: text },
    };
  });
}

function toJsonObject(value: object): JsonObject {
  const json = toJson(value);
  return isJsonObject(json) ? json : {};
}

function readWireCalls({ message }: { message: JsonObject }): JsonObject[] {
  return [message.tool_calls].flat().filter(isJsonObject);
}
