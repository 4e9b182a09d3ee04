import { getString, isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { createMediaReference, findReferencedMedia } from '../../../shared/media.ts';
import {
  type ConsoleInput,
  findConsolePathProblem,
} from '../../../shared/operations/console/request.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import { findJsonProblem } from '../../lib/format-json-error.ts';

export type FormField = ConsoleInput['fields'][number];

export type FormFile = NonNullable<ConsoleInput['file']>;

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

type ReadHeaders = { ok: true; headers: [string, string][] } | { ok: false; message: string };

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export function readHeaders(text: string): ReadHeaders {
  const headers: [string, string][] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim();
    if (colon === -1 || !TOKEN.test(name)) {
      return { ok: false, message: `Invalid header “${line.trim()}”. Use the form Name: value.` };
    }
    if (name.toLowerCase() === 'authorization') {
      return { ok: false, message: 'Remove Authorization. The connection adds it.' };
    }
    headers.push([name, line.slice(colon + 1).trim()]);
  }
  return { ok: true, headers };
}

/** Lists the headers of the text, valid or not. */
export function listHeaders(text: string): FormField[] {
  if (text === '') return [];
  return text.split('\n').map((line) => {
    const colon = line.indexOf(':');
    if (colon === -1) return { name: line, value: '' };
    return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') };
  });
}

export function writeHeaders(headers: readonly FormField[]): string {
  return headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
}

export function findHeaderProblem(header: FormField): string | null {
  const read = readHeaders(writeHeaders([header]));
  return read.ok ? null : read.message;
}

/** Lists the parameters after the path's question mark, decoded where that is possible. */
export function listQuery(path: string): FormField[] {
  const { query } = splitPath(path);
  if (query === '') return [];
  return query.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name: decode(name), value: decode(value.join('=')) };
  });
}

/** Replaces the path's query; parameters that didn't change keep their spelling. */
export function writeQuery(path: string, query: readonly FormField[]): string {
  const { start, query: before, hash } = splitPath(path);
  const known = listQuery(path);
  const pairs = before.split('&');
  const written = query.map(({ name, value }) => {
    const at = known.findIndex((one) => one.name === name && one.value === value);
    return pairs[at] ?? `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  });
  return `${start}${written.length === 0 ? '' : `?${written.join('&')}`}${hash}`;
}

function splitPath(path: string): Record<'start' | 'query' | 'hash', string> {
  const [, start = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(path) ?? [];
  return { start, query, hash };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

export interface ConsoleProblems {
  path: string | null;
  headers: string | null;
  /** A problem is only a hint, because the body is sent exactly as written. */
  body: string | null;
}

export function getConsoleProblems(draft: ConsoleInput): ConsoleProblems {
  const headers = readHeaders(draft.headers);
  const json = draft.bodyKind === 'json' && takesBody(draft.method) && draft.body.trim() !== '';
  const problem = json ? findJsonProblem(draft.body) : null;
  return {
    path: findConsolePathProblem(draft.path),
    headers: headers.ok ? null : headers.message,
    body: problem && 'Invalid JSON. Sent exactly as written.',
  };
}

/** Returns null if the path or a header is invalid. */
export function toConsoleRequest(draft: ConsoleInput): JsonObject | null {
  const headers = readHeaders(draft.headers);
  if (!headers.ok || findConsolePathProblem(draft.path) !== null) return null;
  const { method, path } = draft;
  const form = takesBody(method) && draft.bodyKind === 'form';
  const { file } = draft;
  return {
    method,
    path,
    ...(headers.headers.length > 0 && { headers: headers.headers }),
    body: takesBody(method) && !form && draft.body !== '' ? draft.body : null,
    ...(form && {
      multipart: {
        fields: draft.fields
          .filter(({ name }) => name.trim() !== '')
          .map(({ name, value }): JsonValue => [name.trim(), value]),
        file: file && {
          name: file.name,
          media: createMediaReference(file.mediaId),
          ...(file.filename !== '' && { filename: file.filename }),
        },
      },
    }),
  };
}

export function toConsoleInput(request: JsonObject): ConsoleInput {
  const multipart = isJsonObject(request.multipart) ? request.multipart : null;
  const file = multipart && isJsonObject(multipart.file) ? multipart.file : null;
  const mediaId = file === null ? null : findReferencedMedia(getString(file.media));
  return {
    method: getString(request.method) || emptyInputs.console.method,
    path: getString(request.path),
    headers: readPairs(request.headers)
      .map(({ name, value }) => `${name}: ${value}`)
      .join('\n'),
    bodyKind: multipart === null ? 'json' : 'form',
    body: getString(request.body),
    fields: readPairs(multipart?.fields),
    file:
      file === null || mediaId === null
        ? null
        : { name: getString(file.name), mediaId, filename: getString(file.filename) },
  };
}

function readPairs(value: JsonValue | undefined): FormField[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((pair) =>
    Array.isArray(pair) ? [{ name: getString(pair[0]), value: getString(pair[1]) }] : [],
  );
}
