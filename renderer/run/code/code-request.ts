import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { createMediaReference, findReferencedMedia } from '../../../shared/media.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import type { HeaderList, SentRequest } from '../../../shared/run.ts';
import { writeLiteral } from './literals.ts';

export interface FilePart {
  name: string;
  filename: string;
  type: string;
  /** The path that the exported code reads the file from. */
  path: string;
  /** Null if it isn't recorded. */
  mediaId: string | null;
}

export type CodeBody =
  | { kind: 'none' }
  /** Text that the exported code sends unchanged. */
  | { kind: 'text'; pieces: BodyPiece[] }
  /** True if parsing and serializing the JSON doesn't change it. */
  | { kind: 'json'; value: JsonValue }
  | { kind: 'form'; fields: [name: string, value: string][]; files: FilePart[] };

/** Text in which the exported code reads each secret from an environment variable. */
export type CodeText = readonly (string | { variable: string })[];

export interface CodeRequest {
  method: string;
  url: CodeText;
  /** The key first; omits headers that clients set themselves. */
  headers: [name: string, value: CodeText][];
  /** The environment variables that the URL and the headers need. */
  variables: string[];
  body: CodeBody;
}

/** The environment variable that replaces the key in exported code. */
const keyVariable = 'GATEHOUSE_API_KEY';

/** Clients set these headers, and exported values would be wrong once the body is edited. */
const clientHeaders = new Set([
  'content-length',
  'host',
  'connection',
  'accept-encoding',
  'transfer-encoding',
]);

/** Gatehouse sends these headers itself, so they aren't part of the user's request. */
const ownHeaders = new Map([
  ['user-agent', 'Gatehouse'],
  ['accept', '*/*'],
]);

export function toCodeRequest(sent: SentRequest): CodeRequest {
  const { headers } = sent;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const isForm = type.startsWith('multipart/form-data');
  const keyName = findKeyHeader(headers);
  const given = headers
    .filter(
      ([name, value]) =>
        !clientHeaders.has(name.toLowerCase()) &&
        ownHeaders.get(name.toLowerCase()) !== value &&
        !(isForm && name.toLowerCase() === 'content-type'),
    )
    .map(([name, value]): [string, CodeText] => [
      name,
      name === keyName ? getKeyText(value) : hideSecrets(value, getVariable(name)),
    ]);
  const url = getUrlText(sent.url);
  const texts = [url, ...given.map(([, value]) => value)];
  return {
    method: sent.method.toUpperCase(),
    url,
    headers: [
      ...given.filter(([name]) => name === keyName),
      ...given.filter(([name]) => name !== keyName),
    ],
    variables: [...new Set(texts.flatMap(listVariables))],
    body: getBody(sent.body, isForm),
  };
}

/** Replaces secrets in recorded requests. */
const REDACTED = '[redacted]';

/** Returns the name of the header that carries the connection's key; undefined if none does. */
function findKeyHeader(headers: HeaderList): string | undefined {
  const isKey = ([name, value]: HeaderList[number]) =>
    /api-?key$/i.test(name) && value.includes(REDACTED);
  const found = headers.find(([name]) => name.toLowerCase() === 'authorization');
  return (found ?? headers.find(isKey))?.[0];
}

/** Keeps the scheme; Basic authentication sends `user:password` in base64. */
function getKeyText(value: string): CodeText {
  const [scheme = ''] = /^\S+ /.exec(value) ?? [];
  const isBasic = scheme.toLowerCase() === 'basic ';
  return [scheme, { variable: isBasic ? `${keyVariable}_BASE64` : keyVariable }];
}

function getVariable(name: string): string {
  const word = name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  return /^[A-Z]/.test(word) ? word : `VALUE_${word}`;
}

function hideSecrets(text: string, variable: string): CodeText {
  const [first = '', ...others] = text.split(REDACTED);
  return [first, ...others.flatMap((after) => [{ variable }, after])];
}

/** Replaces secret query values with variables named after their parameters. */
function getUrlText(url: string): CodeText {
  return url.split(/(?<=[?&][^?&=]+=)\[redacted\]/).flatMap((piece, index, pieces) => {
    if (index === pieces.length - 1) return [piece];
    const name = piece.slice(Math.max(piece.lastIndexOf('?'), piece.lastIndexOf('&')) + 1, -1);
    return [piece, { variable: getVariable(name) }];
  });
}

function listVariables(text: CodeText): string[] {
  return text.flatMap((part) => (typeof part === 'string' ? [] : [part.variable]));
}

/** Returns the text if it has no secret, or else null. */
export function getPlainText(text: CodeText): string | null {
  return listVariables(text).length > 0 ? null : text.join('');
}

/** Joins the text, if its literal parts need no quoting in a template of any language. */
export function writeTemplate(text: CodeText, write: (variable: string) => string): string | null {
  const parts = text.map((part) => {
    if (typeof part !== 'string') return write(part.variable);
    return /^[\w :;,./?&=-]*$/.test(part) ? part : null;
  });
  return parts.includes(null) ? null : parts.join('');
}

/** Joins the literal parts and variables with `+`. */
export function writeSum(
  text: CodeText,
  write: (variable: string) => string,
  literal: (text: string) => string = writeLiteral,
  plus = ' + ',
): string {
  const parts = text
    .filter((part) => part !== '')
    .map((part) => (typeof part === 'string' ? literal(part) : write(part.variable)));
  return parts.length === 0 ? literal('') : parts.join(plus);
}

function getBody(body: string | null, isForm: boolean): CodeBody {
  if (body === null) return { kind: 'none' };
  const value = parseJson(body);
  if (value === undefined) return { kind: 'text', pieces: [body] };
  if (isForm && isJsonObject(value)) return getForm(value);
  // A JavaScript object would send `1.0` as `1`, and a `__proto__` key would set the prototype.
  const survives = JSON.stringify(value) === body && !body.includes('"__proto__"');
  if (survives) return { kind: 'json', value: renameFiles(value) };
  const choosePath = createPathChooser();
  const pieces = splitFiles(body).map((piece) =>
    typeof piece === 'string' ? piece : { ...piece, path: choosePath(piece.path, piece.mediaId) },
  );
  return { kind: 'text', pieces };
}

function getForm({ fields, files }: JsonObject): CodeBody {
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
  const choosePath = createPathChooser();
  return {
    kind: 'form',
    fields: (Array.isArray(fields) ? fields : []).flatMap((pair): [string, string][] =>
      // Normalize line breaks in form fields, as Gatehouse and browsers do.
      Array.isArray(pair) ? [[text(pair[0]), normalizeBreaks(text(pair[1]))]] : [],
    ),
    files: (Array.isArray(files) ? files : []).filter(isJsonObject).map((file) => {
      const filename = text(file.filename);
      const mediaId = findReferencedMedia(text(file.reference));
      const path = choosePath(filename, mediaId);
      return { name: text(file.name), filename, type: text(file.type), path, mediaId };
    }),
  };
}

/** Gives files that share a name distinct placeholders, and so distinct paths. */
function renameFiles(value: JsonValue): JsonValue {
  const choosePath = createPathChooser();
  const walk = (item: JsonValue): JsonValue => {
    if (typeof item === 'string') {
      const file = readFileText(item);
      if (file === null) return item;
      const path = choosePath(file.path, file.mediaId);
      return path === file.path ? item : `${file.before}${writePlaceholder(path, file.mediaId)}`;
    }
    if (Array.isArray(item)) return item.map(walk);
    if (!isJsonObject(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(value);
}

/** Returns a function that names files: `image.png`, then `image-2.png` for another file. */
function createPathChooser() {
  const paths = new Map<string, string>();
  return (name: string, mediaId: string | null): string => {
    const known = mediaId === null ? undefined : paths.get(mediaId);
    if (known !== undefined) return known;
    const path = getFreePath(getPath(name), new Set(paths.values()));
    paths.set(mediaId ?? `unknown ${paths.size}`, path);
    return path;
  };
}

function normalizeBreaks(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

/** Escapes names of form parts as browsers do. */
export function escapeFormName(name: string): string {
  return name.replace(/\r\n|\r|\n/g, '%0D%0A').replaceAll('"', '%22');
}

/** Text that stands for a file's contents in a recorded body. */
export interface FileText {
  /** A prefix such as `data:image/png;base64,`, or an empty string. */
  before: string;
  path: string;
  mediaId: string;
}

const placeholder = /^(data:[^,"<>]*;base64,)?<base64 of (.+), [^,]+, media:([\w-]{16,64})>$/s;

function writePlaceholder(path: string, mediaId: string): string {
  return `<base64 of ${path}, 0 bytes, ${createMediaReference(mediaId)}>`;
}

/** Returns null unless the whole text is a placeholder, because a prompt may mention one. */
export function readFileText(text: string): FileText | null {
  const found = placeholder.exec(text);
  const [, before = '', name = '', mediaId = ''] = found ?? [];
  return found && { before, path: getPath(name), mediaId };
}

export interface CodeFile {
  path: string;
  /** Null if it isn't recorded. */
  mediaId: string | null;
}

/** Returns the files that the exported code reads, each once. */
export function listFiles(body: CodeBody): CodeFile[] {
  const files = new Map<string, CodeFile>();
  const walk = (value: JsonValue): void => {
    if (typeof value === 'string') {
      const file = readFileText(value);
      if (file !== null) files.set(file.path, { path: file.path, mediaId: file.mediaId });
    } else if (Array.isArray(value)) value.forEach(walk);
    else if (isJsonObject(value)) Object.values(value).forEach(walk);
  };
  if (body.kind === 'json') walk(body.value);
  if (body.kind === 'text') {
    for (const piece of body.pieces) if (typeof piece !== 'string') files.set(piece.path, piece);
  }
  if (body.kind === 'form') {
    for (const { path, mediaId } of body.files) files.set(path, { path, mediaId });
  }
  return [...files.values()];
}

/** A piece of a body: text, or a file whose base64 is inserted there. */
export type BodyPiece = string | CodeFile;

/** Splits JSON around file contents, because base64 needs no escaping. */
export function splitFiles(json: string): BodyPiece[] {
  return splitJson(json, Number.POSITIVE_INFINITY);
}

/** Like `splitFiles`, but also splits after top-level fields and lines longer than `width`. */
export function splitJson(json: string, width: number): BodyPiece[] {
  const pieces: BodyPiece[] = [];
  let depth = 0;
  let from = 0;
  const cut = (to: number) => {
    if (to > from) pieces.push(json.slice(from, to));
    from = to;
  };
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/g)) {
    const end = index + token.length;
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ',') {
      if (end - from > width || (depth === 1 && width < Number.POSITIVE_INFINITY)) cut(end);
    } else {
      const text = token.includes('<base64 of ') ? parseJson(token) : undefined;
      const file = typeof text === 'string' ? readFileText(text) : null;
      if (file === null) continue;
      cut(index + writeLiteral(file.before).length - 1);
      pieces.push({ path: file.path, mediaId: file.mediaId });
      from = end - 1;
    }
  }
  cut(json.length);
  return pieces;
}

/** Returns a file name that can't point outside the current folder. */
function getPath(name: string): string {
  const plain = name.replace(/[/\\\p{Cc}]/gu, '_').replace(/^\.+/, '_');
  return plain === '' ? 'file' : plain;
}

function getFreePath(path: string, taken: ReadonlySet<string>): string {
  if (!taken.has(path)) return path;
  const at = path.lastIndexOf('.') > 0 ? path.lastIndexOf('.') : path.length;
  let count = 2;
  const getNumberedPath = () => `${path.slice(0, at)}-${count}${path.slice(at)}`;
  while (taken.has(getNumberedPath())) count += 1;
  return getNumberedPath();
}

/** Joins the pieces of a body with `+`, in Python and TypeScript. */
export function writePieces(
  pieces: readonly BodyPiece[],
  readFile: (file: CodeFile) => string,
): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? writeLiteral(piece) : readFile(piece)))
    .join(' + ');
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
    const file = readFileText(value);
    return file === null ? writeLiteral(value) : style.file(file);
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
