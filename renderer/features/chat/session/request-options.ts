import type {
  ConversationOptions,
  McpToolChoice,
  ToolChoice,
} from '../../../../shared/conversation.ts';
import { type JsonObject, type JsonValue, toJson } from '../../../../shared/json.ts';
import type { McpServer, McpTool } from '../../../../shared/mcp.ts';
import { getMcpToolName } from '../../../../shared/mcp-tool-name.ts';
import {
  listChosen,
  writeBuiltInTools,
} from '../../../../shared/operations/chat/built-in-tools.ts';
import type { Tool } from '../../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../../shared/saved-items.ts';

/** Request fields that the panel sets, so the parameter form leaves them out. */
export const ownedFields: readonly string[] = ['tools', 'tool_choice', 'response_format'];

/** Lets `showField` find the options in the sidebar by name. */
export const optionFields = {
  toolChoice: 'tool_choice',
  responseFormat: 'response_format',
  providerFields: 'provider_fields',
} as const;

/** Returns the request fields that come from the conversation's options. */
export function getRequestOptions(
  options: Pick<
    ConversationOptions,
    'toolIds' | 'mcpTools' | 'builtInTools' | 'toolChoice' | 'responseFormat'
  >,
  known: KnownTools,
  format?: JsonValue,
): JsonObject {
  const { builtInTools, toolChoice, responseFormat } = options;
  const tools = [
    ...getSentTools(options, known).map(toJson),
    ...writeBuiltInTools(builtInTools, format),
  ];
  return {
    ...(tools.length === 0 ? {} : { tools }),
    // Gateways reject a tool choice if there are no tools.
    ...(tools.length === 0 || toolChoice === null ? {} : { tool_choice: toWireChoice(toolChoice) }),
    ...(responseFormat === null ? {} : { response_format: responseFormat }),
  };
}

/** The saved tools, and the MCP servers that provide more. */
export interface KnownTools {
  saved: readonly SavedTool[];
  servers: readonly McpServer[];
}

/** Returns the conversation's tools as models see them, each name once. */
export function getSentTools(
  { toolIds, mcpTools }: Pick<ConversationOptions, 'toolIds' | 'mcpTools'>,
  { saved, servers }: KnownTools,
): Tool[] {
  const all = [
    ...getActiveTools(toolIds, saved).map(({ tool }) => tool),
    ...getActiveMcpTools(mcpTools, servers).map(({ server, tool }) => toTool(server, tool)),
  ];
  const byName = new Map<string, Tool>();
  for (const tool of all) {
    const { name } = tool.function;
    if (!byName.has(name)) byName.set(name, tool);
  }
  return [...byName.values()];
}

function toTool(server: McpServer, { name, title, description, inputSchema }: McpTool): Tool {
  const words = description === '' ? title : description;
  return {
    type: 'function',
    function: {
      name: getMcpToolName(server.name, name),
      ...(words === null ? {} : { description: words }),
      parameters: inputSchema,
    },
  };
}

/** Returns the chosen tools of servers that are on and still offer them. */
export function getActiveMcpTools(
  mcpTools: readonly McpToolChoice[],
  servers: readonly McpServer[],
): { server: McpServer; tool: McpTool }[] {
  return mcpTools.flatMap(({ serverId, name }) => {
    const server = servers.find(({ id, enabled }) => id === serverId && enabled);
    const tool = server?.offers.tools.find((one) => one.name === name && one.problem === null);
    return server === undefined || tool === undefined ? [] : [{ server, tool }];
  });
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

/** Returns the names of the tools that are sent: those of functions, then built-in tools' titles. */
export function listToolNames(
  options: Pick<ConversationOptions, 'toolIds' | 'mcpTools' | 'builtInTools'>,
  known: KnownTools,
  format: JsonValue | undefined,
): { functions: string[]; builtIn: string[] } {
  return {
    functions: getSentTools(options, known).map((tool) => tool.function.name),
    builtIn: listChosen(options.builtInTools, format).map(({ tool }) => tool.title),
  };
}

/** Returns an error if the chosen function is turned off although other tools are sent, or null. */
export function getChoiceProblem(
  toolChoice: ToolChoice | null,
  { functions, builtIn }: ReturnType<typeof listToolNames>,
): string | null {
  if (toolChoice === null || typeof toolChoice === 'string') return null;
  const isSent = functions.length + builtIn.length > 0;
  if (!isSent || functions.includes(toolChoice.name)) return null;
  return `Tool choice: ${toolChoice.name} is turned off in this conversation.`;
}
