/** Defines how a long document is read: on a thread, because parsing it would stop the window. */
import type { AppError } from '../../shared/errors.ts';
import type { Accepts, Redirects } from './exchange-types.ts';
import type { ResponseHead } from './response-head.ts';

/** Parsing more than this would take over 50 ms when the code runs for the first time. */
export const LONG_BYTES = 256 * 1024;

/** Plain data, so that it can be sent to a thread. */
export interface InspectedDocument {
  text: string;
  head: ResponseHead;
  tooLong: boolean;
  /** The URL of the request. */
  url: string;
  accepts: Accepts;
  /** Describes the expected file. */
  wanted: string;
  isCarried: boolean;
  redirects: Redirects;
  /** Unix milliseconds, to evaluate a Retry-After date. */
  now: number;
}

export interface DocumentFindings {
  /** The error that the gateway reports. */
  reported: AppError | null;
  /** Describes a document that doesn't match the request. */
  mismatch: AppError | null;
  /** Whether the text is a complete JSON object or array. */
  isJson: boolean;
}

export interface LongDocument {
  /** Copies the bytes. */
  write(bytes: Uint8Array): void;
  /** Decodes the bytes and masks secrets; keeps at most `maxLength` characters. */
  read(maxLength: number): Promise<void>;
  inspect(given: Omit<InspectedDocument, 'text'>): Promise<DocumentFindings>;
}

export interface LongDocuments {
  /** `contentType` may name the charset; `secrets` are masked. */
  open(given: { contentType: string | null; secrets: readonly string[] }): LongDocument;
  /** Called instead of `body` once the document is read. */
  record(truncated: boolean): Promise<void>;
}
