/** Merges the secret values that the user enters for an MCP server with those that are saved. */
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { McpServerInput, McpTransport } from '../../shared/mcp.ts';

/** Returns the names of the environment variables or headers. */
export function getSecretNames(transport: McpTransport): string[] {
  return transport.type === 'stdio' ? transport.env : transport.headers;
}

type TransportInput = McpServerInput['transport'];

export function withoutValues(transport: TransportInput): McpTransport {
  return transport.type === 'stdio'
    ? { ...transport, env: transport.env.map(({ name }) => name) }
    : { ...transport, headers: transport.headers.map(({ name }) => name) };
}

/**
 * Returns true if saved secrets still apply: always for commands; for URLs, only if the origin is
 * unchanged.
 */
export function canKeepSecrets(before: McpTransport, after: TransportInput): boolean {
  if (before.type === 'stdio') return after.type === 'stdio';
  return after.type === 'http' && new URL(before.url).origin === new URL(after.url).origin;
}

/** Throws a `UserFacingError` if a value to keep isn't among the saved ones. */
export function mergeValues(
  saved: ReadonlyMap<string, string>,
  transport: TransportInput,
): Map<string, string> {
  const field = transport.type === 'stdio' ? 'env' : 'headers';
  const entries = transport.type === 'stdio' ? transport.env : transport.headers;
  const values = new Map<string, string>();
  for (const [index, { name, value }] of entries.entries()) {
    const kept = value ?? saved.get(name);
    if (kept === undefined) throw new UserFacingError(createValueNeededError(name, field, index));
    values.set(name, kept);
  }
  return values;
}

function createValueNeededError(name: string, field: string, index: number) {
  const message = `Enter the value of ${name}.`;
  return appError('invalid-request', message, 'Values belong to the address they were saved for.', {
    fields: [{ path: ['transport', field, String(index), 'value'], message }],
  });
}

export function createValuesNeededError(server: string, names: readonly string[]) {
  const message = `${server} needs its secret values again: ${names.join(', ')}.`;
  return appError('unauthorized', message, 'Edit the server in Settings → MCP servers.');
}
