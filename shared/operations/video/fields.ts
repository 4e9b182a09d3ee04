/** Fields of a video request whose wire names the interface does not show. */
import type { JsonObject } from '../../json.ts';

export const renamableVideoFields = [
  'image',
  'fps',
  'seed',
  'n',
  'response_format',
  'user',
  'metadata',
] as const;
export type RenamableVideoField = (typeof renamableVideoFields)[number];

/** The body as it is sent: under the names that the user gave. */
export function withWireNames({ wire_names: names, ...fields }: JsonObject): JsonObject {
  if (typeof names !== 'object' || names === null || Array.isArray(names)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      const name = names[field];
      return [typeof name === 'string' && name.trim() !== '' ? name.trim() : field, value];
    }),
  );
}
