/** Adds a `delta` or `message` to a choice; avoids zod for speed (see choices-fold.ts). */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { ChoiceSource, ReceivedChoice } from '../response/choices-fold.ts';
import { readChoiceEnd } from '../response/finish-reason.ts';
import type { FoldBatch } from '../response/fold-batch.ts';
import { addChoiceFields } from '../response/other-fields.ts';
import { toDisplayText, type Warn } from '../response/values.ts';
import { countOutput, type Merge, mergeObject } from './merge-delta.ts';
import type { ChatChoice } from './state.ts';
import { mergeFunctionCall, mergeToolCalls } from './tool-calls.ts';

export function createChatChoice(index: number): ChatChoice {
  return {
    index,
    message: {},
    other: {},
    ended: false,
    growing: {},
    finishReason: null,
  };
}

/**
 * Returns the same object if the delta added nothing, or only to parts that the batch has already
 * copied.
 */
export function addToChoice(
  choice: ChatChoice,
  received: ReceivedChoice,
  { isFirst, source, batch }: { isFirst: boolean; source: ChoiceSource; batch: FoldBatch },
  warn: Warn,
): ChatChoice {
  const delta = getDelta(received.value, warn);
  const whole = source === 'document';
  const chunkMode = delta === received.value.message ? 'whole' : 'delta';
  const mode = source === 'chunks' ? 'joined' : chunkMode;
  const merge: Merge = { warn, mode, growing: choice.growing, output: 0, batch };
  const message = whole ? delta : mergeDelta(choice.message, delta, merge);
  const hasOutput = whole ? countOutput(delta) > 0 : merge.output > 0;
  batch.output += Math.max(0, merge.output);
  const piece = { isFirst: isFirst && !whole, hasOutput };
  const end = readChoiceEnd(choice, received.value.finish_reason, piece, warn);
  const other = addChoiceFields(choice.other, received.value, batch, warn);
  const isSame =
    message === choice.message &&
    other === choice.other &&
    end.finishReason === choice.finishReason;
  if (isSame && !hasOutput) return choice;
  const { index } = choice;
  return { index, message, other, ended: whole, growing: merge.growing, ...end };
}

/** Ends the text of a choice; returns the same object if it had already ended. */
export function endChoice(choice: ChatChoice): ChatChoice {
  if (choice.ended) return choice;
  const { tool_calls: calls } = choice.message;
  if (!Array.isArray(calls)) return { ...choice, ended: true, growing: {} };
  // Only deltas have an `index`.
  const withoutIndex = calls.map((call): JsonValue => {
    if (!isJsonObject(call)) return call;
    const { index: _, ...rest } = call;
    return rest;
  });
  const message = { ...choice.message, tool_calls: withoutIndex };
  return { ...choice, message, ended: true, growing: {} };
}

/** `tool-calls.ts` joins these fields. */
const CALL_FIELDS: ReadonlySet<string> = new Set(['tool_calls', 'function_call']);

function mergeDelta(message: JsonObject, delta: JsonObject, merge: Merge): JsonObject {
  const { content } = delta;
  const isText = typeof content === 'string' || content === undefined;
  const read = isText ? delta : { ...delta, content: readContent(content, merge.warn) };
  let merged = mergeObject(message, read, merge, '', CALL_FIELDS);
  const { tool_calls: calls, function_call: call } = delta;
  if (calls !== undefined && calls !== null) {
    const before = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    const joined = mergeToolCalls(before, calls, merge);
    if (joined !== before) merged = merge.batch.set(merged, 'tool_calls', joined);
  }
  if (isJsonObject(call)) {
    const joined = mergeFunctionCall(message.function_call, call, merge);
    if (joined !== message.function_call) {
      merged = merge.batch.set(merged, 'function_call', joined);
    }
  }
  return merged;
}

/** Turns a single part into a list, because only texts and lists can be joined. */
function readContent(content: JsonValue, warn: Warn): JsonValue {
  if (typeof content === 'string' || content === null || Array.isArray(content)) return content;
  if (isJsonObject(content)) return [content];
  warn('The content is neither text nor a list of parts.');
  return toDisplayText(content);
}

/** Also accepts a `message` instead of a `delta`, a bare `text`, or only a finish reason. */
function getDelta(value: JsonObject, warn: Warn): JsonObject {
  const { delta, message, text } = value;
  if (isJsonObject(delta)) return delta;
  if (isJsonObject(message)) return message;
  const stray = [delta, message, text].find((item) => item !== undefined && item !== null);
  if (stray === undefined) return {};
  warn('A chunk of the answer has no delta or message.');
  return { content: stray };
}
