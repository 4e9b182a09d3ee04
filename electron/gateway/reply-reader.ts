/** Reads one reply, as a stream, a document or a file: the bytes decide, not the request. */
import { StringDecoder } from 'node:string_decoder';
import { type BodyDecoder, decodeBody } from './body-decoder.ts';
import {
  type DocumentReader,
  type FileReader,
  readDocument,
  readFileBytes,
} from './body-readers.ts';
import type { Accepts, ExchangeObserver } from './exchange-types.ts';
import type { Redactor } from './redactor.ts';
import { type ReplyKind, replyKind } from './reply-kind.ts';
import { headerValue, type ResponseHead, readHead } from './response-head.ts';
import { readStream, type StreamEnd, type StreamReader } from './stream-reader.ts';
import type { TimingRecorder } from './timing-recorder.ts';
import type { Receiver, TransmitEnd } from './transmit.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** What there is to judge when the reply is over. */
export type GatewayReply = { head: ResponseHead } & (
  | { kind: 'stream'; stream: StreamEnd; decoding: Error | null }
  | { kind: 'document'; text: string; tooLong: boolean; decoding: Error | null }
  | { kind: 'bytes'; decoding: Error | null }
);

export interface ReplyReader extends Receiver {
  /** Null if no head was received. */
  end(how: TransmitEnd['how']): Promise<GatewayReply | null>;
}

/** After an error in a stream nothing much follows, but the socket may be left open. */
const PATIENCE_AFTER_ERROR_SECONDS = 1;
/** Shows what a document is. */
const START_LENGTH = 64 * 1024;
/** For the end mark, and for the usage that was asked for. */
const PATIENCE_AFTER_ALL_SECONDS = { nothing: 0.5, usage: 2 };

export function createReplyReader(
  accepts: Accepts,
  observer: ExchangeObserver,
  redactor: Redactor,
  timings: TimingRecorder,
): ReplyReader {
  const utf8 = new StringDecoder('utf8');
  let head: ResponseHead | null = null;
  let body: BodyDecoder | null = null;
  let kind: ReplyKind | null = null;
  let stream: StreamReader | null = null;
  let document: DocumentReader | null = null;
  let file: FileReader | null = null;
  let opening: Buffer = Buffer.alloc(0);
  let hasEnough = false;

  function enough(): void {
    hasEnough = true;
    reader.onEnough();
  }

  function take(bytes: Buffer): void | Promise<void> {
    if (kind !== null) return pass(bytes);
    opening = opening.byteLength === 0 ? bytes : Buffer.concat([opening, bytes]);
    return begin(false);
  }

  /** Begins to read as soon as it is known what this is. */
  function begin(whole: boolean): void | Promise<void> {
    if (head === null || kind !== null) return;
    kind = replyKind(accepts, head, opening, whole);
    if (kind === null && whole) kind = 'document';
    if (kind === null) return;
    if (kind === 'stream') stream = readStream(observer, redactor, streamEvents);
    else if (kind === 'bytes') file = readFileBytes(observer, timings, head);
    else document = readDocument(observer, redactor, enough);
    const first = opening;
    opening = Buffer.alloc(0);
    return pass(kind === 'bytes' ? first : withoutPadding(first));
  }

  function pass(bytes: Buffer): void | Promise<void> {
    if (file) return file.write(bytes);
    const text = utf8.write(bytes);
    if (text === '') return;
    if (stream) return stream.write(text);
    document?.write(text);
  }

  const streamEvents = {
    onDone: enough,
    onError: () => reader.onHurry(PATIENCE_AFTER_ERROR_SECONDS),
    onDeltas: timings.deltas,
    onMore: () => reader.onHurry(null),
    onWhole: (rest: 'usage' | 'nothing') => reader.onHurry(PATIENCE_AFTER_ALL_SECONDS[rest]),
  };

  const reader: ReplyReader = {
    onEnough() {},
    onHurry() {},
    head(status, rawHeaders) {
      head = readHead(status, rawHeaders);
      observer.response({ status, headers: redactor.headers(head.headers) });
      body = decodeBody(headerValue(head.headers, 'content-encoding'), take, {
        isFile: () => kind === 'bytes',
        onFailure: enough,
      });
    },
    data: (chunk) => body?.write(chunk),
    async end(how) {
      if (head === null || body === null) return null;
      const decoding = await body.end(hasEnough || how === 'stopped' || how === 'timeout');
      await begin(true);
      if (stream) return { head, kind: 'stream', stream: stream.end(), decoding };
      if (file) {
        await file.end();
        return { head, kind: 'bytes', decoding };
      }
      if (document === null) return null;
      const text = await document.end(how !== 'complete' || decoding !== null);
      await yieldToEventLoop(text.length);
      const tooLong = document.tooLong();
      // Nobody reads JSON that is cut.
      return {
        head,
        kind: 'document',
        text: tooLong ? text.slice(0, START_LENGTH) : text,
        tooLong,
        decoding,
      };
    },
  };
  return reader;
}

/** NUL characters in front of a text mean nothing, and would hide its first line. */
function withoutPadding(text: Buffer): Buffer {
  const start = text.findIndex((byte) => byte !== 0);
  return start === -1 ? text : text.subarray(start);
}
