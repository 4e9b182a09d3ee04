/** Sends one HTTP request and classifies its response. */
import { appErrorSchema } from '../../shared/error-schema.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { Timings } from '../../shared/run.ts';
import { yieldToEventLoop } from '../base/yield-to-event-loop.ts';
import { type Redactor, redactAll } from '../redaction/redactor.ts';
import { nameConnection } from './access.ts';
import { inspectDocument } from './document-findings.ts';
import type { ExchangeObserver, ExchangeOptions, WireRequest } from './exchange-types.ts';
import { type DocumentFindings, LONG_BYTES, type LongDocuments } from './long-document.ts';
import { classifyOutcome, type ExpectedResponse, type Outcome } from './outcome.ts';
import { createResponseReader, type GatewayResponse } from './response-reader.ts';
import type { GatewayAccess } from './route.ts';
import { recordTimings, reportTransfer } from './timing-recorder.ts';
import { transmit } from './transmit.ts';
import { prepareRequest } from './wire-request.ts';

export type ExchangeOutcome = { timings: Timings } & Outcome;

/**
 * Sends `request` once, without following redirects; rejects only if `observer` or `longDocuments`
 * throws. Without `longDocuments`, long documents are read at once.
 */
export async function exchange(
  request: WireRequest,
  given: ExchangeObserver,
  options: ExchangeOptions,
  longDocuments: LongDocuments | null = null,
): Promise<ExchangeOutcome> {
  let isOver = false;
  const observer: ExchangeObserver = {
    ...given,
    // A throttled progress report may fire after the transfer has ended.
    progress: (progress) => (isOver ? undefined : given.progress?.(progress)),
  };
  const { access } = options;
  const redactor = redactAll(access.secrets);
  const { prepared, problem } = prepareRequest(request, access, redactor);
  await observer.request(prepared.shown);
  const timings = recordTimings(options.now);
  if (problem) return { status: 'failed', error: problem, timings: timings.finish() };

  const { accepts = 'json', wanted = 'a file', redirects = 'none' } = request;
  const reader = createResponseReader(accepts, observer, redactor, timings, longDocuments);
  const upload = reportTransfer(observer.progress, 'upload', prepared.sizeBytes, options.now);
  try {
    const end = await transmit(prepared, reader, timings, upload, options);
    const response = await reader.end(end.how);
    const unreadFile = prepared.form?.problem() ?? null;
    const expected = {
      url: request.url,
      isRead: request.method === 'GET',
      isCarried: observer.carried?.() ?? false,
      accepts,
      wanted,
      redirects,
      unreadFile,
    };
    const findings = await inspectResponse(response, expected);
    const outcome = classifyOutcome(expected, end, response, findings, Date.now);
    if (response?.kind === 'document') {
      await yieldToEventLoop(response.long === null ? response.text.length : LONG_BYTES);
    }
    return { ...redactOutcome(outcome, redactor, access), timings: timings.finish() };
  } finally {
    isOver = true;
  }
}

/** Returns null unless the response has a document or a file, which may come with an error status. */
async function inspectResponse(
  response: GatewayResponse | null,
  { url, accepts, wanted, isCarried, redirects }: ExpectedResponse,
): Promise<DocumentFindings | null> {
  if (response === null || response.kind === 'stream') return null;
  const { head } = response;
  const isDocument = response.kind === 'document';
  const given = {
    head,
    tooLong: isDocument && response.tooLong,
    url: url.href,
    accepts,
    wanted,
    isCarried,
    redirects,
    now: Date.now(),
  };
  if (isDocument && response.long !== null) return response.long.inspect(given);
  return inspectDocument({ ...given, text: isDocument ? response.text : '' });
}

/** Error messages can quote text from the gateway or the system that contains the key. */
function redactOutcome(outcome: Outcome, redactor: Redactor, access: GatewayAccess): Outcome {
  if (outcome.status === 'succeeded') return outcome;
  const text = JSON.stringify(outcome.error);
  const clean = redactor.text(text);
  const error = clean === text ? outcome.error : appErrorSchema.parse(parseJson(clean));
  return { ...outcome, error: nameConnection(error, access) };
}
