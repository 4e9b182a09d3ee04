import type { KeyKeeping } from '../../../shared/connection.ts';
import type { McpServer, McpServerInput } from '../../../shared/mcp.ts';
import { readBash } from '../../../shared/pasted/bash-words.ts';

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

/** Splits a command line as a shell does; returns null unless it is one command with arguments. */
export function splitCommandLine(line: string): Partial<McpFields> | null {
  // A shell would drop the backslashes of a Windows path.
  if (line.includes('\\')) return null;
  let words: string[];
  try {
    const [command, ...more] = readBash(line.trim()).commands;
    if (command === undefined || more.length > 0) return null;
    words = command.words;
  } catch {
    return null;
  }
  const start = words.findIndex((word) => !ASSIGNMENT.test(word));
  const [command = '', ...args] = words.slice(Math.max(0, start));
  if (start < 0 || words.length < 2 || args.some((word) => word.includes('\n'))) return null;
  const env = words.slice(0, start).map((word) => {
    const at = word.indexOf('=');
    return { ...createMcpValue(word.slice(0, at)), value: word.slice(at + 1) };
  });
  return { command, args: args.join('\n'), ...(env.length > 0 && { env }) };
}

/** Moves typed arguments out of the command, unless it may be a path with spaces. */
export function moveArguments(fields: McpFields): McpFields {
  const { type, command, args } = fields;
  const isPath = /[\\/]/.test(command.trim().split(/\s/, 1)[0] ?? '');
  const parts =
    type === 'stdio' && args.trim() === '' && !isPath ? splitCommandLine(command) : null;
  return parts === null ? fields : { ...fields, ...parts };
}

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

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
