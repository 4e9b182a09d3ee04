/** What one exchange takes, and what it tells while it goes on. */
import type { HeaderList } from '../../shared/run.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { Network } from './network.ts';

/** `headers` are without authorization: the key comes separately and is never shown. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: HeaderList;
  body: string | null;
}

/** An SSE frame: its `data` lines joined by a line feed, or a comment line. */
export interface Frame {
  data: string;
  event: string | null;
  comment: boolean;
}

/** Everything told here is redacted. */
export interface ExchangeObserver {
  /** Once, synchronously, before anything goes to the network. */
  request(sent: { method: string; url: string; headers: HeaderList; body: string | null }): void;
  response(head: { status: number; headers: HeaderList }): void;
  /** `produced`: the frame carried generated output, which counts as a delta in the timings. */
  chunk(frame: Frame): { produced: boolean };
  /** The text of a reply that is not a stream: JSON, or an error page. */
  body(text: string, truncated: boolean): void;
}

export interface ExchangeOptions {
  /** Sent as a bearer token to the URL's own origin. */
  key: string | null;
  timeouts: Timeouts;
  signal: AbortSignal;
  /** Milliseconds since the run's start. */
  now: () => number;
  network: Network;
}
