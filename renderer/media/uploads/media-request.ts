import type { AppError } from '../../../shared/errors.ts';
import { PageError } from '../../lib/page-failure.ts';
import { pause } from '../../lib/pause.ts';

/** A broken socket reconnects at once; a Gatehouse that ended does not. */
const RETRY_MS = [200, 500, 1000, 2000, 4000];

/**
 * One request below `/media`, sent again where the connection broke; the caller makes that safe.
 * Rejects with a `PageFailure` for what main refuses, unless its status is among `expected`.
 */
export async function mediaRequest(
  url: string,
  init: RequestInit & { expected?: number[] } = {},
): Promise<Response> {
  const { expected = [], ...request } = init;
  for (let attempt = 0; ; attempt += 1) {
    let response: Response;
    try {
      response = await fetch(url, { cache: 'no-store', ...request });
    } catch (cause) {
      request.signal?.throwIfAborted();
      const waitMs = RETRY_MS[attempt];
      if (waitMs === undefined) throw new PageError(lost(cause));
      await pause(waitMs, request.signal ?? new AbortController().signal);
      request.signal?.throwIfAborted();
      continue;
    }
    if (response.ok || expected.includes(response.status)) return response;
    throw new PageError(await getError(response));
  }
}

async function getError(response: Response): Promise<AppError> {
  if (response.headers.get('content-type')?.includes('json')) {
    const body: unknown = await response.json().catch(() => null);
    if (isAppError(body)) return body;
  }
  if (response.status === 401 || response.status === 403) return sessionGone;
  return { ...unexpected, detail: `${response.status} ${response.url}` };
}

/** Main made it by its schema; here its shape only distinguishes it from other data. */
function isAppError(body: unknown): body is AppError {
  return typeof body === 'object' && body !== null && 'kind' in body && 'nextStep' in body;
}

const plain = { gateway: null, detail: null };

function lost(cause: unknown): AppError {
  return {
    ...plain,
    kind: 'unreachable',
    message: 'The connection to Gatehouse was lost.',
    nextStep: 'Try again once reconnected.',
    detail: String(cause),
  };
}

const sessionGone: AppError = {
  ...plain,
  kind: 'unauthorized',
  message: 'Gatehouse was restarted, so this page is signed out.',
  nextStep: 'Open the new URL printed in the terminal.',
};
const unexpected: AppError = {
  ...plain,
  kind: 'unexpected',
  message: 'Something went wrong inside Gatehouse.',
  nextStep: 'Try again. If it keeps happening, restart Gatehouse.',
};
