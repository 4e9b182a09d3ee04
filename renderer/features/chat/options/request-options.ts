import type { ConversationOptions, ToolChoice } from '../../../../shared/conversation.ts';
import { type JsonObject, type JsonValue, toJson } from '../../../../shared/json.ts';
import type { SavedTool } from '../../../../shared/saved-items.ts';

/** Request fields that the panel sets, so the parameter form leaves them out. */
export const ownedFields: readonly string[] = ['tools', 'tool_choice', 'response_format'];

/** Names that `showField` uses to find the options in the sidebar. */
export const optionFields = {
  toolChoice: 'tool_choice',
  responseFormat: 'response_format',
  providerFields: 'provider_fields',
} as const;

/** Returns the request fields that come from the conversation's options. */
export function getRequestOptions(
  { toolIds, toolChoice, responseFormat }: ConversationOptions,
  savedTools: readonly SavedTool[],
): JsonObject {
  const tools = getActiveTools(toolIds, savedTools);
  return {
    ...(tools.length === 0 ? {} : { tools: tools.map(({ tool }) => toJson(tool)) }),
    // Gateways reject a tool choice if there are no tools.
    ...(tools.length === 0 || toolChoice === null ? {} : { tool_choice: toWireChoice(toolChoice) }),
    ...(responseFormat === null ? {} : { response_format: responseFormat }),
  };
}

/** Returns the enabled tools that still exist. */
export function getActiveTools(
  toolIds: readonly string[],
  savedTools: readonly SavedTool[],
): readonly SavedTool[] {
  return savedTools.filter(({ id }) => toolIds.includes(id));
}

function toWireChoice(choice: ToolChoice): JsonValue {
  return typeof choice === 'string'
    ? choice
    : { type: 'function', function: { name: choice.name } };
}

/** Returns an error if the chosen tool is turned off, or null. */
export function getChoiceProblem(
  { toolIds, toolChoice }: ConversationOptions,
  savedTools: readonly SavedTool[],
): string | null {
  if (toolChoice === null || typeof toolChoice === 'string') return null;
  const on = getActiveTools(toolIds, savedTools);
  if (on.length === 0 || on.some(({ tool }) => tool.function.name === toolChoice.name)) return null;
  return `Tool choice: ${toolChoice.name} is turned off in this conversation.`;
}
