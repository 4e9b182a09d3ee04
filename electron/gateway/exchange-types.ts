/** The input of one exchange, and what it reports while it runs. */
import type { StreamRest } from '../../shared/operations/operation.ts';
import type { HeaderList } from '../../shared/run.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { MultipartBody } from './multipart.ts';
import type { Network } from './network.ts';
import type { Redirects } from './response-head.ts';
import type { TransferProgress } from './timing-recorder.ts';

/**
 * The expected response. `json`: an object, or a stream of them. `json-list`: also a list of objects.
 * `text`: any text but a web page. `bytes`: a file. `any`: shown by its type.
 */
export type Accepts = 'json' | 'json-list' | 'text' | 'bytes' | 'any';

/** `headers` have no authorization: the key comes separately and is never shown. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: HeaderList;
  /** A multipart body brings its own Content-Type. */
  body: string | MultipartBody | null;
  /** Replaces a text body that contains base64 when it is shown. */
  shownBody?: string;
  /** Defaults to `json`. */
  accepts?: Accepts;
  /** Names the expected file in messages: `audio`, `a video`. */
  wanted?: string;
  /** The redirects that the caller follows; others are errors. Defaults to `none`. */
  redirects?: Redirects;
}

/** A server-sent event or comment; `data` lines are joined by line feeds. */
export interface Frame {
  data: string;
  event: string | null;
  comment: boolean;
}

/** Everything reported is redacted, except the bytes of a file. */
export interface ExchangeObserver {
  /** Called once, before anything is sent. */
  request(sent: { method: string; url: string; headers: HeaderList; body: string | null }): void;
  response(head: { status: number; headers: HeaderList }): void;
  /**
   * Gets the frames that one read completed. `produced` counts those with output, `rest` says what the stream still
   * has to bring, and nothing more is read until `room` resolves.
   */
  chunks(frames: readonly Frame[]): {
    produced: number;
    rest: StreamRest;
    room?: Promise<void> | null;
  };
  /** Gets the whole text of a response that is not a stream, up to 64 MiB. */
  body(text: string, truncated: boolean): void | Promise<void>;
  /** Gets bytes of a file; nothing more is read until this resolves. */
  bytes?(chunk: Uint8Array): void | Promise<void>;
  /** Returns true if the requested file arrived inside JSON or a stream. */
  carried?(): boolean;
  progress?(progress: TransferProgress): void;
}

export interface ExchangeOptions {
  /** Sent as a bearer token to the request's own origin. */
  key: string | null;
  timeouts: Timeouts;
  signal: AbortSignal;
  /** Milliseconds since the run's start. */
  now: () => number;
  network: Network;
}
