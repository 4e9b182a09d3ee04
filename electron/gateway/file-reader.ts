/** Hands the bytes of a file on as they come, no faster than they are taken. */
import type { ExchangeObserver } from './exchange-types.ts';
import { headerValue, type ResponseHead } from './response-head.ts';
import type { TimingRecorder } from './timing-recorder.ts';
import { reportTransfer } from './transfer-progress.ts';

export interface FileReader {
  write(bytes: Buffer): void | Promise<void>;
  /** Resolves when all that came was taken. */
  end(): Promise<void>;
}

export function readFileBytes(
  observer: Pick<ExchangeObserver, 'bytes' | 'progress'>,
  timings: Pick<TimingRecorder, 'delta' | 'now'>,
  head: ResponseHead,
): FileReader {
  const report = reportTransfer(observer, 'download', announcedBytes(head), timings.now);
  let doneBytes = 0;
  let taken: Promise<void> = Promise.resolve();

  return {
    write(bytes) {
      if (bytes.byteLength === 0) return;
      if (doneBytes === 0) timings.delta();
      doneBytes += bytes.byteLength;
      const waiting = observer.bytes?.(bytes);
      report.at(doneBytes);
      if (!waiting) return;
      taken = waiting;
      return waiting;
    },
    async end() {
      await taken;
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
