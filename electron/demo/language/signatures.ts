/** Signs tool calls, signs and encrypts reasoning, and checks what clients send back. */
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { getCalled, type Message } from '../../../shared/operations/chat/message.ts';
import { createInvalidRequest } from '../requests.ts';

/** Not a secret: signatures only reveal whether a client changed what it sent back. */
const KEY = 'demo-signed';

function sign(...texts: string[]): string {
  return createHmac('sha256', KEY).update(texts.join('\n')).digest('base64');
}

export function signThinking(text: string): string {
  return sign(text);
}

/** Fields of a signed tool call, in the format Gemini uses for chat completions. */
export function signCall(name: string, text: string): JsonObject {
  return { extra_content: { google: { thought_signature: sign(name, text) } } };
}

/** The last piece of reasoning carries the signature for all of it. */
export function signReasoning(text: string, whole: string | null): JsonObject {
  const detail: JsonObject = { type: 'reasoning.text', index: 0, format: 'demo-v1', text };
  if (whole !== null) detail.signature = sign(whole);
  return { reasoning_details: [detail] };
}

/**
 * Throws a 400 if any signature is wrong, or missing from a tool call since the last user message
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
export function checkSignatures(messages: readonly Message[]): void {
  const turn = messages.findLastIndex(({ role }) => role === 'user');
  for (const [at, message] of messages.entries()) {
    for (const [position, call] of (message.tool_calls ?? []).entries()) {
      const { name, arguments: text } = getCalled(call);
      const signature = readSignature(call.extra_content);
      const param = `messages[${at}].tool_calls[${position}]`;
      if (signature === null && at > turn)
        throw createInvalidRequest(describeMissing(name, position), param);
      if (signature !== null && signature !== sign(name, text)) {
        throw createInvalidRequest('Corrupted thought signature.', param);
      }
    }
    const { reasoning_details: details } = message;
    for (const detail of Array.isArray(details) ? details : []) checkReasoning(detail, at);
  }
}

function describeMissing(name: string, position: number): string {
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
  throw createInvalidRequest('Corrupted thought signature.', `messages[${at}].reasoning_details`);
}

const CIPHER = 'aes-256-gcm';
const CIPHER_KEY = createHash('sha256').update(KEY).digest();
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts reasoning so only the gateway can read it; equal texts give equal results. */
export function sealReasoning(text: string): string {
  const iv = createHmac('sha256', KEY).update(text).digest().subarray(0, IV_BYTES);
  const cipher = createCipheriv(CIPHER, CIPHER_KEY, iv, { authTagLength: TAG_BYTES });
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64');
}

/** Returns null if the text was changed or isn't from `sealReasoning`. */
export function openReasoning(sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  if (tag.length < TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, CIPHER_KEY, iv, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(tag);
    const rest = bytes.subarray(IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(rest), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
