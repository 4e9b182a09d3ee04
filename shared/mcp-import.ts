/** Reads the MCP servers of a configuration file of Claude Desktop, VS Code or Cursor. */
import { z } from 'zod';
import { isJsonObject, type JsonValue } from './json.ts';
import { type McpServerInput, mcpServerInputSchema } from './mcp.ts';
import { parseJson } from './parse-json.ts';

export const MAX_MCP_FILE_LENGTH = 1_000_000;

/** A value that the user must enter, such as `${input:api-key}`. */
export interface McpInput {
  id: string;
  description: string;
  isSecret: boolean;
  defaultValue: string;
}

export interface ImportedMcpServers {
  servers: McpServerInput[];
  inputs: McpInput[];
  /** One sentence for each entry that can't be added. */
  problems: string[];
}

const inputSchema = z.object({
  id: z.string(),
  description: z.string().catch(''),
  password: z.boolean().catch(false),
  default: z.string().catch(''),
});

const entrySchema = z.object({
  type: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).default([]),
  cwd: z.string().nullish(),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  disabled: z.boolean().optional(),
});

/** Returns null if the text has no servers. VS Code allows comments and trailing commas. */
export function readMcpFile(text: string): ImportedMcpServers | null {
  const file = parseJson(text) ?? parseJson(stripComments(text));
  if (!isJsonObject(file)) return null;
  const entries = findServers(file);
  if (entries === null) return null;
  const listed = Array.isArray(file.inputs) ? file.inputs : [];
  const known = listed.flatMap((input) => inputSchema.safeParse(input).data ?? []);
  const findInputs = (text: string) =>
    findPlaceholders(text).map((id): McpInput => {
      const input = known.find((one) => one.id === id);
      return {
        id,
        description: input?.description ?? '',
        isSecret: input?.password ?? true,
        defaultValue: input?.default ?? '',
      };
    });
  const found: ImportedMcpServers = { servers: [], inputs: [], problems: [] };
  for (const [name, entry] of Object.entries(entries)) {
    const server = readEntry(name, entry);
    const problem =
      typeof server === 'string' ? server : findReadableSecret(server.transport, findInputs);
    if (problem !== null) found.problems.push(`${name}: ${problem}`);
    else if (typeof server !== 'string') found.servers.push(server);
  }
  found.inputs = findInputs(JSON.stringify(found.servers));
  return found;
}

/** Only `env` and `headers` are stored encrypted. */
function findReadableSecret(
  transport: McpServerInput['transport'],
  findInputs: (text: string) => McpInput[],
): string | null {
  const isHttp = transport.type === 'http';
  const readable = isHttp
    ? { url: transport.url }
    : {
        command: transport.command,
        args: transport.args.join('\n'),
        cwd: transport.cwd ?? '',
      };
  for (const [field, text] of Object.entries(readable)) {
    const secret = findInputs(text).find(({ isSecret }) => isSecret);
    if (secret === undefined) continue;
    const place = isHttp ? 'headers' : 'env';
    return `its ${field} would store the secret “${secret.id}” unencrypted. Put it into ${place}.`;
  }
  return null;
}

/** Replaces each `${input:…}` with its value. */
export function fillMcpInputs(
  server: McpServerInput,
  values: Readonly<Record<string, string>>,
): McpServerInput {
  const fill = (text: string) =>
    text.replaceAll(PLACEHOLDER, (whole, id: string) => values[id] ?? whole);
  const fillEntries = <Entry extends { value: string | null }>(entries: Entry[]): Entry[] =>
    entries.map((entry) => ({ ...entry, value: entry.value === null ? null : fill(entry.value) }));
  const { transport } = server;
  if (transport.type === 'http') {
    const headers = fillEntries(transport.headers);
    return { ...server, transport: { ...transport, url: fill(transport.url), headers } };
  }
  const { command, args, cwd, env } = transport;
  return {
    ...server,
    transport: {
      type: 'stdio',
      command: fill(command),
      args: args.map(fill),
      cwd: cwd === null ? null : fill(cwd),
      env: fillEntries(env),
    },
  };
}

const PLACEHOLDER = /\$\{input:([^}]+)\}/g;

function findPlaceholders(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, id = '']) => id))];
}

/** `mcpServers` is Claude Desktop’s name, `servers` VS Code’s, also inside its settings. */
function findServers(file: Record<string, JsonValue>): Record<string, JsonValue> | null {
  const inSettings = isJsonObject(file.mcp) ? file.mcp.servers : undefined;
  const found = file.mcpServers ?? file.servers ?? inSettings;
  return isJsonObject(found) ? found : null;
}

/** Returns the server, or a sentence that explains why the entry can't be added. */
function readEntry(name: string, entry: JsonValue): McpServerInput | string {
  const { success, data } = entrySchema.safeParse(entry);
  if (!success) return 'it has a field of the wrong type.';
  const { type, command, args, cwd, env, url, headers, disabled } = data;
  if (type === 'sse') return 'the older SSE transport isn’t supported.';
  const toEntries = (values: Record<string, string | number | boolean>) =>
    Object.entries(values).map(([key, value]) => ({ name: key, value: String(value) }));
  const transport =
    command !== undefined
      ? { type: 'stdio', command, args, cwd: cwd ?? null, env: toEntries(env) }
      : url !== undefined
        ? { type: 'http', url, headers: toEntries(headers) }
        : null;
  if (transport === null) return 'it has neither a command nor a URL.';
  const checked = mcpServerInputSchema.safeParse({
    id: null,
    name,
    transport,
    enabled: disabled !== true,
  });
  return checked.success ? checked.data : (checked.error.issues[0]?.message ?? 'it isn’t valid.');
}

/** Replaces comments and trailing commas outside strings with blanks, to preserve positions. */
export function stripComments(text: string): string {
  const withoutComments = text.replaceAll(
    /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (found, string: string | undefined) => string ?? found.replaceAll(/[^\n]/g, ' '),
  );
  return withoutComments.replaceAll(
    /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g,
    (_, string: string | undefined) => string ?? ' ',
  );
}
