/** Checks whether a 2xx response matches the request. */
import { type AppError, appError } from '../../shared/errors.ts';
import { isJsonObject, startsAsJson } from '../../shared/json.ts';
import { parseJson, parseRounded } from '../../shared/parse-json.ts';
import { ExpansionError, MAX_EXPANSION_RATIO, TruncatedBodyError } from './body-decoder.ts';
import type { Accepts } from './exchange-types.ts';
import { readGatewayDetails } from './gateway-details.ts';
import type { DocumentFindings, InspectedDocument } from './long-document.ts';
import { getHeader, type ResponseHead } from './response-head.ts';
import { isWebPage } from './response-kind.ts';
import type { GatewayResponse } from './response-reader.ts';

type Document = Pick<InspectedDocument, 'head' | 'text' | 'tooLong'>;

type ExpectedContent = { accepts: Accepts; wanted: string; isCarried: boolean };

/** Returns null if nothing is wrong so far. */
export function findResponseError(
  response: GatewayResponse,
  findings: DocumentFindings | null,
  expected: ExpectedContent,
): AppError | null {
  const { head, decoding } = response;
  if (decoding && !(decoding instanceof TruncatedBodyError)) {
    return decodingError(head, response.kind === 'document' ? response.text : '', decoding);
  }
  switch (response.kind) {
    case 'stream':
      return findStreamError(response, expected);
    case 'bytes':
      return null;
    case 'document':
      return findings?.mismatch ?? null;
  }
}

function findStreamError(
  { head, stream }: Extract<GatewayResponse, { kind: 'stream' }>,
  { accepts, wanted, isCarried }: ExpectedContent,
): AppError | null {
  if (accepts === 'bytes' && !isCarried) {
    return createMalformedError(
      head,
      '',
      `Expected ${wanted}, received an event stream.`,
      LOOK_INTO_IT,
    );
  }
  if (stream.tooLarge) {
    const message = 'The stream has an event over the 64 MiB limit. Partial response kept.';
    return createMalformedError(head, '', message, 'Request less data and retry.');
  }
  // `outcome.ts` reports an unfinished frame as a truncated stream.
  if (accepts === 'any' || stream.frameCount > 0 || stream.unfinished !== null) return null;
  return createMalformedError(
    head,
    '',
    'The gateway sent an empty stream.',
    'Retry. If it keeps happening, try another model.',
  );
}

export function findDocumentError(
  response: Document,
  { accepts, wanted, isCarried }: ExpectedContent,
): AppError | null {
  const { head, text } = response;
  if (accepts === 'any') return null;
  if (response.tooLong) {
    return createMalformedError(
      head,
      text,
      'The response is over the 64 MiB limit.',
      'Request less data and retry.',
      getType(head),
    );
  }
  if (isEmpty(text, accepts)) {
    return createMalformedError(head, text, 'The gateway returned an empty response.', AGAIN);
  }
  switch (accepts) {
    case 'json':
    case 'json-list':
      return findJsonError(head, text, accepts === 'json-list');
    case 'text':
      return findTextError(head, text);
    case 'bytes':
      return isCarried ? null : createFileError(head, text, wanted);
  }
}

/** Whitespace alone is a valid transcript, because the audio may be silent. */
function isEmpty(text: string, accepts: Accepts): boolean {
  return accepts === 'text' ? text === '' : text.trim() === '';
}

function findJsonError(head: ResponseHead, text: string, mayBeList: boolean): AppError | null {
  const json = parseRounded(text);
  // Some gateways send a bare array, or an array of stream chunks.
  if ((mayBeList && isObjectList(json)) || isJsonObject(json)) return null;
  if (/^\s*</.test(text)) return createWebPageError(head, text, 'an API response');
  return createNotJsonError(head, text);
}

function isObjectList(json: unknown): boolean {
  return Array.isArray(json) && json.length > 0 && json.every(isJsonObject);
}

/** Accepts plain text, but text that looks like JSON must be valid JSON. */
function findTextError(head: ResponseHead, text: string): AppError | null {
  if (isWebPage(text)) return createWebPageError(head, text, 'an API response');
  const json = parseJson(text);
  if (isJsonObject(json) || isObjectList(json) || typeof json === 'string') return null;
  const isLabeled = /\bjson\b/i.test(getType(head) ?? '');
  if (startsAsJson(text) || (isLabeled && json !== undefined))
    return createNotJsonError(head, text);
  if (!text.includes('\0')) return null;
  return createMalformedError(head, '', 'The response isn’t text.', LOOK_INTO_IT, getType(head));
}

function createNotJsonError(head: ResponseHead, text: string): AppError {
  const type = getType(head) ?? 'no content type';
  return createMalformedError(head, text, 'The response isn’t a valid JSON object.', AGAIN, type);
}

function createFileError(head: ResponseHead, text: string, wanted: string): AppError {
  if (isWebPage(text)) return createWebPageError(head, text, wanted);
  const what = parseJson(text) === undefined ? 'text' : 'JSON';
  return createMalformedError(
    head,
    text,
    `The gateway returned ${what}, not ${wanted}.`,
    LOOK_INTO_IT,
    getType(head),
  );
}

const AGAIN = 'Retry. If it keeps happening, check the gateway and any proxy in front of it.';
const LOOK_INTO_IT = 'Open the inspector to see the response, and check the model ID.';

function createWebPageError(head: ResponseHead, text: string, wanted: string): AppError {
  return createMalformedError(
    head,
    text,
    `The gateway returned a web page, not ${wanted}.`,
    'Check the base URL. It should point to the API, not the website.',
  );
}

function decodingError(head: ResponseHead, text: string, cause: Error): AppError {
  const message =
    cause instanceof ExpansionError
      ? `Stopped: the compressed response expands to more than ${MAX_EXPANSION_RATIO}× its size. Partial response kept.`
      : 'The response can’t be decompressed.';
  return createMalformedError(head, text, message, AGAIN, cause.message);
}

function createMalformedError(
  head: ResponseHead,
  text: string,
  message: string,
  nextStep: string,
  detail: string | null = null,
): AppError {
  return appError('malformed-response', message, nextStep, {
    gateway: readGatewayDetails(head, text),
    detail,
  });
}

function getType(head: ResponseHead): string | null {
  return getHeader(head.headers, 'content-type');
}
