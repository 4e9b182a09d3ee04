/** JSON from outside: undefined where it is none. */
import type { JsonValue } from '../../shared/json.ts';

export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
