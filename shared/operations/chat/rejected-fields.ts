/** Detects that a gateway rejected provider-specific fields of earlier answers. */
import type { ProviderFields } from '../../conversation.ts';
import type { AppError, GatewayDetails } from '../../errors.ts';
import type { JsonObject } from '../../json.ts';
import { listProviderFields } from './history.ts';

export interface RejectedFields {
  /** A sentence that explains the rejection. */
  explanation: string;
  /** A setting that may make the request succeed. */
  setting: ProviderFields;
}

/** Only messages have these fields. */
const FIELD =
  /(?<!\w)(?:reasoning_(?:content|details|text|opaque|signature)|thinking_blocks|thought_?signatures?|extra_content)(?!\w)/i;
/** Requests have options of the same names, such as `thinking.budget_tokens`. */
const SHARED_NAME = /(?<!\w)(?:reasoning|thinking)(?![\w-]|\.(?!\d|signature)\w)/i;
const SIGNATURE = /(?<!\w)signatures?(?!\w)/i;
const IN_MESSAGE = /messages?[.[]\d|\bassistant\b|\bblocks?\b/i;
const IN_THOUGHT = /messages?[.[]\d|think|thought|reasoning/i;
const UNWANTED =
  /extra inputs?|extra_forbidden|not permitted|not allowed|unknown|unrecognized|unsupported|not supported|unexpected|additional propert|invalid/i;
const MISSING =
  /missing|must be (?:passed|provided|included|set)|required|passed back|expected .* to start/i;

type Rejection = Pick<AppError, 'gateway'>;

/** Returns true if the error may be about a field of an earlier answer. */
export function mayNameFields({ gateway }: Rejection): boolean {
  return (
    isBadRequest(gateway) && (MISSING.test(getText(gateway)) || UNWANTED.test(getText(gateway)))
  );
}

/**
 * Returns null if the error names no such field, if an unwanted field wasn't in `messages`, or if no
 * other setting would help.
 */
export function readRejectedFields(
  { gateway }: Rejection,
  setting: ProviderFields,
  messages: readonly JsonObject[],
): RejectedFields | null {
  if (!isBadRequest(gateway)) return null;
  const text = getText(gateway);
  const [named] = findFields(text);
  if (MISSING.test(text) && named !== undefined) {
    const hasAnswer = messages.some(({ role }) => role === 'assistant');
    if (setting === 'always' || !hasAnswer) return null;
    return {
      explanation: `The model needs ${named} back from its earlier answers, and the request left it out.`,
      setting: 'always',
    };
  }
  if (!UNWANTED.test(text) || setting === 'never') return null;
  const field = findSentField(text, [...listProviderFields(messages)]);
  if (field === null) return null;
  return {
    explanation: `The gateway doesn’t accept ${field}, which came with an earlier answer.`,
    setting: 'never',
  };
}

/** Gateways that report errors with status 200 put the provider's status into the code. */
function isBadRequest(gateway: GatewayDetails | null): gateway is GatewayDetails {
  const { status, code } = gateway ?? { status: null, code: null };
  return [400, 422].includes(status === 200 ? Number(code) : (status ?? 0));
}

function getText({ message, param }: GatewayDetails): string {
  return `${message ?? ''} ${param ?? ''}`;
}

/** Returns the fields of messages that the text names, the most specific one first. */
function findFields(text: string): string[] {
  const find = (pattern: RegExp) => pattern.exec(text)?.[0] ?? [];
  return [
    find(FIELD),
    IN_MESSAGE.test(text) ? find(SHARED_NAME) : [],
    IN_THOUGHT.test(text) ? find(SIGNATURE) : [],
  ].flat();
}

/** A general name such as `reasoning` may stand for any field with that word. */
function findSentField(text: string, sent: readonly string[]): string | null {
  const plain = sent.map(normalizeName);
  const isSent = (field: string) => {
    const name = normalizeName(field);
    return FIELD.test(field) ? plain.includes(name) : plain.some((one) => one.includes(name));
  };
  const named = findFields(text).find(isSent);
  if (named !== undefined || !IN_MESSAGE.test(text)) return named ?? null;
  const words = new Set(text.match(/\w+/g)?.map(normalizeName));
  return sent.find((name) => words.has(normalizeName(name))) ?? null;
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/_|s$/g, '');
}
