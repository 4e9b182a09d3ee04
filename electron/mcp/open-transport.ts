/** Opens the transport of an MCP server; each is loaded on first use, because the SDK is large. */
import type { Transport } from '@modelcontextprotocol/client';
import type { McpTransport } from '../../shared/mcp.ts';
import type { Network } from '../gateway/network.ts';
import type { BadServerError } from './message-limits.ts';
import type { MessageLog } from './message-log.ts';
import type { ServerLog } from './server-log.ts';
import type { SignInStore } from './sign-in.ts';

interface TransportContext {
  /** Environment variables, or headers. */
  values: ReadonlyMap<string, string>;
  /** The tokens of an HTTP server. */
  store: SignInStore;
  network: Pick<Network, 'connect'>;
  readLoginEnvironment: () => Promise<Record<string, string>>;
  now: () => number;
  onEnd: (reason: BadServerError | null) => void;
  log: Pick<ServerLog, 'add'>;
  messages: MessageLog;
}

/** Doesn't connect yet. */
export async function openTransport(
  transport: McpTransport,
  { values, store, network, readLoginEnvironment, now, onEnd, log, messages }: TransportContext,
): Promise<Transport> {
  if (transport.type === 'stdio') {
    const { createStdioTransport } = await import('./stdio-transport.ts');
    const onLine = (text: string) => log.add('stderr', text);
    const env = Object.fromEntries(values);
    const loginEnvironment = await readLoginEnvironment();
    return createStdioTransport({
      ...transport,
      env,
      loginEnvironment,
      onLine,
      onEnd,
      now,
      messages,
    });
  }
  const { createHttpTransport } = await import('./http-transport.ts');
  const { createTokenProvider } = await import('./sign-in.ts');
  const authProvider = createTokenProvider(store);
  return createHttpTransport({
    url: transport.url,
    headers: values,
    network,
    now,
    authProvider,
    messages,
    onEnd,
  }).transport;
}
