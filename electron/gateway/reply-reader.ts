/** Reads one reply, as a stream or as a document: what came decides, not what was asked for. */
import { type BodyText, readBodyText } from './body-text.ts';
import { type DocumentReader, readDocument } from './document-reader.ts';
import type { ExchangeObserver } from './exchange-types.ts';
import type { Redactor } from './redactor.ts';
import { headerValue, type ResponseHead, readHead } from './response-head.ts';
import { readStream, type StreamEnd, type StreamReader } from './stream-reader.ts';
import type { TimingRecorder } from './timing-recorder.ts';
import type { Receiver } from './transmit.ts';

/** What there is to judge when the reply is over. */
export type Reply = { head: ResponseHead } & (
  | { kind: 'stream'; stream: StreamEnd }
  | { kind: 'document'; text: string; tooLong: boolean; decoding: Error | null }
);

export interface ReplyReader extends Receiver {
  /** Null where no head came. `cut`: the body did not reach its end. */
  end(cut: boolean): Promise<Reply | null>;
}

/** After an error in a stream nothing much follows, but the socket may be left open. */
const PATIENCE_AFTER_ERROR_SECONDS = 1;

export function createReplyReader(
  observer: ExchangeObserver,
  redactor: Redactor,
  timings: TimingRecorder,
): ReplyReader {
  let head: ResponseHead | null = null;
  let body: BodyText | null = null;
  let stream: StreamReader | null = null;
  let document: DocumentReader | null = null;
  let opening = '';

  function choose(text: string): void {
    opening += text;
    const kind = head === null ? null : kindOf(head, opening);
    if (kind === null) return;
    if (kind === 'stream') stream = readStream(observer, redactor, streamEvents);
    else document = readDocument(observer, redactor, () => reader.onEnough());
    write(opening);
    opening = '';
  }

  function write(text: string): void {
    if (stream) stream.write(text);
    else if (document) document.write(text);
    else choose(text);
  }

  const streamEvents = {
    onDone: () => reader.onEnough(),
    onError: () => reader.onHurry(PATIENCE_AFTER_ERROR_SECONDS),
    onDelta: () => timings.delta(),
  };

  const reader: ReplyReader = {
    onEnough() {},
    onHurry() {},
    head(status, rawHeaders) {
      head = readHead(status, rawHeaders);
      observer.response({ status, headers: redactor.headers(head.headers) });
      body = readBodyText(headerValue(head.headers, 'content-encoding'), write);
    },
    data(chunk) {
      body?.write(chunk);
    },
    async end(cut) {
      if (head === null || body === null) return null;
      const decoding = await body.end();
      if (stream) return { head, kind: 'stream', stream: stream.end() };
      document ??= openDocument();
      const text = document.end(cut || decoding !== null);
      return { head, kind: 'document', text, tooLong: document.tooLong(), decoding };
    },
  };

  /** The whole body was too short to tell what it is. */
  function openDocument(): DocumentReader {
    const short = readDocument(observer, redactor, () => reader.onEnough());
    short.write(opening);
    return short;
  }

  return reader;
}

const STREAM_START = /^(?:data|event|id|retry|:)/;

/** Null while the text so far cannot tell. Errors are documents, whatever they look like. */
function kindOf(head: ResponseHead, opening: string): 'stream' | 'document' | null {
  if (head.status >= 300) return 'document';
  const start = opening.replace(/^\uFEFF/, '').trimStart();
  if (start === '') return null;
  if (/^[{[<]/.test(start)) return 'document';
  if (STREAM_START.test(start)) return 'stream';
  const type = headerValue(head.headers, 'content-type')?.toLowerCase() ?? '';
  return type.startsWith('text/event-stream') ? 'stream' : undecided(start);
}

/** `da` can still become `data:`. */
function undecided(start: string): 'document' | null {
  const names = ['data', 'event', 'id', 'retry'];
  return names.some((name) => name.startsWith(start)) ? null : 'document';
}
