/** Estimates how much of the model's context the next request needs. */
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { estimateTokens } from '../../../../shared/estimate-tokens.ts';
import type { Content } from '../../../../shared/operations/chat/message.ts';
import { getTokenCounts } from '../../../../shared/operations/response/usage.ts';

/** Token counts for each part of the next request. */
export interface ContextSize {
  /** Includes the system message and tools if `isCounted`. */
  messages: number;
  /** The system message, the tools and the response format. */
  instructions: number;
  draft: number;
  total: number;
  /** The gateway counted the messages up to the last answer. */
  isCounted: boolean;
}

interface ContextParts {
  path: readonly TreeMessage[];
  /** The text of the system message, the tools and the response format. */
  instructions: string;
  draft: { text: string; parts: Exclude<Content, string> };
}

export function estimateContext({ path, instructions, draft }: ContextParts): ContextSize {
  const counted = path.findLastIndex((message) => getCounted(message) !== null);
  const last = path[counted];
  const known = last === undefined ? null : getCounted(last);
  const rest = path.slice(counted + 1).reduce((sum, message) => sum + getTokens(message), 0);
  const size = {
    messages: Math.ceil((known ?? 0) + rest),
    instructions: known === null ? Math.ceil(estimateTokens(instructions)) : 0,
    draft: Math.ceil(estimateTokens(draft.text) + getContentTokens(draft.parts)),
  };
  const total = size.messages + size.instructions + size.draft;
  return { ...size, total, isCounted: known !== null };
}

/** Returns the tokens of an answer and all before it; null if the gateway didn't count them. */
function getCounted({ run }: TreeMessage): number | null {
  const { input, output, reasoning } = getTokenCounts(run?.figures?.usage ?? null);
  // Reasoning is usually not sent again.
  return input === null ? null : input + Math.max(0, (output ?? 0) - (reasoning ?? 0));
}

/** Caches estimates, so that each message is estimated only once. */
const estimates = new WeakMap<TreeMessage, number>();

function getTokens(message: TreeMessage): number {
  const known = estimates.get(message);
  if (known !== undefined) return known;
  const calls = message.toolCalls.length === 0 ? '' : JSON.stringify(message.toolCalls);
  const tokens = getContentTokens(message.content) + estimateTokens(calls);
  estimates.set(message, tokens);
  return tokens;
}

/** Models count an image as between 85 and 1,600 tokens. */
const IMAGE_TOKENS = 1000;

/** Skips audio, video and files, whose token counts depend on their content. */
function getContentTokens(content: Content): number {
  if (typeof content === 'string') return estimateTokens(content);
  return content.reduce((sum, part) => {
    if (part.type === 'text') return sum + estimateTokens(part.text);
    return part.type === 'image_url' ? sum + IMAGE_TOKENS : sum;
  }, 0);
}

/** Returns the output tokens of each answer that the gateway counted. */
export function listOutputs(path: readonly TreeMessage[]): number[] {
  return path.flatMap(({ run }) => getTokenCounts(run?.figures?.usage ?? null).output ?? []);
}
