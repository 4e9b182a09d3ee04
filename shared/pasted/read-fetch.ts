/** Reads calls of `fetch()` into requests; https://fetch.spec.whatwg.org/#requestinit. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { HeaderList } from '../run.ts';
import { findNext, match } from './bash-words.ts';
import {
  CLASS_FIELD,
  createJavaScriptReader,
  FILE_FIELD,
  IDENTIFIER,
  type JavaScriptReader,
  PAIRS_FIELD,
  readPairs,
  toText,
} from './javascript-values.ts';
import {
  type PastedBody,
  type PastedFile,
  type PastedRequest,
  PastedTextError,
  UnclosedError,
} from './pasted-request.ts';
import { parseBody } from './request-body.ts';

const DECLARATION = /(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]{0,200})?=(?!=)/y;
const APPEND = /([A-Za-z_$][\w$]*)\s*\.\s*(?:append|set)\s*\(/y;
const FETCH = /fetch\s*\(/y;

/** Throws the first error if no call can be read. */
export function readFetches(text: string): PastedRequest[] {
  const requests: PastedRequest[] = [];
  const reader = createJavaScriptReader(text);
  let problem: PastedTextError | null = null;
  while (reader.at < text.length) {
    try {
      const request = readNext(text, reader);
      if (request !== null) requests.push(request);
    } catch (error) {
      if (!(error instanceof PastedTextError)) throw error;
      problem ??= error;
      if (error instanceof UnclosedError) break;
      reader.at += 1;
    }
  }
  if (requests.length === 0 && problem !== null) throw problem;
  return requests;
}

/** Reads past the next comment, string, declaration or call; null unless it was a fetch call. */
function readNext(text: string, reader: JavaScriptReader): PastedRequest | null {
  reader.skipBlanks();
  const { at } = reader;
  const declaration = match(DECLARATION, text, at);
  if (declaration !== null) {
    reader.at += declaration[0].length;
    const name = declaration[1] ?? '';
    // Skip only the declaration, because the next step reads the fetch call.
    if (/^\s*(?:await\s+)?(?:\w+\.)?fetch\s*\(/.test(text.slice(reader.at, reader.at + 100)))
      return null;
    reader.variables.set(name, reader.readValue());
    return null;
  }
  const append = match(APPEND, text, at);
  if (append !== null) {
    reader.at += append[0].length;
    addPair(reader, append[1] ?? '', reader.readArguments());
    return null;
  }
  const call = match(FETCH, text, at);
  if (call !== null) {
    reader.at += call[0].length;
    return toRequest(reader.readArguments());
  }
  if (/["'`]/.test(text[at] ?? '')) reader.readString();
  else if (match(IDENTIFIER, text, at) !== null) {
    reader.at += match(IDENTIFIER, text, at)?.[0].length ?? 1;
  } else reader.at = findNext(/[\w$"'`/\s]/g, text, at + 1);
  return null;
}

function addPair(
  reader: JavaScriptReader,
  name: string,
  [key = '', value = '']: JsonValue[],
): void {
  const current = reader.variables.get(name);
  if (!isJsonObject(current)) return;
  const pairs = current[PAIRS_FIELD];
  if (Array.isArray(pairs)) pairs.push([toText(key), value]);
  else current[toText(key)] = value;
}

function toRequest([url, init]: JsonValue[]): PastedRequest {
  if (url === undefined) throw new PastedTextError('The call of fetch has no URL.');
  const options = isJsonObject(init) ? init : {};
  const notes: string[] = [];
  const headers = readHeaders(options.headers ?? {});
  const body = readBody(options.body ?? null, headers, notes);
  const method = typeof options.method === 'string' ? options.method.toUpperCase() : 'GET';
  return { source: 'fetch', method, url: toText(url), headers, body, notes };
}

function readHeaders(value: JsonValue): HeaderList {
  const entries: [string, JsonValue][] = Array.isArray(value)
    ? value.flatMap((pair) => (Array.isArray(pair) ? [[toText(pair[0] ?? ''), pair[1] ?? '']] : []))
    : Object.entries(isJsonObject(value) ? value : {});
  return entries.map(([name, text]) => [name, toText(text)]);
}

function readBody(value: JsonValue, headers: HeaderList, notes: string[]): PastedBody {
  if (value === null) return { kind: 'none' };
  if (!isJsonObject(value)) return parseBody(toText(value), headers);
  if (value[CLASS_FIELD] === 'FormData') return readForm(value);
  if (value[FILE_FIELD] !== undefined) {
    notes.push(`The file “${toText(value)}” can’t be read from pasted text.`);
    return { kind: 'none' };
  }
  return parseBody(toText(value), headers);
}

function readForm(value: JsonObject): PastedBody {
  const fields: [string, string][] = [];
  const files: PastedFile[] = [];
  for (const [field, item] of readPairs(value)) {
    const isFile = isJsonObject(item) && item[FILE_FIELD] !== undefined;
    if (isFile) files.push({ field, fileName: toText(item).split(/[\\/]/).at(-1) ?? '' });
    else fields.push([field, toText(item)]);
  }
  return { kind: 'form', fields, files };
}
