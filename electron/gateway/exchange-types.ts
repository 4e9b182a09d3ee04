/** Defines the input of an HTTP exchange and the callbacks that observe it. */
import type { StreamRest } from '../../shared/operations/operation.ts';
import type { HeaderList } from '../../shared/run.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { EventPattern } from '../redaction/secret-search.ts';
import type { MultipartBody } from './multipart.ts';
import type { Network } from './network.ts';
import type { GatewayAccess } from './route.ts';
import type { TransferProgress } from './timing-recorder.ts';

/**
 * `json-list` also accepts an array; `text` rejects HTML pages; `any` accepts every content type.
 */
export type Accepts = 'json' | 'json-list' | 'text' | 'bytes' | 'any';

/**
 * `same-origin` preserves the method and body; `any` leaves the decision to the caller; `spent`
 * means that the redirect limit is reached.
 */
export type Redirects = 'none' | 'same-origin' | 'any' | 'spent';

/** The API key is passed separately, so that observers never see an authorization header. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: HeaderList;
  /** Sent unless the request or the connection sets a header of that name. */
  defaultHeaders?: HeaderList;
  body: string | MultipartBody | null;
  shownBody?: string;
  accepts?: Accepts;
  /** Describes the expected file in error messages, such as `audio` or `a video`. */
  wanted?: string;
  redirects?: Redirects;
}

/** A server-sent event or comment, whose `data` lines are joined with line feeds. */
export interface Frame {
  data: string;
  event: string | null;
  comment: boolean;
  /** False if the event can't report an error or have media. */
  isRare: boolean;
  /** Null unless the event differs from the previous one in a single string. */
  pattern: EventPattern | null;
}

/** All reported text is redacted, but file bytes are not. */
export interface ExchangeObserver {
  /** Called once; the request is sent when the promise resolves. */
  request(sent: {
    method: string;
    url: string;
    headers: HeaderList;
    body: string | null;
  }): void | Promise<void> | null;
  response(head: { status: number; headers: HeaderList }): void;
  /**
   * Receives the frames of one read; reading resumes when `room` resolves, and `produced` is the
   * number of outputs.
   */
  chunks(frames: readonly Frame[]): {
    produced: number;
    rest: StreamRest;
    room?: Promise<void> | null;
  };
  /** Receives up to 64 MiB of text from a response that is not a stream. */
  body(text: string, truncated: boolean): void | Promise<void>;
  /** Receives file bytes; reading resumes when the promise resolves. */
  bytes?(chunk: Uint8Array): void | Promise<void>;
  /** Returns true if the requested file was embedded in JSON or a stream. */
  carried?(): boolean;
  progress?(progress: TransferProgress): void;
}

export interface ExchangeOptions {
  /** The connection's key and other additions; redirects to other origins need different access. */
  access: GatewayAccess;
  timeouts: Timeouts;
  signal: AbortSignal;
  now: () => number;
  network: Network;
}
