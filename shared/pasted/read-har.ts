/** Reads requests out of an HTTP archive; http://www.softwareishard.com/blog/har-12-spec/. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { HeaderList } from '../run.ts';
import type { PastedBody, PastedRequest } from './pasted-request.ts';
import { parseBody } from './request-body.ts';

/** Accepts a file, one entry, or an entry's request; returns null for other JSON. */
export function readHar(value: JsonValue): PastedRequest[] | null {
  if (!isJsonObject(value)) return null;
  const entries = isJsonObject(value.log) ? value.log.entries : undefined;
  if (Array.isArray(entries)) return entries.flatMap(readEntry);
  const requests = readEntry(value.request === undefined ? { request: value } : value);
  return requests.length === 0 ? null : requests;
}

function readEntry(entry: JsonValue): PastedRequest[] {
  const request = isJsonObject(entry) ? entry.request : undefined;
  if (!isJsonObject(request)) return [];
  const { method, url } = request;
  if (typeof method !== 'string' || typeof url !== 'string' || !Array.isArray(request.headers)) {
    return [];
  }
  const headers = readPairs(request.headers).filter(([name]) => !name.startsWith(':'));
  const body = readPostData(request.postData ?? null, headers);
  return [{ source: 'har', method: method.toUpperCase(), url, headers, body, notes: [] }];
}

function readPostData(value: JsonValue, headers: HeaderList): PastedBody {
  if (!isJsonObject(value)) return { kind: 'none' };
  const type = typeof value.mimeType === 'string' ? value.mimeType : '';
  if (typeof value.text === 'string' && value.text !== '') {
    return parseBody(value.text, [...headers, ['content-type', type]]);
  }
  const params = Array.isArray(value.params) ? value.params.filter(isJsonObject) : [];
  if (params.length === 0) return { kind: 'none' };
  const isFile = (param: JsonObject) => typeof param.fileName === 'string';
  return {
    kind: 'form',
    fields: readPairs(params.filter((param) => !isFile(param))),
    files: params
      .filter(isFile)
      .map(({ name, fileName }) => ({ field: String(name), fileName: String(fileName) })),
  };
}

function readPairs(items: readonly JsonValue[]): [string, string][] {
  return items.flatMap((item) =>
    isJsonObject(item) && typeof item.name === 'string'
      ? [[item.name, typeof item.value === 'string' ? item.value : '']]
      : [],
  );
}
