/** Fields of the Gemini-style shape, which some gateways pass on in snake case. */
import type { JsonObject, JsonValue } from '../../json.ts';

/** `name` as documented, in camel case. */
export function getCamelOrSnake(holder: JsonObject, name: string): JsonValue | undefined {
  return holder[name] ?? holder[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}
