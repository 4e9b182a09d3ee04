/** Judges an exchange that is over: how it ended on the wire, and what the reply was. */
import { type AppError, appError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { TruncatedBodyError } from './body-decoder.ts';
import type { Accepts } from './exchange-types.ts';
import { reportsFailure } from './gateway-details.ts';
import { errorInReply, httpError } from './http-errors.ts';
import { isFollowed, type Redirects } from './redirects.ts';
import type { GatewayReply } from './reply-reader.ts';
import { replyProblem } from './response-errors.ts';
import { endsWithConnection } from './response-head.ts';
import type { TransmitEnd } from './transmit.ts';
import { describeCause, getCode, isClientRefused, unreachable } from './transport-errors.ts';

export type Outcome =
  | { status: 'succeeded' }
  | { status: 'failed' | 'cancelled' | 'unknown'; error: AppError };

/** The request, as far as its reply is judged by it. */
export interface ExpectedReply {
  url: URL;
  /** It only reads: nothing of it is billed, and it may be sent again. */
  isRead: boolean;
  accepts: Accepts;
  /** What `bytes` should be: `audio`, `a video`. */
  wanted: string;
  /** The file came inside of JSON or of a stream. */
  isCarried: boolean;
  redirects: Redirects;
  /** Why the file of the request could not be read to its end. */
  unreadFile: Error | null;
}

export function classifyOutcome(
  expected: ExpectedReply,
  end: TransmitEnd,
  reply: GatewayReply | null,
  now: () => number,
): Outcome {
  const { url, isRead, unreadFile } = expected;
  if (end.how === 'stopped') return { status: 'cancelled', error: cancelledError };
  if (unreadFile) return { status: 'failed', error: fileUnread(unreadFile) };
  if (reply !== null && isFollowed(expected.redirects, url, reply.head)) {
    return { status: 'succeeded' };
  }
  // An error that the gateway reported counts for more than how the connection ended after it.
  const reported = reply === null ? null : reportedError(reply, expected, now);
  if (reported) return { status: 'failed', error: reported };
  if (reply?.kind === 'stream' && (expected.accepts !== 'bytes' || expected.isCarried)) {
    const { done, rest } = reply.stream;
    const isWhole = rest === 'nothing' || rest === 'usage';
    if (done || isWhole || (rest === 'unclear' && end.how === 'timeout')) {
      return { status: 'succeeded' };
    }
  }
  if (end.how === 'timeout') return timedOut(expected, end);
  if (end.how === 'broken') return broken(expected, end);
  if (reply === null) return { status: 'unknown', error: outcomeUnknown(expected, null) };
  const error =
    packedCut(reply, isRead) ??
    replyProblem(reply, expected) ??
    (reply.kind === 'stream' ? streamCut(reply, isRead) : null);
  return error ? { status: 'failed', error } : { status: 'succeeded' };
}

function reportedError(
  reply: GatewayReply,
  { url, redirects }: ExpectedReply,
  now: () => number,
): AppError | null {
  const { head } = reply;
  if (reply.kind === 'stream') {
    return reply.stream.error ? errorInReply(head, JSON.stringify(reply.stream.error.body)) : null;
  }
  const text = reply.kind === 'document' ? reply.text : '';
  if (head.status >= 300) return httpError(head, text, now, { url, redirects });
  return reportsFailure(parseJson(text)) ? errorInReply(head, text) : null;
}

type Target = Pick<ExpectedReply, 'url' | 'isRead'>;

function timedOut({ url, isRead }: Target, end: Extract<TransmitEnd, { how: 'timeout' }>): Outcome {
  const seconds = end.seconds === 1 ? '1 second' : `${end.seconds} seconds`;
  const raise = 'Retry, or raise this timeout in Settings.';
  if (end.phase === 'connecting') {
    const message = `${url.host} did not accept a connection within ${seconds}.`;
    const error = appError('timeout', message, 'Check the base URL and your network.', {});
    return { status: 'failed', error };
  }
  if (end.phase === 'sending') {
    const message = `The upload stalled for ${seconds}. The gateway did not receive the whole file.`;
    return { status: 'failed', error: appError('timeout', message, raise, {}) };
  }
  if (end.phase === 'waiting') {
    const message = `The gateway did not start responding within ${seconds}.`;
    const [words, step] = isRead
      ? [message, raise]
      : [`${message} The request may still be processed and billed.`, CHECK_USAGE];
    return { status: 'unknown', error: appError('timeout', words, step, {}) };
  }
  const message = `The response stalled for ${seconds}. Partial response kept.`;
  return { status: 'failed', error: appError('timeout', message, raise, {}) };
}

function broken(
  target: Target,
  { phase, cause, slept, sizeBytes }: Extract<TransmitEnd, { how: 'broken' }>,
): Outcome {
  const { url, isRead } = target;
  const detail = describeCause(cause);
  if (phase === 'connecting' || isClientRefused(getCode(cause)))
    return { status: 'failed', error: unreachable(url, cause) };
  if (phase === 'sending') return { status: 'failed', error: uploadBroken(url, detail, sizeBytes) };
  if (phase === 'receiving') return { status: 'failed', error: cut(detail, isRead, slept) };
  if (isUnreadableHead(cause)) return { status: 'unknown', error: unreadableHead(target, detail) };
  if (cause.name === 'HTTPParserError') {
    return {
      status: 'failed',
      error: appError(
        'malformed-response',
        `${url.host} did not respond with HTTP.`,
        'Check the base URL, and whether it should start with https://.',
        { detail },
      ),
    };
  }
  return { status: 'unknown', error: outcomeUnknown(target, detail, slept) };
}

/** JSON that is whole lacks the end of its compression alone. */
function packedCut(reply: GatewayReply, isRead: boolean): AppError | null {
  if (!(reply.decoding instanceof TruncatedBodyError)) return null;
  const json = reply.kind === 'document' ? parseJson(reply.text) : undefined;
  return typeof json === 'object' && json !== null ? null : cut(reply.decoding.message, isRead);
}

/** A stream that ends without its end mark, on a connection that cannot distinguish an end from a cut. */
function streamCut(
  { head, stream }: Extract<GatewayReply, { kind: 'stream' }>,
  isRead: boolean,
): AppError | null {
  if (stream.unfinished !== null) {
    return cut(
      `The stream ended in the middle of a frame: ${stream.unfinished.slice(0, 200)}`,
      isRead,
    );
  }
  if (!stream.finished && endsWithConnection(head.headers)) {
    return cut('The connection closed before the stream finished.', isRead);
  }
  return null;
}

function cut(detail: string, isRead: boolean, slept = false): AppError {
  const when = slept ? 'while this computer was asleep' : 'before the response was complete';
  return appError(
    'stream-cut',
    `The connection was lost ${when}. Partial response kept.`,
    `Run it again for a complete response.${isRead ? '' : ' This one may be billed.'}`,
    { detail },
  );
}

function outcomeUnknown({ url, isRead }: Target, detail: string | null, slept = false): AppError {
  const message = slept
    ? `The connection to ${url.host} was lost while this computer was asleep, before it responded.`
    : `${url.host} closed the connection without responding.`;
  if (isRead) return appError('outcome-unknown', message, 'Try again in a moment.', { detail });
  return appError(
    'outcome-unknown',
    `${message} The request was sent and may be billed.`,
    CHECK_USAGE,
    { detail },
  );
}

const CHECK_USAGE = 'Check your usage at the gateway before you run it again.';

/** It is HTTP, but too long, or its lengths make no sense. */
function isUnreadableHead(cause: Error): boolean {
  const code = getCode(cause);
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return true;
  }
  // undici hands on llhttp's words without its code.
  return cause.name === 'HTTPParserError' && !cause.message.includes('Expected HTTP/');
}

function unreadableHead({ url, isRead }: Target, detail: string): AppError {
  const message = `${url.host} responded with HTTP headers that cannot be read.`;
  if (isRead) {
    const step = 'Ask whoever runs the gateway what is wrong with its response headers.';
    return appError('malformed-response', message, step, { detail });
  }
  const words = `${message} The request was sent and may be billed.`;
  return appError('malformed-response', words, CHECK_USAGE, { detail });
}

/** Less is hardly ever too much for a gateway. */
const LARGE_BYTES = 512 * 1024;

function uploadBroken(url: URL, detail: string, sizeBytes: number): AppError {
  const more =
    sizeBytes < LARGE_BYTES
      ? ''
      : ' If it keeps failing, the gateway may not accept files of this size.';
  return appError(
    'unreachable',
    `The connection to ${url.host} was lost during the upload.`,
    `Run it again.${more}`,
    { detail },
  );
}

function fileUnread(cause: Error): AppError {
  return appError(
    'file',
    'The file could not be read completely, so the request was canceled.',
    'Check the disk that holds the data folder, or add the file again.',
    // The system's own message names the path.
    { detail: getCode(cause) || describeCause(cause) },
  );
}

export const cancelledError = appError('cancelled', 'You stopped this run.', '', {});
