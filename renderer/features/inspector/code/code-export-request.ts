import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import type { SentRequest } from '../../../../shared/run.ts';

export interface FilePart {
  name: string;
  filename: string;
  type: string;
  /** The path that the exported code reads the file from. */
  path: string;
}

export type CodeBody =
  | { kind: 'none' }
  /** Text that the exported code sends unchanged. */
  | { kind: 'text'; text: string }
  /** True if parsing and serializing the JSON doesn't change it. */
  | { kind: 'json'; value: JsonValue }
  | { kind: 'form'; fields: [name: string, value: string][]; file: FilePart | null };

export interface CodeRequest {
  method: string;
  url: string;
  /** Omits the key and any headers that clients set themselves. */
  headers: [name: string, value: string][];
  authorized: boolean;
  body: CodeBody;
}

/** The environment variable that replaces the key in exported code. */
export const keyVariable = 'GATEHOUSE_API_KEY';

/** Clients set these headers, and exported values would be wrong once the body is edited. */
const clientHeaders = new Set([
  'authorization',
  'content-length',
  'host',
  'connection',
  'accept-encoding',
  'transfer-encoding',
]);

export function toCodeRequest(sent: SentRequest): CodeRequest {
  const { headers } = sent;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const isForm = type.startsWith('multipart/form-data');
  return {
    method: sent.method.toUpperCase(),
    url: sent.url,
    headers: headers.filter(
      ([name]) =>
        !clientHeaders.has(name.toLowerCase()) &&
        !(isForm && name.toLowerCase() === 'content-type'),
    ),
    authorized: headers.some(([name]) => name.toLowerCase() === 'authorization'),
    body: getBody(sent.body, isForm),
  };
}

function getBody(body: string | null, isForm: boolean): CodeBody {
  if (body === null) return { kind: 'none' };
  const value = parseJson(body);
  if (value === undefined) return { kind: 'text', text: body };
  if (isForm && isJsonObject(value)) return getForm(value);
  // A JavaScript object would send `1.0` as `1`, and a `__proto__` key would set the prototype.
  const survives = JSON.stringify(value) === body && !body.includes('"__proto__"');
  return survives ? { kind: 'json', value } : { kind: 'text', text: body };
}

function getForm({ fields, file }: JsonObject): CodeBody {
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
  const filename = isJsonObject(file) ? text(file.filename) : '';
  return {
    kind: 'form',
    fields: (Array.isArray(fields) ? fields : []).flatMap((pair): [string, string][] =>
      Array.isArray(pair) ? [[text(pair[0]), text(pair[1])]] : [],
    ),
    file: isJsonObject(file)
      ? { name: text(file.name), filename, type: text(file.type), path: getPath(filename) }
      : null,
  };
}

/** Text that stands for a file's contents in a recorded body. */
export interface FileText {
  /** A prefix such as `data:image/png;base64,`, or an empty string. */
  before: string;
  path: string;
}

const placeholder = /^(data:[^,"<>]*;base64,)?<base64 of (.+), [^,]+, media:[\w-]{16,64}>$/s;

/** Returns null unless the whole text is a placeholder, because a prompt may mention one. */
export function fileText(text: string): FileText | null {
  const found = placeholder.exec(text);
  return found && { before: found[1] ?? '', path: getPath(found[2] ?? '') };
}

export function filePaths(body: CodeBody): string[] {
  const paths = new Set<string>();
  const walk = (value: JsonValue): void => {
    if (typeof value === 'string') {
      const file = fileText(value);
      if (file) paths.add(file.path);
    } else if (Array.isArray(value)) value.forEach(walk);
    else if (isJsonObject(value)) Object.values(value).forEach(walk);
  };
  if (body.kind === 'json') walk(body.value);
  if (body.kind === 'form' && body.file) paths.add(body.file.path);
  return [...paths];
}

/** Returns a file name that can't point outside the current folder. */
function getPath(name: string): string {
  const plain = name.replace(/[/\\\p{Cc}]/gu, '_').replace(/^\.+/, '_');
  return plain === '' ? 'file' : plain;
}

interface SourceStyle {
  indent: string;
  /** Writes a property name of an object. */
  name: (name: string) => string;
  file: (file: FileText) => string;
  /** Writes a number, a Boolean or null. */
  scalar: (value: JsonValue) => string;
}

/** Writes a JSON value as source code, with one item per line. */
export function writeSource(value: JsonValue, style: SourceStyle, outer = ''): string {
  const inner = outer + style.indent;
  if (typeof value === 'string') {
    const file = fileText(value);
    return file === null ? literal(value) : style.file(file);
  }
  const isList = Array.isArray(value);
  if (!isList && !isJsonObject(value)) return style.scalar(value);
  const items = isList
    ? value.map((item) => writeSource(item, style, inner))
    : Object.entries(value).map(
        ([name, item]) => `${style.name(name)}: ${writeSource(item, style, inner)}`,
      );
  const [open, close] = isList ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${outer}${close}`;
}

/** Works in both Python and TypeScript, because they accept JSON's escapes. */
export function literal(text: string): string {
  return JSON.stringify(text);
}
