/** Reads the body of a pasted request from its text. */
import { parseJson } from '../parse-json.ts';
import type { HeaderList } from '../run.ts';
import { type PastedBody, readContentType } from './pasted-request.ts';

/** Backslashes before quotes remain if a text was quoted for another shell. */
const ESCAPED_QUOTE = /\\(["\\])/g;

export function parseBody(text: string, headers: HeaderList): PastedBody {
  if (text.trim() === '') return { kind: 'none' };
  const type = readContentType(headers);
  if (/^\s*[{[]/.test(text)) {
    const value = parseJson(text) ?? parseJson(text.replace(ESCAPED_QUOTE, '$1'));
    if (value !== undefined) return { kind: 'json', value };
  }
  if (type.startsWith('multipart/form-data')) return parseMultipart(text) ?? { kind: 'text', text };
  return { kind: 'text', text };
}

/** Reads a form as browsers copy it, in which file contents are missing. */
function parseMultipart(text: string): PastedBody | null {
  const boundary = /^\s*(--[^\r\n]+)/.exec(text)?.[1];
  if (boundary === undefined) return null;
  const fields: [string, string][] = [];
  const files: { field: string; fileName: string }[] = [];
  for (const part of text.split(boundary)) {
    const [, head = '', content = ''] = /^\r?\n(.*?)\r?\n\r?\n(.*?)(?:\r?\n)?$/s.exec(part) ?? [];
    const field = /\bname="([^"]*)"/i.exec(head)?.[1];
    const fileName = /\bfilename="([^"]*)"/i.exec(head)?.[1];
    if (field === undefined) continue;
    if (fileName === undefined) fields.push([field, content]);
    else files.push({ field, fileName });
  }
  return { kind: 'form', fields, files };
}

export function addQuery(url: string, query: string): string {
  const [address = '', fragment] = url.split('#', 2);
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

export function getFileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

export function describeMissingFile(path: string): string {
  return `The file “${getFileName(path)}” can’t be read from pasted text.`;
}
