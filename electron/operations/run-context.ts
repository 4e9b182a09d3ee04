/** Defines what a run gives its operation to execute it. */
import type { FormatEndpoint } from '../../shared/connection-options.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Media } from '../../shared/media.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { RunEventBody, RunInput } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { ExchangeOutcome } from '../gateway/exchange.ts';
import type { WireRequest } from '../gateway/exchange-types.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Replacement } from './document-steps.ts';
import type { RunDocument } from './document-thread.ts';
import type { Harvest } from './harvest-media.ts';
import type { RunOutput } from './run-media.ts';

/** Converts a document before it is recorded; may throw a `UserFacingError`. */
export interface ConvertResponse {
  /** Returns the text to record. */
  convert(text: string): Promise<string>;
  /** Returns what replaces the placeholders in the converted text. */
  convertLong(document: RunDocument): Promise<Replacement[]>;
}

export type OutgoingRequest = Omit<WireRequest, 'url' | 'redirects'> & {
  /** A path under the base URL, or a full URL, which gets the key only if the origin matches. */
  path: string | URL;
  /** Defaults to `same-origin`. */
  redirects?: 'none' | 'same-origin';
  harvest?: Harvest;
  /** Converts a document before it is recorded, instead of `harvest`. */
  convert?: ConvertResponse;
  stem?: string;
  unmarkedType?: string;
};

export interface RunContext<Name extends OperationName = OperationName> {
  readonly input: RunInput;
  readonly media: MediaStore;
  readonly signal: AbortSignal;
  view(): RunView<Name>;
  record(event: RunEventBody): void;
  /** Records events together, which is faster than one by one. */
  recordAll(events: readonly RunEventBody[]): void;
  /**
   * Sends one HTTP request as the run's next exchange; each followed redirect is another exchange.
   */
  send(request: OutgoingRequest): Promise<FinishedExchange>;
  /** Downloads a file, or resumes `partial`; `address` may be a path. */
  download(
    address: string,
    partial: PartialDownload | null,
    words?: { wanted: string; stem: string },
  ): Promise<DownloadedFile>;
  /** Returns null if a link in a response isn't an HTTP or HTTPS address. */
  resolve(address: string): URL | null;
  /** Returns the connection's own endpoint for the run's format; null if the usual one applies. */
  getEndpoint(): FormatEndpoint | null;
  /** Returns true if the address has the gateway's origin and so receives the key. */
  isOwn(address: string): boolean;
  pause(ms: number): Promise<void>;
  /** Resolves after `ms`, when the user asks to follow the run, or immediately on abort. */
  pauseWhileFollowed(ms: number, isFollowed: () => boolean): Promise<void>;
  pollPause(count: number): number;
  /** Resolves when polling is allowed, to an error if the connection can't be used. */
  pollTurn(): Promise<AppError | null>;
  redact(text: string): string;
  close(): Promise<void>;
}

export type FinishedExchange = ExchangeOutcome & {
  exchange: number;
  /** The document's text is redacted and has media references instead of base64. */
  text: string | null;
  media: Media | null;
};

export type DownloadedFile = FinishedExchange & { partial: PartialDownload | null };

export interface PartialDownload {
  output: RunOutput;
  /** Sent as `If-Range`, so that the download resumes only if the file is unchanged. */
  validator: string | null;
}
