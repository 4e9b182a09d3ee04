import { connectionPresets } from '../../../shared/connection-presets.ts';
import type { RemovedKey } from '../../../shared/pasted/take-secrets.ts';
import type { ConnectionStart } from '../../lib/connections.ts';
import {
  applyConnectionPreset,
  type ConnectionFields,
  cleanUrl,
  createValue,
  isBasic,
} from './connection-fields.ts';

/** Fills in values from a pasted request; a saved connection gets only the key. */
export function fillPasted(
  fields: ConnectionFields,
  isNew: boolean,
  { url, key, headers }: ConnectionStart,
): ConnectionFields {
  if (!isNew || url === null) return withKey(fields, key);
  const origin = URL.parse(url)?.origin;
  const preset = connectionPresets.find(({ baseUrl }) => URL.parse(baseUrl)?.origin === origin);
  const known = preset === undefined ? fields : applyConnectionPreset(fields, preset.id);
  // Drop the path after the version, because it belongs to the request.
  const baseUrl = url.replace(/(\/v1(?:beta)?)\/[^?#]*/, '$1');
  const cleaned = cleanUrl({ ...known, baseUrl }).fields;
  const names = new Set(cleaned.headers.map(({ name }) => name.toLowerCase()));
  const added = headers
    .filter(([name]) => !names.has(name.toLowerCase()))
    // A header that looks harmless may still hold a secret.
    .map(([name, value]) => ({ ...createValue(true), name, value }));
  return withKey({ ...cleaned, headers: [...cleaned.headers, ...added] }, key);
}

function withKey(fields: ConnectionFields, key: RemovedKey | null): ConnectionFields {
  if (key === null) return fields;
  if (key.place === 'query') {
    const added = { ...createValue(true), name: key.name, value: key.value };
    return { ...fields, query: [...fields.query.filter(({ name }) => name !== key.name), added] };
  }
  const { header, value } = key;
  const isDefault = header.name.toLowerCase() === fields.keyHeader.name.toLowerCase();
  const keyHeader = isDefault ? { ...header, name: fields.keyHeader.name } : header;
  const text = isBasic(keyHeader) ? decodeLogin(value) : value;
  return { ...fields, keyHeader, key: text, keyIntent: 'replace' };
}

/** Decodes the header's base64, because the dialog shows `user:password`. */
function decodeLogin(value: string): string {
  if (value.includes(':')) return value;
  try {
    return atob(value);
  } catch {
    return value;
  }
}
