/** A request below `/media` and its reply, free of either host's own types. */
import type { AppError } from '../../../shared/errors.ts';
import { securityHeaders } from '../../page/security-headers.ts';

export interface MediaRequest {
  method: string;
  /** Path and query, as sent. */
  url: string;
  header(name: string): string | null;
  /** The whole body; rejects with `BodyTooLarge` beyond `maxBytes`, or with `BodyCutOff`. */
  body(maxBytes: number): Promise<Uint8Array>;
}

export interface MediaReply {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

export class BodyTooLargeError extends Error {}

/** The page went away in the middle: nobody reads the reply. */
export class IncompleteUploadError extends Error {}

/** Whatever a medium holds, it is data: without scripts, and of no origin, when opened by itself. */
export const mediaHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'content-security-policy': 'sandbox',
};

export function emptyReply(status: number, headers: Record<string, string> = {}): MediaReply {
  return {
    status,
    headers: { ...mediaHeaders, 'cache-control': 'no-store', ...headers },
    body: null,
  };
}

export function jsonReply(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): MediaReply {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return {
    status,
    headers: {
      ...mediaHeaders,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'cache-control': 'no-store',
      ...headers,
    },
    body,
  };
}

/** The page shows the error unchanged. */
export function errorReply(error: AppError): MediaReply {
  return jsonReply(getStatus(error), error);
}

function getStatus(error: AppError): number {
  if (error.kind === 'not-found') return 404;
  if (error.kind === 'invalid-request') return 400;
  return error.kind === 'file' ? 422 : 500;
}
