/** Opens the transport of an MCP server: a child process, or HTTP. */
import type { Transport } from '@modelcontextprotocol/client';
import type { McpTransport } from '../../shared/mcp.ts';
import type { BadServerError } from './message-limits.ts';
import type { ServerLog } from './server-log.ts';

export interface TransportContext {
  /** Environment variables, or headers. */
  values: ReadonlyMap<string, string>;
  now: () => number;
  onEnd: (reason: BadServerError | null) => void;
  log: Pick<ServerLog, 'add'>;
}

export async function openTransport(
  transport: McpTransport,
  { values, now, onEnd, log }: TransportContext,
): Promise<Transport> {
  if (transport.type === 'stdio') {
    const { createStdioTransport } = await import('./stdio-transport.ts');
    const onLine = (text: string) => log.add('stderr', text);
    const env = Object.fromEntries(values);
    return createStdioTransport({ ...transport, env, onLine, onEnd, now });
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  return new StreamableHTTPClientTransport(new URL(transport.url), {
    requestInit: { headers: Object.fromEntries(values) },
  });
}
