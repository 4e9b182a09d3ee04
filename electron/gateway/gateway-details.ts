/** Reads what a gateway reports about a failure, in whatever shape it comes. */
import type { GatewayDetails } from '../../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { HeaderList } from '../../shared/run.ts';
import { headerValue, type ResponseHead } from './response-head.ts';

const EXCERPT_LENGTH = 4096;

const REQUEST_ID_HEADERS = [
  'x-request-id',
  'x-oneapi-request-id',
  'request-id',
  'x-new-api-request-id',
  'x-amzn-requestid',
  'cf-ray',
];
const REQUEST_ID_IN_MESSAGE = /request[ _-]?id:?\s*["']?([\w.-]{6,})/i;

/** `text` is the reply's body, redacted already. */
export function readGatewayDetails(head: ResponseHead, text: string): GatewayDetails {
  const body = parseJson(text);
  const error = isJsonObject(body) ? errorObject(body) : null;
  const message = firstText(error?.message, error?.msg, error?.detail);
  return {
    status: head.status,
    type: firstText(error?.type),
    param: firstText(error?.param),
    code: firstText(error?.code),
    message,
    requestId: requestId(head.headers, message ?? text),
    bodyExcerpt: text === '' ? null : text.slice(0, EXCERPT_LENGTH),
  };
}

/**
 * `{error: {…}}`, `{error: "…"}`, or the fields of an error without that name around them, as task
 * errors (`{code, message, data}`) and frameworks (`{detail}`) have them. Null where it is none.
 */
export function errorObject(body: JsonObject): JsonObject | null {
  const { error } = body;
  if (isJsonObject(error)) return error;
  if (typeof error === 'string') return { ...body, message: body.message ?? error };
  const hasMessage = [body.message, body.msg, body.detail].some(
    (field) => typeof field === 'string',
  );
  return hasMessage ? body : null;
}

/** In a 200 reply only what cannot be a result: an `error`, or a code and message without data. */
export function reportsFailure(body: JsonValue | undefined): boolean {
  if (!isJsonObject(body)) return false;
  const { error, code, message, data } = body;
  if (error !== undefined && error !== null && error !== false && error !== '') return true;
  const named =
    (typeof code === 'string' || typeof code === 'number') && typeof message === 'string';
  const fine = ['', 'success', 'ok', '0', '200'].includes(String(code).toLowerCase());
  return named && !fine && (data === undefined || data === null) && body.choices === undefined;
}

function firstText(...candidates: (JsonValue | undefined)[]): string | null {
  for (const candidate of candidates) {
    if (typeof candidate === 'string' && candidate !== '') return candidate;
    if (typeof candidate === 'number') return String(candidate);
  }
  return null;
}

function requestId(headers: HeaderList, message: string): string | null {
  for (const name of REQUEST_ID_HEADERS) {
    const value = headerValue(headers, name);
    if (value !== null) return value;
  }
  return REQUEST_ID_IN_MESSAGE.exec(message)?.[1] ?? null;
}
