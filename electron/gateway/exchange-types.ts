/** What one exchange takes, and what it reports while it runs. */
import type { StreamRest } from '../../shared/operations/operation.ts';
import type { HeaderList } from '../../shared/run.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { MultipartBody } from './multipart.ts';
import type { Network } from './network.ts';
import type { Redirects } from './redirects.ts';

/**
 * What counts as an answer to a good request. `json`: an object, or a stream of them. `json-list`: also a list
 * of objects. `text`: any text but a web page. `bytes`: a file. `any`: whatever comes, shown by its type.
 */
export type Accepts = 'json' | 'json-list' | 'text' | 'bytes' | 'any';

/** `headers` are without authorization: the key comes separately and is never shown. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: HeaderList;
  /** Text is sent as UTF-8; a multipart body brings its own Content-Type. */
  body: string | MultipartBody | null;
  /** What the observer gets in place of a text body that holds base64. */
  shownBody?: string;
  /** `json` unless given. */
  accepts?: Accepts;
  /** What `bytes` should be, for messages: `audio`, `a video`. */
  wanted?: string;
  /** Which redirects whoever sends this follows; for others they are an error. `none` unless given. */
  redirects?: Redirects;
}

/** An SSE frame: its `data` lines joined by a line feed, or a comment line. */
export interface Frame {
  data: string;
  event: string | null;
  comment: boolean;
}

export interface TransferProgress {
  direction: 'upload' | 'download';
  doneBytes: number;
  totalBytes: number | null;
}

/** Everything reported here is redacted, but for the bytes of a file. */
export interface ExchangeObserver {
  /** Once, synchronously, before anything goes to the network. */
  request(sent: { method: string; url: string; headers: HeaderList; body: string | null }): void;
  response(head: { status: number; headers: HeaderList }): void;
  /**
   * The frames that one read of the network completed. `produced`: how many of them carried generated output,
   * each a delta in the timings. `rest`: what is still to come; a stream that stays open without it has ended well.
   * `room`: nothing more is read from the network until this resolves.
   */
  chunks(frames: readonly Frame[]): {
    produced: number;
    rest: StreamRest;
    room?: Promise<void> | null;
  };
  /** The text of a reply that is not a stream: JSON, or an error page; whole, up to 64 MiB. */
  body(text: string, truncated: boolean): void | Promise<void>;
  /** Bytes of a file as they come; nothing more is read from the network until this resolves. */
  bytes?(chunk: Uint8Array): void | Promise<void>;
  /** Whether the file that was asked for came inside of JSON or of a stream. */
  carried?(): boolean;
  /** At most four times a second, and at the end, for a file in either direction. */
  progress?(progress: TransferProgress): void;
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
