/** Builds requests from the literal values of a script in JavaScript or PowerShell. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { HeaderList } from '../run.ts';
import type { PastedBody, PastedFile, PastedRequest, PastedSource } from './pasted-request.ts';
import { describeMissingFile, getFileName, parseBody } from './request-body.ts';

/** Fields that hold the class and the pairs of a constructed object, such as FormData. */
export const CLASS_FIELD = '\0class';
export const PAIRS_FIELD = '\0pairs';
/** The field that holds the name of a file, as in `fs.createReadStream('speech.mp3')`. */
export const FILE_FIELD = '\0file';

/** Reads the options `method`, `headers` and `body`; https://fetch.spec.whatwg.org/#requestinit. */
export function createRequest(
  source: PastedSource,
  url: JsonValue,
  options: JsonObject,
): PastedRequest {
  const { method, body = null } = options;
  const headers = readHeaders(options.headers ?? null);
  const file = getFile(body);
  return {
    source,
    method: typeof method === 'string' ? method.toUpperCase() : 'GET',
    url: toText(url),
    headers,
    body: file === null ? readBody(body, headers) : { kind: 'none' },
    notes: file === null ? [] : [describeMissingFile(file)],
  };
}

function readHeaders(value: JsonValue): HeaderList {
  const pairs = Array.isArray(value)
    ? value.filter(Array.isArray).map(toPair)
    : Object.entries(isJsonObject(value) ? value : {});
  return pairs.map(([name, text]) => [name, toText(text)]);
}

function readBody(value: JsonValue, headers: HeaderList): PastedBody {
  if (value === null) return { kind: 'none' };
  const isForm = isJsonObject(value) && value[CLASS_FIELD] === 'FormData';
  return isForm ? readForm(readPairs(value)) : parseBody(toText(value), headers);
}

function readForm(pairs: readonly [field: string, value: JsonValue][]): PastedBody {
  const fields: [string, string][] = [];
  const files: PastedFile[] = [];
  for (const [field, value] of pairs) {
    const file = getFile(value);
    if (file === null) fields.push([field, toText(value)]);
    else files.push({ field, fileName: getFileName(file) });
  }
  return { kind: 'form', fields, files };
}

function getFile(value: JsonValue): string | null {
  const file = isJsonObject(value) ? value[FILE_FIELD] : null;
  return typeof file === 'string' ? file : null;
}

export function toText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isJsonObject(value) && Array.isArray(value[PAIRS_FIELD])) {
    return readPairs(value)
      .map((pair) => pair.map((item) => encodeURIComponent(toText(item))).join('='))
      .join('&');
  }
  return getFile(value) ?? JSON.stringify(value);
}

/** Joins lists by commas, and omits fields: encoding JSON in JSON would double its backslashes at each level. */
export function toShortText(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(toShortText).join(',');
  return isJsonObject(value) ? '[object Object]' : String(value);
}

export function readPairs(value: JsonObject): [name: string, value: JsonValue][] {
  const pairs = value[PAIRS_FIELD];
  return Array.isArray(pairs) ? pairs.map(toPair) : [];
}

export function toPair(pair: JsonValue): [string, JsonValue] {
  return Array.isArray(pair) ? [toShortText(pair[0] ?? ''), pair[1] ?? ''] : ['', ''];
}
