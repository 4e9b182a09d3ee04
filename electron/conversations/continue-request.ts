/** Builds the request that continues an answer, in the format of the gateway or model. */
import type { JsonObject } from '../../shared/json.ts';

export interface ContinuationTarget {
  baseUrl: string;
  model: string;
  /** The owner in the gateway's model list, such as `vllm`. */
  ownedBy: string | null;
}

const instruction =
  'Continue your last message exactly where it stopped. Don’t repeat any of it, and add no comment.';

/**
 * Ends the request with the answer so far, marked in the way that the gateway expects. Sources:
 * - https://api-docs.deepseek.com/guides/chat_prefix_completion
 * - https://docs.mistral.ai/api (`prefix`)
 * - https://platform.kimi.ai/docs/guide/use-partial-mode-feature-of-kimi-api
 * - https://help.aliyun.com/zh/model-studio/partial-mode
 * - https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
 * Other gateways continue a trailing assistant message without a mark.
 */
export function continueRequest(
  messages: readonly JsonObject[],
  target: ContinuationTarget,
): { messages: JsonObject[]; fields: JsonObject } {
  const last = messages.at(-1);
  if (last === undefined) return { messages: [], fields: {} };
  if (lacksPrefill(target.model)) {
    return { messages: [...messages, { role: 'user', content: instruction }], fields: {} };
  }
  const mark = getMark(target.baseUrl);
  if (mark !== null) {
    return { messages: [...messages.slice(0, -1), { ...last, [mark]: true }], fields: {} };
  }
  const isTemplated = /^(vllm|sglang)$/i.test(target.ownedBy ?? '');
  const fields: JsonObject = isTemplated
    ? { continue_final_message: true, add_generation_prompt: false }
    : {};
  return { messages: [...messages], fields };
}

/** Returns true for models that reject or ignore a trailing assistant message. */
function lacksPrefill(model: string): boolean {
  return (
    /(^|[/:.])(gpt-|chatgpt|o[134](-|$)|gemini)/i.test(model) ||
    /claude-(\w+-)?4[-.][6-9]|claude-[a-z]+-[5-9]/i.test(model)
  );
}

function getMark(baseUrl: string): 'prefix' | 'partial' | null {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  if (/(^|\.)(deepseek\.com|mistral\.ai)$/.test(host)) return 'prefix';
  return /(^|\.)(moonshot\.(ai|cn)|aliyuncs\.com)$/.test(host) ? 'partial' : null;
}
