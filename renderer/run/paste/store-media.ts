import type { JsonObject } from '../../../shared/json.ts';
import { createMediaReference, findReferencedMedia } from '../../../shared/media.ts';
import { type MediaForm, mapMediaFields } from '../../../shared/operations/form/media-places.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { requestSchemas } from '../../../shared/operations/operations.ts';
import { rememberMedia } from '../../media/players/use-media.ts';
import { uploadMedia } from '../../media/uploads/upload-media.ts';

const DATA_URL = /^data:([^;,]{0,200})(?:;[^;,]{0,200}){0,9};base64,/i;
const BASE64 = /^[A-Za-z\d+/\s]+={0,2}\s*$/;
/** Shorter text is a placeholder rather than a file. */
const MIN_LENGTH = 32;

/** Stores the request's files and replaces them with references. Rejects with a `PageError`. */
export async function storeMedia(
  operation: OperationName,
  request: JsonObject,
): Promise<JsonObject> {
  const references = new Map<string, string>();
  for (const [text, file] of findFiles(operation, request)) {
    const media = await uploadMedia(file);
    rememberMedia(media);
    references.set(text, createMediaReference(media.id));
  }
  const schema = requestSchemas[operation];
  return mapMediaFields(schema, request, (text) => references.get(text) ?? text);
}

/** Maps each text that encodes a file to that file. */
export function findFiles(operation: OperationName, request: JsonObject): Map<string, Blob> {
  const files = new Map<string, Blob>();
  mapMediaFields(requestSchemas[operation], request, (text, form) => {
    const file = files.has(text) ? null : toFile(text, form);
    if (file !== null) files.set(text, file);
    return text;
  });
  return files;
}

/** Returns null for a URL, a reference or a placeholder. */
function toFile(text: string, form: MediaForm): Blob | null {
  if (findReferencedMedia(text) !== null || text.length < MIN_LENGTH) return null;
  const [head = '', type = ''] = DATA_URL.exec(text) ?? [];
  if (head === '' && (form === 'data-url' || !BASE64.test(text))) return null;
  const bytes = decodeBase64(text.slice(head.length));
  return bytes && new Blob([bytes], { type });
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
