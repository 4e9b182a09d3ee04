/** Defines host-independent requests and responses for `/media`. */
import type { AppError } from '../../../shared/errors.ts';
import { securityHeaders } from '../../page/security-headers.ts';

export interface MediaRequest {
  method: string;
  url: string;
  header(name: string): string | null;
  /** Rejects with `BodyTooLargeError` or `IncompleteUploadError`. */
  body(maxBytes: number): Promise<Uint8Array>;
}

export interface MediaResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

export class BodyTooLargeError extends Error {}

export class IncompleteUploadError extends Error {}

/** Prevents media that is opened directly from running scripts or having an origin. */
export const mediaHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'content-security-policy': 'sandbox',
};

export function createEmptyResponse(
  status: number,
  headers: Record<string, string> = {},
): MediaResponse {
  return {
    status,
    headers: { ...mediaHeaders, 'cache-control': 'no-store', ...headers },
    body: null,
  };
}

export function createJsonResponse(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): MediaResponse {
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

export function createErrorResponse(error: AppError): MediaResponse {
  return createJsonResponse(getStatus(error), error);
}

function getStatus(error: AppError): number {
  if (error.kind === 'not-found') return 404;
  if (error.kind === 'invalid-request') return 400;
  return error.kind === 'file' ? 422 : 500;
}
