/** Describes format-specific output items, such as tools that the provider runs. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';

export interface ToolStep {
  title: string;
  /** The query, code or call; empty if the item has none of the known fields. */
  text: string;
  status: string | null;
}

const titles: ReadonlyMap<string, string> = new Map([
  ['web_search_call', 'Web search'],
  ['file_search_call', 'File search'],
  ['code_interpreter_call', 'Code interpreter'],
  ['image_generation_call', 'Image generation'],
  ['computer_call', 'Computer use'],
  ['mcp_call', 'MCP call'],
  ['mcp_list_tools', 'MCP tools'],
  ['mcp_approval_request', 'MCP approval request'],
]);

export function listToolSteps(items: readonly JsonObject[]): ToolStep[] {
  return items.map((item) => ({
    title: getTitle(item),
    text: getText(item),
    status: typeof item.status === 'string' ? item.status : null,
  }));
}

/** The Messages format names the tool of `server_tool_use` instead of giving it a type. */
function getTitle({ type, name }: JsonObject): string {
  const word = type === 'server_tool_use' && typeof name === 'string' ? name : String(type);
  const words = word.replaceAll('_', ' ');
  return titles.get(word) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

function getText(item: JsonObject): string {
  const { type, name, server_label: server, arguments: given, tools, input, code } = item;
  const action = isJsonObject(item.action) ? item.action : {};
  const label = typeof server === 'string' ? `${server}: ` : '';
  if (type === 'mcp_call' || type === 'mcp_approval_request') {
    return `${label}${String(name)}(${String(given ?? '')})`;
  }
  if (type === 'mcp_list_tools') {
    const list = Array.isArray(tools) ? tools.filter(isJsonObject) : [];
    return `${label}${joinTexts(list.map((tool) => tool.name ?? null))}`;
  }
  const { query, queries, url, pattern, command, commands } = action;
  const asked = readInput(input);
  const places = [
    ...[query, queries, pattern, url, command, commands, item.queries, code],
    ...[asked.query, asked.url, asked.code, asked.command, input],
  ];
  return [...places, item.revised_prompt].map(joinTexts).find((text) => text !== '') ?? '';
}

/** The Messages format streams the input as JSON text. */
function readInput(input: JsonValue | undefined): JsonObject {
  const value = typeof input === 'string' ? parseJson(input) : input;
  return isJsonObject(value) ? value : {};
}

function joinTexts(value: JsonValue | undefined): string {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string').join(', ');
}
