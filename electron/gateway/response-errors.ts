/** What is wrong with a reply of a good status, by what the request expects. */
import { type AppError, appError } from '../../shared/errors.ts';
import { isJsonObject, startsAsJson } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { ExpansionError, MAX_EXPANSION_RATIO, TruncatedBodyError } from './body-decoder.ts';
import type { Accepts } from './exchange-types.ts';
import { readGatewayDetails } from './gateway-details.ts';
import { isWebPage } from './reply-kind.ts';
import type { GatewayReply } from './reply-reader.ts';
import { headerValue, type ResponseHead } from './response-head.ts';

type Document = Extract<GatewayReply, { kind: 'document' }>;

/** `wanted`: what bytes should be. `isCarried`: they were inside of the reply. */
type ExpectedContent = { accepts: Accepts; wanted: string; isCarried: boolean };

/** Null for a reply that is what it should be, as far as it arrived. */
export function replyProblem(reply: GatewayReply, expected: ExpectedContent): AppError | null {
  const { head, decoding } = reply;
  if (decoding && !(decoding instanceof TruncatedBodyError)) {
    return undecodable(head, reply.kind === 'document' ? reply.text : '', decoding);
  }
  switch (reply.kind) {
    case 'stream':
      return streamProblem(reply, expected);
    case 'bytes':
      return null;
    case 'document':
      return documentProblem(reply, expected);
  }
}

function streamProblem(
  { head, stream }: Extract<GatewayReply, { kind: 'stream' }>,
  { accepts, wanted, isCarried }: ExpectedContent,
): AppError | null {
  if (accepts === 'bytes' && !isCarried) {
    return malformed(
      head,
      '',
      `The gateway returned an event stream, not ${wanted}.`,
      LOOK_INTO_IT,
    );
  }
  // A frame that ended in the middle is a cut, which `outcome.ts` reports.
  if (accepts === 'any' || stream.frameCount > 0 || stream.unfinished !== null) return null;
  return malformed(
    head,
    '',
    'The gateway ended the stream without sending anything.',
    'Run it again. If it keeps happening, try another model.',
  );
}

function documentProblem(
  reply: Document,
  { accepts, wanted, isCarried }: ExpectedContent,
): AppError | null {
  const { head, text } = reply;
  if (accepts === 'any') return null;
  if (reply.tooLong) {
    return malformed(
      head,
      text,
      'The response is larger than 67 MB.',
      'Request less data at a time.',
    );
  }
  if (isEmpty(text, accepts)) {
    return malformed(head, text, 'The gateway returned an empty response.', AGAIN);
  }
  switch (accepts) {
    case 'json':
    case 'json-list':
      return jsonProblem(head, text, accepts === 'json-list');
    case 'text':
      return textProblem(head, text);
    case 'bytes':
      return isCarried ? null : fileProblem(head, text, wanted);
  }
}

/** The transcript of a silence is an empty line. */
function isEmpty(text: string, accepts: Accepts): boolean {
  return accepts === 'text' ? text === '' : text.trim() === '';
}

function jsonProblem(head: ResponseHead, text: string, mayBeList: boolean): AppError | null {
  const json = parseJson(text);
  // Some gateways send the list by itself, or a list of what they would have streamed.
  if ((mayBeList && isObjectList(json)) || isJsonObject(json)) return null;
  if (/^\s*</.test(text)) return webPage(head, text, 'an API response');
  return notTheJson(head, text);
}

function isObjectList(json: unknown): boolean {
  return Array.isArray(json) && json.length > 0 && json.every(isJsonObject);
}

/** Text, or JSON of the text: what begins as JSON must be JSON to its end. */
function textProblem(head: ResponseHead, text: string): AppError | null {
  if (isWebPage(text)) return webPage(head, text, 'an API response');
  const json = parseJson(text);
  if (isJsonObject(json) || isObjectList(json) || typeof json === 'string') return null;
  const isLabeled = /\bjson\b/i.test(getType(head) ?? '');
  if (startsAsJson(text) || (isLabeled && json !== undefined)) return notTheJson(head, text);
  if (!text.includes('\0')) return null;
  return malformed(head, '', 'The response is not text.', LOOK_INTO_IT, getType(head));
}

function notTheJson(head: ResponseHead, text: string): AppError {
  const type = getType(head) ?? 'no content type';
  return malformed(head, text, 'The response is not the expected JSON.', AGAIN, type);
}

/** The expected reply would have come as bytes. */
function fileProblem(head: ResponseHead, text: string, wanted: string): AppError {
  if (isWebPage(text)) return webPage(head, text, wanted);
  const what = parseJson(text) === undefined ? 'text' : 'JSON';
  return malformed(
    head,
    text,
    `The gateway returned ${what}, not ${wanted}.`,
    LOOK_INTO_IT,
    getType(head),
  );
}

const AGAIN =
  'Run it again. If it keeps happening, the gateway or a proxy in front of it has a problem.';
const LOOK_INTO_IT = 'Open the inspector to see the response, and check the model ID.';

function webPage(head: ResponseHead, text: string, wanted: string): AppError {
  return malformed(
    head,
    text,
    `The gateway returned a web page, not ${wanted}.`,
    'Check the base URL: it should point to the API, not to the website.',
  );
}

function undecodable(head: ResponseHead, text: string, cause: Error): AppError {
  const message =
    cause instanceof ExpansionError
      ? `The response expands to more than ${MAX_EXPANSION_RATIO} times its compressed size. Partial response kept.`
      : 'The response cannot be decompressed.';
  return malformed(head, text, message, AGAIN, cause.message);
}

function malformed(
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
  return headerValue(head.headers, 'content-type');
}
