/** Reads tools from a pasted list, an object that has a list, or a whole request. */
import { isJsonObject, type JsonObject, type JsonValue, startsAsJson } from '../json.ts';
import { type Tool, toolSchema } from '../operations/chat/message.ts';
import { parseJson } from '../parse-json.ts';
import { convertFunction, listObjects } from './gemini-chat.ts';
import { readPasted } from './read-pasted.ts';

export type ReadTool = { name: string; tool: Tool } | { name: string; problem: string };

export type ReadToolsResult =
  | { kind: 'tools'; tools: ReadTool[] }
  | { kind: 'problem'; message: string };

const MAX_TOOLS = 1000;

/** Accepts the shapes of Chat Completions, Responses, Messages, Gemini and MCP. */
export function readTools(text: string): ReadToolsResult {
  const list = findTools(text);
  if (typeof list === 'string') return { kind: 'problem', message: list };
  const tools = list.flatMap((item, index) => readItem(item, index + 1));
  if (tools.length > MAX_TOOLS) {
    const [count, limit] = [tools.length, MAX_TOOLS].map((one) => one.toLocaleString('en-US'));
    return { kind: 'problem', message: `The text has ${count} tools. The limit is ${limit}.` };
  }
  if (tools.length === 0) return { kind: 'problem', message: 'The list of tools is empty.' };
  const names = new Set<string>();
  return {
    kind: 'tools',
    tools: tools.map((read) => {
      if ('tool' in read && names.has(read.name)) {
        return { name: read.name, problem: 'An earlier tool in the text has this name.' };
      }
      names.add(read.name);
      return read;
    }),
  };
}

const NO_TOOLS = 'No tools found. Paste a JSON list of tools, or a request with “tools”.';

/** Returns the tools, or a sentence that explains why they can’t be read. */
function findTools(text: string): JsonValue[] | string {
  if (startsAsJson(text)) {
    const value = parseJson(text);
    if (value === undefined) return 'The text isn’t valid JSON.';
    const found = findList(value);
    if (found !== null) return found;
  }
  const result = readPasted(text);
  if (result === null) return NO_TOOLS;
  if (result.kind === 'problem') return result.message;
  const { body } = result.pasted.request;
  return (body.kind === 'json' ? findList(body.value) : null) ?? 'The request has no tools.';
}

function findList(value: JsonValue): JsonValue[] | null {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return null;
  const { tools, result } = value;
  if (Array.isArray(tools)) return tools;
  // An MCP server responds to `tools/list` with a result around the list.
  if (isJsonObject(result) && Array.isArray(result.tools)) return result.tools;
  return readOne(value) === null ? null : [value];
}

function readItem(item: JsonValue, position: number): ReadTool[] {
  if (!isJsonObject(item)) {
    return [{ name: `Tool ${position}`, problem: 'A tool must be a JSON object.' }];
  }
  const declared = listObjects(item.functionDeclarations ?? item.function_declarations);
  if (declared.length > 0) {
    return declared.map((one) => check(convertFunction(one), `Tool ${position}`));
  }
  const tool = readOne(item);
  const { name, type } = item;
  const label = [name, type].find((word) => typeof word === 'string') ?? `Tool ${position}`;
  if (tool !== null) return [check(tool, String(label))];
  const problem = 'Not a function, so it can’t be saved. Use Extra JSON to send it.';
  return [{ name: String(label), problem }];
}

/** Returns null if the object isn't a function, such as a provider's own tool. */
function readOne(item: JsonObject): JsonObject | null {
  if (isJsonObject(item.function)) return { ...item, type: 'function' };
  const { type, name, input_schema: messages, inputSchema: mcp, ...more } = item;
  if (typeof name !== 'string') return null;
  if (mcp !== undefined) return toFunction({ name, description: more.description }, mcp);
  if (messages !== undefined) {
    const { cache_control: _, ...others } = more;
    return toFunction({ name, ...others }, messages);
  }
  const isFunction = type === 'function' || (type === undefined && isJsonObject(more.parameters));
  return isFunction ? toFunction({ name, ...more }, more.parameters) : null;
}

function toFunction(
  fields: Record<string, JsonValue | undefined>,
  parameters: JsonValue | undefined,
): JsonObject {
  const all = Object.entries({ ...fields, parameters });
  const known = all.filter((field): field is [string, JsonValue] => field[1] != null);
  return { type: 'function', function: Object.fromEntries(known) };
}

function check(value: JsonObject, label: string): ReadTool {
  const read = toolSchema.safeParse(value);
  if (read.success) return { name: read.data.function.name, tool: read.data };
  const [issue] = read.error.issues;
  return { name: label, problem: `${issue?.path.join('.') ?? 'tool'}: ${issue?.message ?? ''}` };
}
