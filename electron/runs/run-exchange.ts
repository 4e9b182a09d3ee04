/** Executes and records one exchange of a run, and saves received files as media. */
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { getRemainingStream } from '../../shared/run-view.ts';
import type { Timeouts } from '../../shared/settings.ts';
import { yieldToEventLoop } from '../base/yield-to-event-loop.ts';
import { type ExchangeOutcome, exchange } from '../gateway/exchange.ts';
import type { WireRequest } from '../gateway/exchange-types.ts';
import type { Network } from '../gateway/network.ts';
import { findSameOriginTarget, getHeader, type ResponseHead } from '../gateway/response-head.ts';
import type { GatewayAccess } from '../gateway/route.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Replacement } from '../operations/document-steps.ts';
import type { DocumentThread, RunDocument } from '../operations/document-thread.ts';
import type { Harvest } from '../operations/harvest-media.ts';
import type { ConvertResponse } from '../operations/run-context.ts';
import { beginOutput, type RunOutput } from '../operations/run-media.ts';
import { withProblem } from '../operations/run-result.ts';
import { redactAll } from '../redaction/redactor.ts';
import { createSecretSearch, type SecretSearch } from '../redaction/secret-search.ts';
import { harvestResponse, type ResponseHarvest } from './harvest-response.ts';
import type { FoldedBody, LiveRun, RecordedEvents } from './live-run.ts';

export interface RunExchangeRequest {
  wire: WireRequest;
  link: string | null;
  access: GatewayAccess;
  exchange: number;
  harvest: Harvest | null;
  convert: ConvertResponse | null;
  stem: string;
  unmarkedType: string | null;
  continued: (head: ResponseHead) => RunOutput | null;
}

export interface LongBody {
  exchange: number;
  text: string;
  truncated: boolean;
  known: FoldedBody | undefined;
  /** The text as UTF-8, compressed with raw deflate; null if it is short. */
  compressed: Uint8Array | null;
}

export interface RunExchangeTools {
  run: LiveRun;
  store: MediaStore;
  network: Network;
  documents: DocumentThread | null;
  timeouts: Timeouts;
  /** Returns a promise that resolves when a request is on disk; null for other events. */
  record(event: RunEventBody): Promise<void> | null;
  recordAll(events: readonly RunEventBody[]): RecordedEvents;
  recordLongBody(body: LongBody): void;
  /** Masks secrets that `search` has found in recorded chunks, in the view and for watchers. */
  cutSecrets(exchange: number, search: SecretSearch): Promise<void>;
  /** Lists the searches of exchanges that haven't ended, by number. */
  searches: Map<number, SecretSearch>;
  room(): Promise<void> | null;
}

export interface RunExchangeResult {
  outcome: ExchangeOutcome;
  head: ResponseHead | null;
  text: string | null;
  output: RunOutput | null;
}

/** Longer documents are truncated in the ledger. */
const KEPT_LENGTH = 32 * 1024 * 1024;
/** Larger than any video, so that an endless response can't fill the disk. */
const MAX_BYTES = 8 * 1024 ** 3;

const RAW_AUDIO = /^audio\/(?:pcm|x-pcm|raw|l16|l24|basic)\b/i;

export async function runExchange(
  request: RunExchangeRequest,
  tools: RunExchangeTools,
): Promise<RunExchangeResult> {
  const { wire, exchange: number } = request;
  const { run, store, record, documents } = tools;
  const giveUp = new AbortController();
  let problem: AppError | null = null;
  let head: ResponseHead | null = null;
  let text: string | null = null;
  let output: RunOutput | null = null;
  let earlierBytes = 0;
  let long: RunDocument | null = null;

  let fields: JsonObject | null = null;
  function getSentFields(): JsonObject {
    const { body, shownBody } = wire;
    fields ??=
      typeof body === 'string'
        ? parseObject(shownBody ?? body)
        : Object.fromEntries(body?.fields ?? []);
    return fields;
  }

  function stopWithError(cause: unknown): void {
    if (!(cause instanceof UserFacingError)) throw cause;
    problem ??= cause.error;
    giveUp.abort();
  }

  // Searching while chunks arrive costs less than reading them again at the end.
  const search = createSecretSearch(redactAll(request.access.secrets));
  tools.searches.set(number, search);

  const harvest: ResponseHarvest | null =
    request.harvest &&
    harvestResponse(request.harvest, store, run.view(), number, tools.recordAll, (cause) => {
      if (cause instanceof UserFacingError) stopWithError(cause);
    });

  function openOutput(opening: Uint8Array): RunOutput {
    if (head === null) throw new TypeError('Data arrived before the response headers.');
    const continued = request.continued(head);
    earlierBytes = continued?.doneBytes ?? 0;
    if (continued) return continued;
    const length = Number(getHeader(head.headers, 'content-length') ?? Number.NaN);
    const sizeBytes = Number.isSafeInteger(length) ? length : null;
    if (sizeBytes !== null && sizeBytes > MAX_BYTES) throw new UserFacingError(tooLarge);
    const contentType = getHeader(head.headers, 'content-type');
    const isRaw = RAW_AUDIO.test(contentType ?? '');
    const declaredType = isRaw ? contentType : (request.unmarkedType ?? contentType);
    const plan = { run: run.view(), stem: request.stem, declaredType, sizeBytes };
    return beginOutput(store, plan, opening, number, record);
  }

  const outcome = await exchange(
    wire,
    {
      request(sent) {
        const link = request.link === null ? {} : { link: request.link };
        return record({ kind: 'request', exchange: number, ...sent, ...link });
      },
      response(received) {
        head = received;
        const to =
          wire.redirects === 'same-origin' ? findSameOriginTarget(wire.url, received) : null;
        const followed = to === null ? {} : { followedTo: to.pathname + to.search };
        record({ kind: 'response', exchange: number, ...received, ...followed });
      },
      chunks(frames) {
        const { events, produced } = tools.recordAll(
          frames.map(({ data, event, comment, isRare }) => ({
            kind: 'chunk',
            exchange: number,
            data: harvest && isRare ? harvestFrame(harvest, data) : data,
            event,
            comment,
          })),
        );
        for (const [at, event] of events.entries()) {
          if (event.kind === 'chunk') search.add(event.seq, event.data, frames[at]?.pattern);
        }
        return {
          produced,
          rest: getRemainingStream(run.view(), getSentFields()),
          room: tools.room(),
        };
      },
      body: recordBody,
      async bytes(chunk) {
        if (problem) return;
        try {
          output ??= openOutput(chunk);
          if (output.doneBytes + chunk.byteLength > MAX_BYTES) throw new UserFacingError(tooLarge);
          await output.write(chunk);
        } catch (cause) {
          stopWithError(cause);
        }
      },
      carried: () => harvest?.isUsed() ?? false,
      progress({ direction, doneBytes, totalBytes }) {
        const before = direction === 'download' ? earlierBytes : 0;
        record({
          kind: 'progress',
          exchange: number,
          direction,
          doneBytes: before + doneBytes,
          totalBytes: totalBytes === null ? null : before + totalBytes,
        });
      },
    },
    {
      access: request.access,
      timeouts: tools.timeouts,
      signal: AbortSignal.any([run.signal, giveUp.signal]),
      now: run.now,
      network: tools.network,
    },
    documents && {
      open(given) {
        long = documents.open(given);
        return long;
      },
      record: recordLong,
    },
  ).finally(() => closeDocument(long));
  try {
    await harvest?.end();
  } catch (cause) {
    stopWithError(cause);
  }
  const ended = withProblem(outcome, problem, run.signal);
  const error = ended.status === 'succeeded' ? null : ended.error;
  const { status, timings } = ended;
  tools.searches.delete(number);
  await tools.cutSecrets(number, search);
  record({ kind: 'exchange-end', exchange: number, status, error, timings });
  return { outcome: ended, head, text, output };

  async function recordBody(received: string, truncated: boolean): Promise<void> {
    text = received;
    const reads = request.convert?.convert ?? harvest?.document;
    // A document of that length was truncated, so don't parse it.
    if (reads && !(truncated && received.length > KEPT_LENGTH)) {
      try {
        text = await reads(received);
        await yieldToEventLoop(text.length);
      } catch (cause) {
        stopWithError(cause);
      }
    }
    const kept = text.slice(0, KEPT_LENGTH);
    const isCut = truncated || kept.length < text.length;
    record({ kind: 'body', exchange: number, text: kept, truncated: isCut });
    if (kept.length < text.length && wire.accepts !== 'any') problem ??= tooLong;
  }

  async function recordLong(truncated: boolean): Promise<void> {
    const document = long;
    if (document === null) return;
    const reads = request.convert?.convertLong ?? harvest?.longDocument;
    let replacements: Replacement[] | null = null;
    if (reads && !(truncated && document.length > KEPT_LENGTH)) {
      try {
        replacements = await reads(document);
        if (replacements === null) return recordBody(await document.text(), truncated);
      } catch (cause) {
        stopWithError(cause);
      }
    }
    const from = run.view();
    const settled = await document.settle({
      replacements,
      maxLength: KEPT_LENGTH,
      truncated,
      exchange: number,
      view: from,
    });
    const { folded, compressed, isShortened } = settled;
    text = settled.text;
    await yieldToEventLoop(text.length);
    tools.recordLongBody({
      exchange: number,
      text,
      truncated: truncated || isShortened,
      known: folded === null ? undefined : { from, folded },
      compressed,
    });
    if (isShortened && wire.accepts !== 'any') problem ??= tooLong;
  }

  function harvestFrame(by: ResponseHarvest, data: string): string {
    try {
      return by.frame(data);
    } catch (cause) {
      stopWithError(cause);
      return data;
    }
  }
}

/** Takes a parameter, because the compiler doesn't see assignments in callbacks. */
function closeDocument(document: RunDocument | null): void {
  document?.close();
}

function parseObject(text: string): JsonObject {
  const json = parseJson(text);
  return isJsonObject(json) ? json : {};
}

const tooLong = appError(
  'malformed-response',
  'The response is over the limit of 33.5 million characters.',
  'Request less data and retry.',
);

const tooLarge = appError(
  'file',
  'The file is larger than 8 GB, the maximum size.',
  'Copy its URL from the inspector and download it another way.',
);
