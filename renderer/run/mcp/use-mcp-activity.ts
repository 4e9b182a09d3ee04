import { useQuery } from '@tanstack/react-query';
import type { McpActivity } from '../../../shared/mcp-activity.ts';
import { orpc } from '../../lib/api.ts';

const nothing: McpActivity = { calls: [], questions: [] };

/** Returns the calls that MCP servers are working on, and what they ask. */
export function useMcpActivity(): McpActivity {
  return useQuery(orpc.mcp.activity.queryOptions()).data ?? nothing;
}
