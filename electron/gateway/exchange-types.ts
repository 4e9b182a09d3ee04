/** Defines the input of an exchange and the events that its observer receives. */
import type { StreamRest } from '../../shared/operations/operation.ts';
import type { HeaderList } from '../../shared/run.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { MultipartBody } from './multipart.ts';
import type { Network } from './network.ts';
import type { Redirects } from './response-head.ts';
import type { TransferProgress } from './timing-recorder.ts';

/** `json-list` also accepts a list; `text` rejects web pages; `any` is displayed by its type. */
export type Accepts = 'json' | 'json-list' | 'text' | 'bytes' | 'any';

/** The API key is passed separately, so that observers never see an authorization header. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: HeaderList;
  body: string | MultipartBody | null;
  shownBody?: string;
  accepts?: Accepts;
  /** Error messages name the expected file as `audio` or `a video`. */
  wanted?: string;
  redirects?: Redirects;
}

/** A frame is a server-sent event or comment with `data` lines joined by line feeds. */
export interface Frame {
  data: string;
  event: string | null;
  comment: boolean;
}

/** Every reported text is redacted; file bytes are not. */
export interface ExchangeObserver {
  /** Called once before anything is sent. */
  request(sent: { method: string; url: string; headers: HeaderList; body: string | null }): void;
  response(head: { status: number; headers: HeaderList }): void;
  /**
   * Receives the frames of one read; the next read waits for `room`, and `produced` counts outputs.
   */
  chunks(frames: readonly Frame[]): {
    produced: number;
    rest: StreamRest;
    room?: Promise<void> | null;
  };
  /** Receives up to 64 MiB of the text of a response that is not a stream. */
  body(text: string, truncated: boolean): void | Promise<void>;
  /** Receives file bytes; the next read waits for the promise. */
  bytes?(chunk: Uint8Array): void | Promise<void>;
  /** Returns true if the requested file arrived inside JSON or a stream. */
  carried?(): boolean;
  progress?(progress: TransferProgress): void;
}

export interface ExchangeOptions {
  /** The key is sent as a bearer token only to the request's origin. */
  key: string | null;
  timeouts: Timeouts;
  signal: AbortSignal;
  now: () => number;
  network: Network;
}
