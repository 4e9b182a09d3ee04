/** Reads a body that is not a stream: a document is gathered whole, a file's bytes are handed on as they come. */
import type { ExchangeObserver } from './exchange-types.ts';
import type { Redactor } from './redactor.ts';
import { headerValue, type ResponseHead } from './response-head.ts';
import type { TimingRecorder } from './timing-recorder.ts';
import { reportTransfer } from './transfer-progress.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

export interface DocumentReader {
  write(text: string): void;
  /** Hands the observer the whole text and returns it. `cut`: the body did not reach its end. */
  end(cut: boolean): Promise<string>;
  tooLong(): boolean;
}

const MAX_LENGTH = 64 * 1024 * 1024;

export function readDocument(
  observer: Pick<ExchangeObserver, 'body'>,
  redactor: Redactor,
  onTooLong: () => void,
): DocumentReader {
  const parts: string[] = [];
  let length = 0;

  return {
    write(text) {
      if (length > MAX_LENGTH) return;
      parts.push(text);
      length += text.length;
      if (length > MAX_LENGTH) onTooLong();
    },
    tooLong: () => length > MAX_LENGTH,
    async end(cut) {
      const text = parts.join('').replace(/^\uFEFF/, '');
      const shown = redactor.text(text);
      await yieldToEventLoop(shown.length);
      await observer.body(shown.slice(0, MAX_LENGTH), cut || length > MAX_LENGTH);
      return shown;
    },
  };
}

export interface FileReader {
  write(bytes: Buffer): void | Promise<void>;
  /** Resolves when everything received was consumed. */
  end(): Promise<void>;
}

/** No faster than the observer takes them. */
export function readFileBytes(
  observer: Pick<ExchangeObserver, 'bytes' | 'progress'>,
  timings: Pick<TimingRecorder, 'deltas' | 'now'>,
  head: ResponseHead,
): FileReader {
  const report = reportTransfer(observer, 'download', announcedBytes(head), timings.now);
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
    },
  };
}

/** Unknown for a compressed body: its length is that of what was sent. */
function announcedBytes({ headers }: ResponseHead): number | null {
  const encoding = headerValue(headers, 'content-encoding') ?? 'identity';
  const length = headerValue(headers, 'content-length');
  if (length === null || encoding.trim().toLowerCase() !== 'identity') return null;
  return /^\d+$/.test(length.trim()) ? Number(length) : null;
}
