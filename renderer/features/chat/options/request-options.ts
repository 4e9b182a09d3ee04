/** What the options of a conversation add to its request. */
import type { ConversationOptions, ToolChoice } from '../../../../shared/conversation-options.ts';
import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import { toJson } from '../../../../shared/to-json.ts';
import type { SavedTool } from '../../../../shared/tool.ts';

/** Fields of the request that the panel sets, so the parameter form leaves them out. */
export const ownedFields: readonly string[] = ['tools', 'tool_choice', 'response_format'];

/** The options' places in the sidebar, as `showField` finds them. */
export const optionFields = {
  toolChoice: 'tool_choice',
  responseFormat: 'response_format',
  sendReasoning: 'send_reasoning',
} as const;

export function requestOptions(
  { toolIds, toolChoice, responseFormat }: ConversationOptions,
  savedTools: readonly SavedTool[],
): JsonObject {
  const tools = toolsOn(toolIds, savedTools);
  return {
    ...(tools.length === 0 ? {} : { tools: tools.map(({ tool }) => toJson(tool)) }),
    // Gateways refuse a choice where there is nothing to choose from.
    ...(tools.length === 0 || toolChoice === null ? {} : { tool_choice: wireChoice(toolChoice) }),
    ...(responseFormat === null ? {} : { response_format: responseFormat }),
  };
}

/** One that was deleted since is left out. */
export function toolsOn(
  toolIds: readonly string[],
  savedTools: readonly SavedTool[],
): readonly SavedTool[] {
  return savedTools.filter(({ id }) => toolIds.includes(id));
}

function wireChoice(choice: ToolChoice): JsonValue {
  return typeof choice === 'string'
    ? choice
    : { type: 'function', function: { name: choice.name } };
}

/** A chosen tool that is not on would be refused; null if nothing is wrong. */
export function choiceProblem(
  { toolIds, toolChoice }: ConversationOptions,
  savedTools: readonly SavedTool[],
): string | null {
  if (toolChoice === null || typeof toolChoice === 'string') return null;
  const on = toolsOn(toolIds, savedTools);
  if (on.length === 0 || on.some(({ tool }) => tool.function.name === toolChoice.name)) return null;
  return `Tool choice: ${toolChoice.name} is off in this conversation.`;
}
