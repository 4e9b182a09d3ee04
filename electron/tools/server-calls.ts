/** Answers MCP tool calls, asking the user first about tools that aren't allowed yet. */
import { assertNever } from '../../shared/assert-never.ts';
import type { CallDecision } from '../../shared/contract/conversations.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { ServerCalls } from './answer-call.ts';

export function createServerCalls(
  mcp: Pick<McpServers, 'findTool' | 'callTool' | 'approval' | 'definitionHash' | 'setApproval'>,
): ServerCalls {
  return {
    find: ({ mcpTools }, name) => mcp.findTool(mcpTools, name),

    async call({ serverId, name }, args, { callId, signal, ask }) {
      const approval = mcp.approval(serverId, name);
      if (approval === 'never') return neverAllowed;
      if (approval === 'ask') {
        // The server may change the tool while the user decides.
        const asked = mcp.definitionHash(serverId, name);
        const decision = await ask();
        if (!isAllowed(decision)) {
          if (decision === 'never') mcp.setApproval(serverId, name, 'never');
          return declined;
        }
        if (decision === 'always') mcp.setApproval(serverId, name, 'always', asked);
      }
      const called = await mcp.callTool({ serverId, name, args, signal, callId });
      return { content: called.content, failed: called.isError, misfit: called.misfit };
    },
  };
}

function isAllowed(decision: CallDecision): boolean {
  switch (decision) {
    case 'once':
    case 'always':
      return true;
    case 'decline':
    case 'never':
      return false;
    default:
      return assertNever(decision);
  }
}

const refuse = (error: string) => ({
  content: JSON.stringify({ error }),
  failed: true,
  misfit: null,
});
const declined = refuse('The user declined this call.');
const neverAllowed = refuse('The user doesn’t allow this tool.');
