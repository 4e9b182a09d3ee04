/** Reads the error details of a response in any common format. */
import type { GatewayDetails } from '../../shared/errors.ts';
import { isJsonObject, type JsonValue } from '../../shared/json.ts';
import {
  describeMessage,
  findReason,
  hasError,
} from '../../shared/operations/response/error-reason.ts';
import { findDisplayText, isSuccessWord } from '../../shared/operations/response/values.ts';
import { readTaskStatusWord } from '../../shared/operations/video/task-envelope.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { HeaderList } from '../../shared/run.ts';
import { getHeader, type ResponseHead } from './response-head.ts';

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

export function readGatewayDetails(head: ResponseHead, text: string): GatewayDetails {
  const reason = findReason(parseJson(text) ?? parseJson(getFirstEvent(text)));
  const message = reason && describeMessage(reason);
  return {
    status: head.status,
    type: reason?.type ?? null,
    param: reason?.param ?? null,
    code: reason?.code ?? null,
    message,
    requestId: findRequestId(head.headers, message ?? text),
    bodyExcerpt: text === '' ? null : text.slice(0, EXCERPT_LENGTH),
  };
}

/** Returns the data of a stream's first event, or an empty string for other bodies. */
function getFirstEvent(text: string): string {
  return /^(?:(?:event|id|retry)?:.*\r?\n)*data:(.*)/.exec(text)?.[1] ?? '';
}

/**
 * Treats a 200 response as failed if it has an `error`, or if it has no result but has `success:
 * false`, `errors`, an error code or nothing except the details of an error.
 */
export function reportsFailure(body: JsonValue | undefined): boolean {
  if (Array.isArray(body)) return body.length === 1 && isJsonObject(body[0]) && hasError(body[0]);
  if (!isJsonObject(body)) return false;
  if (hasError(body)) return true;
  const { data } = body;
  if (body.success === false) return !(isJsonObject(data) && readTaskStatusWord(data) !== null);
  // A response with both a result and errors may be billed.
  if (RESULTS.some((name) => !isBlank(body[name]))) return false;
  if (!isBlank(body.errors)) return true;
  const message = MESSAGES.map((name) => body[name]).find((value) => !isBlank(value));
  const isSaid = message !== undefined && !(typeof message === 'string' && isSuccessWord(message));
  const isNamed = KINDS.some((name) => body[name] === 'error') || CODES.some(isErrorCode);
  if (isNamed && isSaid) return true;
  return !isBlank(body.detail) && Object.keys(body).every((name) => DETAILS.includes(name));

  function isErrorCode(name: string): boolean {
    const code = findDisplayText(isJsonObject(body) ? body[name] : undefined);
    return code !== null && !isSuccessWord(code);
  }
}

const MESSAGES = ['message', 'msg', 'error_msg', 'error_message'];
const CODES = ['code', 'error_code'];
const KINDS = ['object', 'type', 'status'];
const DETAILS = [
  'detail',
  'status',
  'title',
  'type',
  'instance',
  'request_id',
  ...MESSAGES,
  ...CODES,
];

const RESULTS = [
  'data',
  'choices',
  'task_id',
  'taskId',
  'output',
  'result',
  'results',
  'url',
  'text',
  'audio',
  'candidates',
  'models',
];

/** Also returns true for an object that has only a request ID. */
function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isBlank);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(
    ([name, item]) => name === 'request_id' || name === 'requestId' || isBlank(item),
  );
}

function findRequestId(headers: HeaderList, message: string): string | null {
  for (const name of REQUEST_ID_HEADERS) {
    const value = getHeader(headers, name);
    if (value !== null) return value;
  }
  return REQUEST_ID_IN_MESSAGE.exec(message)?.[1] ?? null;
}
