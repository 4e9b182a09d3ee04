/** Detects that a gateway rejected provider-specific fields of earlier answers. */
import type { ProviderFields } from '../../conversation.ts';
import type { AppError } from '../../errors.ts';

export interface RejectedFields {
  /** A sentence that explains the rejection. */
  explanation: string;
  /** A setting with which the request may succeed. */
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

/** Returns null if the error doesn't name such a field, or if no other setting would help. */
export function readRejectedFields(
  { gateway }: Pick<AppError, 'gateway'>,
  sent: ProviderFields,
): RejectedFields | null {
  if (gateway === null || (gateway.status !== 400 && gateway.status !== 422)) return null;
  const text = `${gateway.message ?? ''} ${gateway.param ?? ''}`;
  const field = findField(text);
  if (field === null) return null;
  if (MISSING.test(text)) {
    if (sent === 'always') return null;
    return {
      explanation: `The model needs ${field} back from its earlier answers, and the request left it out.`,
      setting: 'always',
    };
  }
  if (!UNWANTED.test(text) || sent === 'never') return null;
  return {
    explanation: `The gateway doesn’t accept ${field}, which came with an earlier answer.`,
    setting: 'never',
  };
}

function findField(text: string): string | null {
  const own = FIELD.exec(text) ?? (IN_MESSAGE.test(text) ? SHARED_NAME.exec(text) : null);
  return (own ?? (IN_THOUGHT.test(text) ? SIGNATURE.exec(text) : null))?.[0] ?? null;
}
