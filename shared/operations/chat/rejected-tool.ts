/** Names the tool that an error refers to by index, such as `tools.9.custom.input_schema`. */
import type { GatewayDetails } from '../../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';

/** The path of a tool in a request, as OpenAI, Anthropic, Gemini and pydantic write it. */
const PATH = /(?:tools|function_?declarations)["']?(?:\.|\[|, ?)["']?(\d+)/gi;

export function hasToolIndex({
  message,
  param,
}: Pick<GatewayDetails, 'message' | 'param'>): boolean {
  return `${message ?? ''} ${param ?? ''}`.search(PATH) !== -1;
}

/** Returns null if the error refers to no tool by index, or already names it. */
export function nameRejectedTool(
  { message, param }: Pick<GatewayDetails, 'message' | 'param'>,
  tools: JsonValue | undefined,
): string | null {
  const text = `${message ?? ''} ${param ?? ''}`;
  // Gemini has all functions in one tool, so its path ends with the function's index.
  const counted = [...text.matchAll(PATH)].at(-1)?.[1];
  if (counted === undefined || !Array.isArray(tools)) return null;
  const index = Number(counted);
  const tool = tools[index];
  const name = isJsonObject(tool) ? getName(tool) : null;
  if (name === null || (message ?? '').includes(name)) return null;
  return `Tool ${index}, counted from 0, is ${name}.`;
}

function getName({ type, name, function: called, custom }: JsonObject): string | null {
  const { name: inner } = [called, custom].find(isJsonObject) ?? {};
  const found = [inner, name, type].find((text) => typeof text === 'string' && text !== '');
  return typeof found === 'string' ? found : null;
}
