/** One HTTP request and its response, from the first byte to a judged end. */
import { appErrorSchema } from '../../shared/error-schema.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { Timings } from '../../shared/run.ts';
import type { ExchangeObserver, ExchangeOptions, WireRequest } from './exchange-types.ts';
import { classifyOutcome, type Outcome } from './outcome.ts';
import { createRedactor, type Redactor } from './redactor.ts';
import { createReplyReader } from './reply-reader.ts';
import { recordTimings } from './timing-recorder.ts';
import { reportTransfer } from './transfer-progress.ts';
import { transmit } from './transmit.ts';
import { prepareRequest } from './wire-request.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

export type ExchangeOutcome = { timings: Timings } & Outcome;

/**
 * Sends `request` once: never again by itself, never to another address. Expected failures are
 * values of the outcome; it rejects only where `observer` throws.
 */
export async function exchange(
  request: WireRequest,
  given: ExchangeObserver,
  options: ExchangeOptions,
): Promise<ExchangeOutcome> {
  let isOver = false;
  const observer: ExchangeObserver = {
    ...given,
    // Reported a moment later, a transfer that was cut off may be over.
    progress: (progress) => (isOver ? undefined : given.progress?.(progress)),
  };
  const redactor = createRedactor(options.key);
  const timings = recordTimings(options.now);
  const { prepared, problem } = prepareRequest(request, options.key, redactor);
  observer.request(prepared.shown);
  if (problem) return { status: 'failed', error: problem, timings: timings.finish() };

  const { accepts = 'json', wanted = 'a file', redirects = 'none' } = request;
  const reader = createReplyReader(accepts, observer, redactor, timings);
  const upload = reportTransfer(observer, 'upload', prepared.sizeBytes, options.now);
  try {
    const end = await transmit(prepared, reader, timings, upload, options);
    const reply = await reader.end(end.how);
    const unreadFile = prepared.form?.problem() ?? null;
    const isRead = request.method === 'GET';
    const isCarried = observer.carried?.() ?? false;
    const expected = {
      isCarried,
      url: request.url,
      isRead,
      accepts,
      wanted,
      redirects,
      unreadFile,
    };
    const judgment = classifyOutcome(expected, end, reply, Date.now);
    if (reply?.kind === 'document') await yieldToEventLoop(reply.text.length);
    return { ...redacted(judgment, redactor), timings: timings.finish() };
  } finally {
    isOver = true;
  }
}

/** Errors quote the gateway and the system. */
function redacted(judgment: Outcome, redactor: Redactor): Outcome {
  if (judgment.status === 'succeeded') return judgment;
  const text = JSON.stringify(judgment.error);
  const clean = redactor.text(text);
  if (clean === text) return judgment;
  return { ...judgment, error: appErrorSchema.parse(parseJson(clean)) };
}
