/** Judges an exchange that is over: how it ended on the wire, and what the reply was. */
import { type AppError, appError } from '../../shared/errors.ts';
import { isJsonObject } from '../../shared/json.ts';
import { gatewaySays, saysFailed } from './gateway-says.ts';
import { errorInReply, httpError } from './http-errors.ts';
import { parseJson } from './parse-json.ts';
import type { Reply } from './reply-reader.ts';
import { endsWithConnection, headerValue } from './response-head.ts';
import type { TransmitEnd } from './transmit.ts';
import { codeOf, describeCause, unreachable } from './transport-errors.ts';

export type Judgement =
  | { status: 'succeeded' }
  | { status: 'failed' | 'cancelled' | 'unknown'; error: AppError };

export function judge(
  url: URL,
  end: TransmitEnd,
  reply: Reply | null,
  now: () => number,
): Judgement {
  if (end.how === 'stopped') return { status: 'cancelled', error: cancelled };
  // An error that the gateway told counts for more than how the connection ended after it.
  const told = reply === null ? null : toldError(reply, now);
  if (told) return { status: 'failed', error: told };
  if (reply?.kind === 'stream' && reply.stream.done) return { status: 'succeeded' };
  if (end.how === 'timeout') return timedOut(url, end);
  if (end.how === 'broken') return broken(url, end);
  if (reply === null) return { status: 'unknown', error: outcomeUnknown(url, null) };
  const error = reply.kind === 'stream' ? streamProblem(reply) : documentProblem(reply);
  return error ? { status: 'failed', error } : { status: 'succeeded' };
}

function toldError(reply: Reply, now: () => number): AppError | null {
  const { head } = reply;
  if (reply.kind === 'stream') {
    return reply.stream.error ? errorInReply(head, JSON.stringify(reply.stream.error.body)) : null;
  }
  if (head.status >= 300) return httpError(head, reply.text, now);
  return saysFailed(parseJson(reply.text)) ? errorInReply(head, reply.text) : null;
}

function timedOut(url: URL, end: Extract<TransmitEnd, { how: 'timeout' }>): Judgement {
  const seconds = end.seconds === 1 ? '1 second' : `${end.seconds} seconds`;
  const raise = 'Retry, or raise this time-out in Settings.';
  if (end.phase === 'connecting') {
    const message = `${url.host} did not accept a connection within ${seconds}.`;
    const error = appError('timeout', message, 'Check the base URL and your network.', {});
    return { status: 'failed', error };
  }
  if (end.phase === 'waiting') {
    const message = `The gateway did not begin to answer within ${seconds}; it may still have done the work and billed it.`;
    return { status: 'unknown', error: appError('timeout', message, raise, {}) };
  }
  const message = `The answer stood still for ${seconds}; what arrived before is kept.`;
  return { status: 'failed', error: appError('timeout', message, raise, {}) };
}

function broken(url: URL, { phase, cause }: Extract<TransmitEnd, { how: 'broken' }>): Judgement {
  const detail = describeCause(cause);
  if (phase === 'connecting') return { status: 'failed', error: unreachable(url, cause) };
  if (phase === 'receiving') return { status: 'failed', error: cut(detail) };
  if (cause.name === 'HTTPParserError' || codeOf(cause) === 'UND_ERR_HEADERS_OVERFLOW') {
    return {
      status: 'failed',
      error: appError(
        'malformed-response',
        `What ${url.host} answered is not HTTP.`,
        'Check the base URL, and whether it should start with https://.',
        { detail },
      ),
    };
  }
  return { status: 'unknown', error: outcomeUnknown(url, detail) };
}

function streamProblem({ head, stream }: Extract<Reply, { kind: 'stream' }>): AppError | null {
  if (stream.unfinished !== null) {
    return cut(`The stream ended inside: ${stream.unfinished.slice(0, 200)}`);
  }
  if (stream.frameCount === 0) {
    return appError(
      'malformed-response',
      'The gateway opened a stream and ended it without sending anything.',
      'Run it again; if it goes on, try another model.',
      { gateway: gatewaySays(head, '') },
    );
  }
  if (!stream.finished && endsWithConnection(head.headers)) {
    return cut('The connection was closed before the stream said that it had finished.');
  }
  return null;
}

function documentProblem(reply: Extract<Reply, { kind: 'document' }>): AppError | null {
  const { head, text, tooLong, decoding } = reply;
  const gateway = gatewaySays(head, text);
  const malformed = (message: string, nextStep: string, detail: string | null = null) =>
    appError('malformed-response', message, nextStep, { gateway, detail });
  const again = 'Run it again; if it goes on, the gateway or something before it has a problem.';
  if (tooLong) return malformed('The answer is longer than 64 MiB.', 'Ask for less at once.');
  if (decoding) return malformed('The answer cannot be decompressed.', again, decoding.message);
  if (text.trim() === '') return malformed('The gateway answered with an empty body.', again);
  if (isJsonObject(parseJson(text))) return null;
  if (/^\s*</.test(text)) {
    return malformed(
      'A web page came instead of an answer.',
      'Check the base URL: it should lead to the gateway, not to its website.',
    );
  }
  const type = headerValue(head.headers, 'content-type') ?? 'no content type';
  return malformed('The answer is not the JSON that was expected.', again, type);
}

function cut(detail: string): AppError {
  return appError(
    'stream-cut',
    'The connection broke before the answer was complete; what arrived is kept.',
    'Run it again for a complete answer; this one may have been billed.',
    { detail },
  );
}

function outcomeUnknown(url: URL, detail: string | null): AppError {
  return appError(
    'outcome-unknown',
    `The request was sent, but ${url.host} closed the connection without an answer; it may have been billed.`,
    'Look into the usage at the gateway before you run it again.',
    { detail },
  );
}

const cancelled = appError('cancelled', 'You stopped this run.', 'Run it again when you like.', {});
