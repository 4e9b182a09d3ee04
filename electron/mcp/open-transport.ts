/** Opens the transport of an MCP server: a child process, or HTTP. */
import type { Transport } from '@modelcontextprotocol/client';
import type { McpTransport } from '../../shared/mcp.ts';
import type { Network } from '../gateway/network.ts';
import type { BadServerError } from './message-limits.ts';
import type { ServerLog } from './server-log.ts';
import type { SignInStore } from './sign-in.ts';

export interface TransportContext {
  /** Environment variables, or headers. */
  values: ReadonlyMap<string, string>;
  /** The tokens of an HTTP server. */
  store: SignInStore;
  network: Pick<Network, 'connect'>;
  now: () => number;
  onEnd: (reason: BadServerError | null) => void;
  log: Pick<ServerLog, 'add'>;
}

export async function openTransport(
  transport: McpTransport,
  { values, store, network, now, onEnd, log }: TransportContext,
): Promise<Transport> {
  if (transport.type === 'stdio') {
    const { createStdioTransport } = await import('./stdio-transport.ts');
    const onLine = (text: string) => log.add('stderr', text);
    const env = Object.fromEntries(values);
    return createStdioTransport({ ...transport, env, onLine, onEnd, now });
  }
  const { createHttpTransport } = await import('./http-transport.ts');
  const { createTokenProvider } = await import('./sign-in.ts');
  const authProvider = createTokenProvider(store);
  return createHttpTransport({
    ...{ url: transport.url, headers: values, network, now, authProvider, onEnd },
  });
}
