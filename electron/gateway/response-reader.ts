/** Reads a response as a stream, a document or a file, based on its first bytes. */
import { StringDecoder } from 'node:string_decoder';
import { runInSteps, yieldToEventLoop } from '../base/yield-to-event-loop.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { createSecretSearch, maskRanges } from '../redaction/secret-search.ts';
import { type CharsetDecoder, createCharsetDecoder } from './body-charset.ts';
import { type BodyDecoder, decodeBody } from './body-decoder.ts';
import type { Accepts, ExchangeObserver } from './exchange-types.ts';
import { LONG_BYTES, type LongDocument, type LongDocuments } from './long-document.ts';
import { getHeader, type ResponseHead, readHead } from './response-head.ts';
import { getResponseKind, type ResponseKind } from './response-kind.ts';
import { readStream, type StreamEnd } from './stream-reader.ts';
import { reportTransfer, type TimingRecorder } from './timing-recorder.ts';
import type { Receiver, TransmitEnd } from './transmit.ts';

type ResponseBody =
  | { kind: 'stream'; stream: StreamEnd }
  /** `long` has the text of a long document. */
  | { kind: 'document'; text: string; tooLong: boolean; long: LongDocument | null }
  | { kind: 'bytes' };

export type GatewayResponse = { head: ResponseHead; decoding: Error | null } & ResponseBody;

export interface ResponseReader extends Receiver {
  end(how: TransmitEnd['how']): Promise<GatewayResponse | null>;
}

interface BodyReader {
  write(bytes: Buffer): void | Promise<void>;
  end(isCut: boolean): Promise<ResponseBody>;
}

/**
 * Limits the wait for the rest of an error, because some gateways keep the socket open after one.
 */
const SECONDS_AFTER_ERROR = 1;
/** Limits the wait for the end marker or the requested usage. */
const SECONDS_AFTER_OUTPUT = { nothing: 0.5, usage: 2 };
const MAX_DOCUMENT_LENGTH = 64 * 1024 * 1024;
/** Maximum excerpt for the error about a document that is too long. */
export const EXCERPT_LENGTH = 64 * 1024;

export function createResponseReader(
  accepts: Accepts,
  observer: ExchangeObserver,
  redactor: Redactor,
  timings: TimingRecorder,
  longDocuments: LongDocuments | null = null,
): ResponseReader {
  let head: ResponseHead | null = null;
  let decoder: BodyDecoder | null = null;
  let kind: ResponseKind | null = null;
  let reader: BodyReader | null = null;
  let opening: Buffer = Buffer.alloc(0);
  let hasEnough = false;

  function stop(): void {
    hasEnough = true;
    receiver.onEnough();
  }

  function write(bytes: Buffer): void | Promise<void> {
    if (reader) return reader.write(bytes);
    opening = opening.byteLength === 0 ? bytes : Buffer.concat([opening, bytes]);
    return begin(false);
  }

  function begin(isWhole: boolean): void | Promise<void> {
    if (head === null || reader !== null) return;
    kind = getResponseKind(accepts, head, opening, isWhole) ?? (isWhole ? 'document' : null);
    if (kind === null) return;
    const first = opening;
    reader = createBodyReader(kind, head, first);
    opening = Buffer.alloc(0);
    return reader.write(kind === 'bytes' ? first : trimNulls(first));
  }

  function createBodyReader(of: ResponseKind, from: ResponseHead, first: Buffer): BodyReader {
    if (of === 'bytes') return readFile(observer, timings, from);
    if (of === 'document') {
      const contentType = getHeader(from.headers, 'content-type');
      const charset = createCharsetDecoder(contentType, first);
      return readDocument(observer, redactor, {
        contentType,
        charset,
        longDocuments,
        onTooLong: stop,
      });
    }
    const utf8 = new StringDecoder('utf8');
    const stream = readStream(observer, redactor, {
      onDone: stop,
      onError: () => receiver.onHurry(SECONDS_AFTER_ERROR),
      onDeltas: timings.deltas,
      onMore: () => receiver.onHurry(null),
      onWhole: (rest) => receiver.onHurry(SECONDS_AFTER_OUTPUT[rest]),
    });
    return {
      write(bytes) {
        const text = utf8.write(bytes);
        return text === '' ? undefined : stream.write(text);
      },
      end: async () => ({ kind: 'stream', stream: stream.end() }),
    };
  }

  const receiver: ResponseReader = {
    onEnough() {},
    onHurry() {},
    head(status, rawHeaders) {
      head = readHead(status, rawHeaders);
      observer.response({ status, headers: redactor.headers(head.headers) });
      decoder = decodeBody(getHeader(head.headers, 'content-encoding'), write, {
        isFile: () => kind === 'bytes',
        onFailure: stop,
      });
    },
    data: (chunk) => decoder?.write(chunk),
    async end(how) {
      if (head === null || decoder === null) return null;
      const decoding = await decoder.end(hasEnough || how === 'stopped' || how === 'timeout');
      await begin(true);
      const body = await reader?.end(how !== 'complete' || decoding !== null);
      return body === undefined ? null : { head, decoding, ...body };
    },
  };
  return receiver;
}

interface DocumentTools {
  contentType: string | null;
  charset: CharsetDecoder;
  longDocuments: LongDocuments | null;
  onTooLong: () => void;
}

function readDocument(
  observer: Pick<ExchangeObserver, 'body'>,
  redactor: Redactor,
  { contentType, charset, longDocuments, onTooLong }: DocumentTools,
): BodyReader {
  const parts: string[] = [];
  /** The bytes of a document that may become long. */
  const pieces: Buffer[] = [];
  let long: LongDocument | null = null;
  let length = 0;
  const isTooLong = () => length > MAX_DOCUMENT_LENGTH;

  function writeLong(documents: LongDocuments, bytes: Buffer): void {
    long ??= documents.open({ contentType, secrets: redactor.secrets });
    for (const piece of pieces.splice(0)) long.write(piece);
    long.write(bytes);
  }

  return {
    write(bytes) {
      if (isTooLong()) return;
      length += bytes.length;
      if (longDocuments !== null && length > LONG_BYTES) writeLong(longDocuments, bytes);
      else {
        parts.push(charset.write(bytes));
        if (longDocuments !== null) pieces.push(bytes);
      }
      if (isTooLong()) onTooLong();
    },
    async end(isCut) {
      if (long !== null) {
        parts.length = 0;
        await long.read(MAX_DOCUMENT_LENGTH);
        await longDocuments?.record(isCut || isTooLong());
        return { kind: 'document', text: '', tooLong: isTooLong(), long };
      }
      const received = [...parts, charset.end()].join('').replace(/^\uFEFF/, '');
      const text = await redactDocument(received, redactor);
      await yieldToEventLoop(text.length);
      await observer.body(text.slice(0, MAX_DOCUMENT_LENGTH), isCut || isTooLong());
      await yieldToEventLoop(text.length);
      const tooLong = isTooLong();
      const shown = tooLong ? text.slice(0, EXCERPT_LENGTH) : text;
      return { kind: 'document', text: shown, tooLong, long };
    },
  };
}

/** Also masks secrets that are split across strings, before any of the document is recorded. */
export async function redactDocument(text: string, redactor: Redactor): Promise<string> {
  if (redactor.maxLength === 0) return text;
  const redacted = redactor.text(text);
  const search = createSecretSearch(redactor);
  await runInSteps(search.addInSteps(0, redacted));
  return maskRanges(redacted, search.takeCuts().get(0) ?? []);
}

function readFile(
  observer: Pick<ExchangeObserver, 'bytes' | 'progress'>,
  timings: Pick<TimingRecorder, 'deltas' | 'now'>,
  head: ResponseHead,
): BodyReader {
  const report = reportTransfer(observer.progress, 'download', getFileSize(head), timings.now);
  let doneBytes = 0;
  let consumed: Promise<void> = Promise.resolve();

  return {
    write(bytes) {
      if (bytes.byteLength === 0) return;
      if (doneBytes === 0) timings.deltas(1);
      doneBytes += bytes.byteLength;
      const waiting = observer.bytes?.(bytes);
      report.at(doneBytes);
      if (!waiting) return;
      consumed = waiting;
      return waiting;
    },
    async end() {
      await consumed;
      report.end(doneBytes);
      return { kind: 'bytes' };
    },
  };
}

/** Returns null for a compressed body, whose Content-Length isn't the file size. */
function getFileSize({ headers }: ResponseHead): number | null {
  const encoding = getHeader(headers, 'content-encoding') ?? 'identity';
  const length = getHeader(headers, 'content-length');
  if (length === null || encoding.trim().toLowerCase() !== 'identity') return null;
  return /^\d+$/.test(length.trim()) ? Number(length) : null;
}

/** Strips leading NUL characters, which would hide the first line of the text. */
function trimNulls(text: Buffer): Buffer {
  const start = text.findIndex((byte) => byte !== 0);
  return start === -1 ? text : text.subarray(start);
}
