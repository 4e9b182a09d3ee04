/** Converts a pasted request to a run's input, as a panel's form stores it. */
import { isJsonObject, type JsonObject, type JsonValue, startsAsJson } from '../json.ts';
import { decodeRequest } from '../operations/decode-request.ts';
import { FORMAT, listFormats } from '../operations/formats.ts';
import type { OperationName } from '../operations/operation-name.ts';
import { requestSchemas } from '../operations/operations.ts';
import type { SentInput } from '../operations/write-request.ts';
import { parseJson } from '../parse-json.ts';
import type { HeaderList } from '../run.ts';
import type { PastedTarget } from './detect-target.ts';
import { convertGeminiChat } from './gemini-chat.ts';
import { type PastedRequest, readContentType } from './pasted-request.ts';
import type { PastedText } from './read-pasted.ts';

export interface PastedInput extends SentInput {
  operation: OperationName;
  /** Such as `a chat request (Messages format)`. */
  title: string;
  /** The body in its wire format; empty for the Console. */
  body: JsonObject;
  /** Sentences about parts that were left out or changed. */
  notes: string[];
}

/** `baseUrl` is that of the connection that will be used; null if it isn't known. */
export function toRunInput(pasted: PastedText, baseUrl: string | null): PastedInput {
  const { target, request } = pasted;
  const input = target === null ? toConsoleInput(request, baseUrl) : toPanelInput(request, target);
  const { others } = pasted;
  const requests =
    others === 1 ? 'Another request' : `${others.toLocaleString('en-US')} other requests`;
  const left =
    others === 0 ? [] : [`${requests} in the text ${others === 1 ? 'was' : 'were'} left out.`];
  return { ...input, notes: [...request.notes, ...input.notes, ...left] };
}

function toPanelInput(request: PastedRequest, target: PastedTarget): PastedInput {
  const { operation, format } = target;
  const { body, notes } = readBody(request, target);
  const decoded = decodeRequest(operation, body, { format });
  const { request: known, extraBody } = decoded;
  const unsent = listUnsentHeaders(request.headers);
  const { model } = target;
  const named = model === null || isText(known.model) ? known : { ...known, model };
  const withoutModel =
    model === null
      ? extraBody
      : Object.fromEntries(Object.entries(extraBody).filter(([name]) => name !== 'model'));
  return {
    operation,
    title: describe(operation, format),
    request: named,
    body,
    extraBody: withoutModel,
    wireNames: decoded.wireNames,
    notes: [
      ...notes,
      ...(unsent.length === 0
        ? []
        : [
            `A connection sends headers, so ${joinWords(unsent)} ${unsent.length === 1 ? 'was' : 'were'} left out.`,
          ]),
    ],
  };
}

function readBody(
  request: PastedRequest,
  target: PastedTarget,
): { body: JsonObject; notes: string[] } {
  const { body, url } = request;
  if (body.kind === 'form') {
    return {
      body: readFormFields(target.operation, body.fields),
      notes: body.files.map(
        ({ fileName }) => `Choose the file “${fileName}”, because pasted text can’t contain it.`,
      ),
    };
  }
  const fields = body.kind === 'json' && isJsonObject(body.value) ? body.value : {};
  if (!target.isGeminiChat) return { body: fields, notes: [] };
  const streams = url?.includes(':streamGenerateContent') === true;
  const converted = convertGeminiChat(fields, target.model, streams);
  return {
    body: converted.body,
    notes: [
      'Converted from generateContent to chat completions.',
      ...(converted.left.length === 0
        ? []
        : [`Without a counterpart: ${joinWords(converted.left)}.`]),
    ],
  };
}

/** Parses form values, which are text, for fields whose schema doesn't accept text. */
function readFormFields(
  operation: OperationName,
  fields: readonly [name: string, value: string][],
): JsonObject {
  const { shape } = requestSchemas[operation];
  const values = new Map<string, JsonValue>();
  for (const [written, text] of fields) {
    const name = written.replace(/\[\]$/, '');
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const accepts = (value: JsonValue) => schema?.safeParse(value).success !== false;
    const parsed = parseJson(text);
    const value = accepts(text) || parsed === undefined || !accepts(parsed) ? text : parsed;
    const before = values.get(name);
    const isList = written.endsWith('[]') || before !== undefined || !accepts(value);
    const listed = [
      ...(Array.isArray(before) ? before : before === undefined ? [] : [before]),
      value,
    ];
    values.set(name, isList && accepts(listed) ? listed : value);
  }
  return Object.fromEntries(values);
}

/** Headers that say nothing about the request itself, or that Gatehouse sends anyway. */
const DEFAULT_HEADER =
  /^(?:content-type|content-length|accept|accept-.*|user-agent|origin|referer|host|connection|authority|method|path|scheme|priority|pragma|cache-control|dnt|te|anthropic-version|sec-.*|x-stainless-.*|:.*)$/i;

/** Returns the names of headers that change the response, such as `anthropic-beta`. */
export function listUnsentHeaders(headers: HeaderList): string[] {
  return headers.map(([name]) => name).filter((name) => !DEFAULT_HEADER.test(name));
}

function toConsoleInput(
  { method, url, headers, body }: PastedRequest,
  baseUrl: string | null,
): PastedInput {
  const isForm = body.kind === 'form';
  const type = readContentType(headers);
  const isDefaultType = type === 'application/json' || (isForm && type.startsWith('multipart/'));
  const kept = headers.filter(
    ([name]) =>
      listUnsentHeaders([[name, '']]).length > 0 ||
      /^(?:anthropic-version|accept)$/i.test(name) ||
      (name.toLowerCase() === 'content-type' && !isDefaultType),
  );
  const text =
    body.kind === 'json'
      ? JSON.stringify(body.value, null, 2)
      : body.kind === 'text'
        ? body.text
        : null;
  return {
    operation: 'console',
    title: 'a request',
    request: {
      method,
      path: getConsolePath(url ?? '', baseUrl),
      headers: kept,
      body: text,
      ...(isForm && { multipart: { fields: body.fields, file: null } }),
    },
    body: {},
    extraBody: {},
    wireNames: {},
    notes: [
      ...(isForm ? body.files : []).map(
        ({ fileName }) => `Choose the file “${fileName}”, because pasted text can’t contain it.`,
      ),
      ...(body.kind === 'text' && startsAsJson(body.text) ? ['Its body isn’t valid JSON.'] : []),
    ],
  };
}

const URL_PATH = /^(?:[a-z][a-z\d+.-]*:\/\/)?[^/?#]*([^#]*)/i;

/** Returns the path below the base URL; `/v1` stays, because Gatehouse doesn't repeat it. */
function getConsolePath(url: string, baseUrl: string | null): string {
  const [, path = ''] = URL_PATH.exec(url) ?? [];
  const [, base = ''] = URL_PATH.exec(baseUrl ?? '') ?? [];
  const prefix = base.replace(/(?<!\/)\/+$/, '').replace(/\/v1(?:beta)?$/, '');
  if (prefix !== '' && path.startsWith(`${prefix}/`)) return path.slice(prefix.length);
  const versioned = baseUrl === null ? /\/v1(?:beta)?\/.*$/.exec(path)?.[0] : undefined;
  return versioned ?? (path.startsWith('/') ? path : `/${path}`);
}

function describe(operation: OperationName, format: string): string {
  const article = /^[aeiou]/.test(operation) ? 'an' : 'a';
  const title = listFormats(operation).find(({ name }) => name === format)?.title;
  const request = `${article} ${operation} request`;
  return title === undefined ? request : `${request} (${title} format)`;
}

/** Empty for the operation's own format. */
export function getFormat({ request }: Pick<SentInput, 'request'>): string {
  const format = request[FORMAT];
  return typeof format === 'string' ? format : '';
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function joinWords(words: readonly string[]): string {
  return new Intl.ListFormat('en-US').format(words);
}
