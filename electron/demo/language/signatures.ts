/** Signs tool calls and reasoning, and checks the signatures that a follow-up sends back. */
import { createHmac } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { getCalled, type Message } from '../../../shared/operations/chat/message.ts';
import { invalidRequest } from '../requests.ts';

/** Not a secret: the signature only shows whether a client changed what it sends back. */
const KEY = 'demo-signed';

function sign(...texts: string[]): string {
  return createHmac('sha256', KEY).update(texts.join('\n')).digest('base64');
}

/** The fields of a signed tool call, as Gemini sends them through chat completions. */
export function signCall(name: string, text: string): JsonObject {
  return { extra_content: { google: { thought_signature: sign(name, text) } } };
}

/** The last piece of the reasoning has the signature of all of it. */
export function signReasoning(text: string, whole: string | null): JsonObject {
  const detail: JsonObject = { type: 'reasoning.text', index: 0, format: 'demo-v1', text };
  if (whole !== null) detail.signature = sign(whole);
  return { reasoning_details: [detail] };
}

/**
 * Throws a 400 if a tool call since the last user message has no signature
 * (https://ai.google.dev/gemini-api/docs/thought-signatures), or if any signature doesn't fit.
 */
export function checkSignatures(messages: readonly Message[]): void {
  const turn = messages.findLastIndex(({ role }) => role === 'user');
  for (const [at, message] of messages.entries()) {
    for (const [position, call] of (message.tool_calls ?? []).entries()) {
      const { name, arguments: text } = getCalled(call);
      const signature = readSignature(call.extra_content);
      const param = `messages[${at}].tool_calls[${position}]`;
      if (signature === null && at > turn) throw invalidRequest(missing(name, position), param);
      if (signature !== null && signature !== sign(name, text)) {
        throw invalidRequest('Corrupted thought signature.', param);
      }
    }
    const { reasoning_details: details } = message;
    for (const detail of Array.isArray(details) ? details : []) checkReasoning(detail, at);
  }
}

function missing(name: string, position: number): string {
  return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Function call \`default_api:${name}\`, position ${position + 1}.`;
}

function readSignature(extra: unknown): string | null {
  const google = isJsonObject(extra) ? extra.google : null;
  const signature = isJsonObject(google) ? google.thought_signature : null;
  return typeof signature === 'string' ? signature : null;
}

function checkReasoning(detail: unknown, at: number): void {
  if (!isJsonObject(detail) || typeof detail.signature !== 'string') return;
  if (detail.signature === sign(String(detail.text))) return;
  throw invalidRequest('Corrupted thought signature.', `messages[${at}].reasoning_details`);
}
