/** Classifies how an exchange ended as a success or an error. */
import { type AppError, appError } from '../../shared/errors.ts';
import { TruncatedBodyError } from './body-decoder.ts';
import type { Accepts, Redirects } from './exchange-types.ts';
import { readErrorInBody } from './http-errors.ts';
import type { DocumentFindings } from './long-document.ts';
import { findResponseError } from './response-errors.ts';
import { endsWithConnection, isFollowed } from './response-head.ts';
import type { GatewayResponse } from './response-reader.ts';
import type { TransmitEnd } from './transmit.ts';
import {
  createUnreachableError,
  describeCause,
  getCode,
  isClientCertificateError,
} from './transport-errors.ts';

export type Outcome =
  | { status: 'succeeded' }
  | { status: 'failed' | 'cancelled' | 'unknown'; error: AppError };

export interface ExpectedResponse {
  url: URL;
  /** A GET is not billed and can be repeated. */
  isRead: boolean;
  accepts: Accepts;
  wanted: string;
  isCarried: boolean;
  redirects: Redirects;
  unreadFile: Error | null;
}

export function classifyOutcome(
  expected: ExpectedResponse,
  end: TransmitEnd,
  response: GatewayResponse | null,
  /** Null unless the response is a document. */
  findings: DocumentFindings | null,
  now: () => number,
): Outcome {
  const { url, isRead, unreadFile } = expected;
  if (end.how === 'stopped') return { status: 'cancelled', error: cancelledError };
  if (unreadFile) return { status: 'failed', error: createUnreadFileError(unreadFile) };
  if (response !== null && isFollowed(expected.redirects, url, response.head)) {
    return { status: 'succeeded' };
  }
  // An error from the gateway takes precedence over a later connection error.
  const reported = response === null ? null : getReportedError(response, findings, now);
  if (reported) return { status: 'failed', error: reported };
  if (response?.kind === 'stream' && (expected.accepts !== 'bytes' || expected.isCarried)) {
    const { done, rest } = response.stream;
    const isWhole = rest === 'nothing' || rest === 'usage';
    if (done || isWhole || (rest === 'unclear' && end.how === 'timeout')) {
      return { status: 'succeeded' };
    }
  }
  if (end.how === 'timeout') return getTimeoutOutcome(expected, end);
  if (end.how === 'broken') return getBrokenOutcome(expected, end);
  if (response === null)
    return { status: 'unknown', error: createUnknownOutcomeError(expected, null) };
  const error =
    findTruncation(response, findings, isRead) ??
    findResponseError(response, findings, expected) ??
    (response.kind === 'stream' ? findStreamCut(response, isRead) : null);
  return error ? { status: 'failed', error } : { status: 'succeeded' };
}

function getReportedError(
  response: GatewayResponse,
  findings: DocumentFindings | null,
  now: () => number,
): AppError | null {
  const { head } = response;
  if (response.kind !== 'stream') return findings?.reported ?? null;
  return response.stream.error
    ? readErrorInBody(head, JSON.stringify(response.stream.error.body), now)
    : null;
}

type Target = Pick<ExpectedResponse, 'url' | 'isRead'>;

function getTimeoutOutcome(
  { url, isRead }: Target,
  end: Extract<TransmitEnd, { how: 'timeout' }>,
): Outcome {
  const seconds = end.seconds === 1 ? '1 second' : `${end.seconds} seconds`;
  const fail = (message: string, nextStep = 'Retry, or raise this timeout in Settings.') =>
    ({ status: 'failed', error: appError('timeout', message, nextStep) }) as const;
  switch (end.phase) {
    case 'connecting':
      return fail(
        `${url.host} didn’t accept a connection within ${seconds}.`,
        'Check the base URL and your network.',
      );
    case 'sending':
      return fail(`The upload stalled for ${seconds} and is incomplete.`);
    case 'waiting': {
      const message = `No response after ${seconds}.`;
      const billed = `${message} The request may still be processed and billed.`;
      return { ...(isRead ? fail(message) : fail(billed, CHECK_USAGE)), status: 'unknown' };
    }
    case 'receiving':
      return fail(`No data for ${seconds}. Partial response kept.`);
  }
}

function getBrokenOutcome(
  target: Target,
  { phase, cause, slept, sizeBytes }: Extract<TransmitEnd, { how: 'broken' }>,
): Outcome {
  const { url, isRead } = target;
  const detail = describeCause(cause);
  if (phase === 'connecting' || isClientCertificateError(getCode(cause)))
    return { status: 'failed', error: createUnreachableError(url, cause) };
  if (phase === 'sending') return { status: 'failed', error: uploadBroken(url, detail, sizeBytes) };
  if (phase === 'receiving')
    return { status: 'failed', error: createCutError(detail, isRead, slept) };
  if (isUnreadableHead(cause)) return { status: 'unknown', error: unreadableHead(target, detail) };
  if (cause.name === 'HTTPParserError') {
    return {
      status: 'failed',
      error: appError(
        'malformed-response',
        `${url.host} isn’t an HTTP server.`,
        'Check the base URL. It may need to start with https://.',
        { detail },
      ),
    };
  }
  return { status: 'unknown', error: createUnknownOutcomeError(target, detail, slept) };
}

/** Accepts complete JSON even if its compressed stream was truncated. */
function findTruncation(
  { decoding }: GatewayResponse,
  findings: DocumentFindings | null,
  isRead: boolean,
): AppError | null {
  if (!(decoding instanceof TruncatedBodyError)) return null;
  return findings?.isJson === true ? null : createCutError(decoding.message, isRead);
}

/**
 * Checks for truncation if no end marker arrived and a normal close looks like a dropped
 * connection.
 */
function findStreamCut(
  { head, stream }: Extract<GatewayResponse, { kind: 'stream' }>,
  isRead: boolean,
): AppError | null {
  if (stream.unfinished !== null) {
    return createCutError(
      `The stream ended in the middle of an event: ${stream.unfinished.slice(0, 200)}`,
      isRead,
    );
  }
  if (!stream.finished && endsWithConnection(head.headers)) {
    return createCutError('The connection closed before the stream finished.', isRead);
  }
  return null;
}

function createCutError(detail: string, isRead: boolean, slept = false): AppError {
  const when = slept ? 'while your computer was asleep' : 'before the response was complete';
  return appError(
    'stream-cut',
    `The connection was lost ${when}. Partial response kept.`,
    `Retry to get the complete response.${isRead ? '' : ' This request may be billed.'}`,
    { detail },
  );
}

function createUnknownOutcomeError(
  { url, isRead }: Target,
  detail: string | null,
  slept = false,
): AppError {
  const message = slept
    ? `The connection to ${url.host} was lost while your computer was asleep, before it responded.`
    : `${url.host} closed the connection without responding.`;
  const [text, nextStep] = noteBilling(isRead, message, 'Try again in a moment.');
  return appError('outcome-unknown', text, nextStep, { detail });
}

/** Only a request that isn't a GET may be billed, so `nextStep` is for a GET. */
function noteBilling(isRead: boolean, message: string, nextStep: string): [string, string] {
  if (isRead) return [message, nextStep];
  return [`${message} The request was sent and may be billed.`, CHECK_USAGE];
}

const CHECK_USAGE = 'Check your gateway usage before you retry.';

function isUnreadableHead(cause: Error): boolean {
  const code = getCode(cause);
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return true;
  }
  // undici forwards llhttp's message without its error code.
  return cause.name === 'HTTPParserError' && !cause.message.includes('Expected HTTP/');
}

function unreadableHead({ url, isRead }: Target, detail: string): AppError {
  const [message, nextStep] = noteBilling(
    isRead,
    `${url.host} sent invalid HTTP headers.`,
    'Ask the gateway’s operator to check its response headers.',
  );
  return appError('malformed-response', message, nextStep, { detail });
}

/** Gateways rarely reject files smaller than this. */
const LARGE_BYTES = 512 * 1024;

function uploadBroken(url: URL, detail: string, sizeBytes: number): AppError {
  const more =
    sizeBytes < LARGE_BYTES
      ? ''
      : ' If it keeps failing, the file may be too large for the gateway.';
  return appError(
    'unreachable',
    `The connection to ${url.host} was lost during the upload.`,
    `Retry.${more}`,
    { detail },
  );
}

function createUnreadFileError(cause: Error): AppError {
  return appError(
    'file',
    'Couldn’t read the whole file. The request was canceled.',
    'Check the disk that holds the data folder, or add the file again.',
    // Don't show the system's message, because it contains the path.
    { detail: getCode(cause) || describeCause(cause) },
  );
}

export const cancelledError = appError('cancelled', 'You stopped this run.', '');
