import type { KeyKeeping } from '../../../shared/connection.ts';
import type { McpServer, McpServerInput } from '../../../shared/mcp.ts';

/** An environment variable or header; `isSaved` is true if the vault has its value. */
export interface McpValue {
  id: string;
  name: string;
  value: string;
  isSaved: boolean;
}

export interface McpFields {
  type: 'stdio' | 'http';
  name: string;
  enabled: boolean;
  /** Null keeps saved secrets where they are, and stores a new server's in the safest place. */
  keeping: KeyKeeping | null;
  command: string;
  /** One argument per line. */
  args: string;
  cwd: string;
  env: readonly McpValue[];
  url: string;
  headers: readonly McpValue[];
}

let lastId = 0;

export function createMcpValue(name = '', isSaved = false): McpValue {
  lastId += 1;
  return { id: String(lastId), name, value: '', isSaved };
}

export function getMcpFields(server: McpServer | null): McpFields {
  const empty: McpFields = {
    type: 'stdio',
    name: '',
    enabled: true,
    keeping: null,
    command: '',
    args: '',
    cwd: '',
    env: [],
    url: '',
    headers: [],
  };
  if (server === null) return empty;
  const { name, enabled, transport, missing } = server;
  const toValues = (names: readonly string[]) =>
    names.map((one) => createMcpValue(one, !missing.includes(one)));
  if (transport.type === 'http') {
    const { url, headers } = transport;
    return { ...empty, type: 'http', name, enabled, url, headers: toValues(headers) };
  }
  const { command, args, cwd, env } = transport;
  return {
    ...empty,
    name,
    enabled,
    command,
    args: args.join('\n'),
    cwd: cwd ?? '',
    env: toValues(env),
  };
}

/** Leaves out rows without a name and a value. */
export function toMcpInput(id: string | null, fields: McpFields): McpServerInput {
  const { type, enabled, command, args, cwd, env, url, headers } = fields;
  const keeping = fields.keeping === null ? {} : { keeping: fields.keeping };
  const name = fields.name.trim() || getDefaultName(fields);
  if (type === 'http') {
    const transport = { type, url, headers: toInputs(headers) };
    return { id, name, enabled, transport, ...keeping };
  }
  const transport = {
    type,
    command,
    args: args.split('\n').filter((line) => line.trim() !== ''),
    cwd: cwd.trim() === '' ? null : cwd,
    env: toInputs(env),
  };
  return { id, name, enabled, transport, ...keeping };
}

export const isFilled = ({ name, value }: McpValue) => name.trim() !== '' || value !== '';

function toInputs(values: readonly McpValue[]) {
  return values.filter(isFilled).map(({ name, value, isSaved }) => ({
    name: name.trim(),
    value: value === '' && isSaved ? null : value,
  }));
}

/** Programs that launch a package, whose name describes the server better. */
const RUNNERS = new Set(['npx', 'bunx', 'uvx']);

/** Returns the host, or the name of the program or package. */
export function getDefaultName({ type, command, args, url }: McpFields): string {
  if (type === 'http') return URL.parse(url.trim())?.hostname ?? '';
  const program = getLastPart(command.trim());
  if (!RUNNERS.has(program)) return program;
  const name = args.split('\n').find((line) => /^[^-\s]/.test(line.trim())) ?? '';
  // A package may have a version, such as `@scope/files@1.2`.
  return getLastPart(name.trim()).replace(/@.*/, '') || program;
}

function getLastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? '';
}
