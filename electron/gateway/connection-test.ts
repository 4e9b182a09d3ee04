/** Tests a connection with the one request that costs nothing, and reports what answered. */
import type { ConnectionTest } from '../../shared/connection.ts';
import type { AppError } from '../../shared/errors.ts';
import {
  type ListedModel,
  type ModelListReply,
  type ModelListRequest,
  requestModelList,
} from './model-list.ts';

/** `models` is null if no list came. */
export async function testConnection(
  request: ModelListRequest,
): Promise<{ test: ConnectionTest; models: ListedModel[] | null }> {
  const reply = await requestModelList(request);
  const { models, outcome } = reply;
  const verdict = describe(reply, request.key !== null);
  const test: ConnectionTest = {
    ...verdict,
    url: reply.url.href,
    status: reply.status,
    modelCount: models === null ? null : models.length,
    durationMs: reply.durationMs,
    error: verdict.ok || outcome.status === 'succeeded' ? null : outcome.error,
  };
  return { test, models };
}

function describe(
  { models, outcome, status }: ModelListReply,
  hasKey: boolean,
): { ok: boolean; summary: string } {
  if (models !== null) {
    const count = models.length === 1 ? '1 model' : `${models.length} models`;
    return { ok: true, summary: `Connected. The gateway lists ${count}.` };
  }
  if (outcome.status === 'succeeded') {
    return { ok: false, summary: 'The server responded, but not with a list of models.' };
  }
  return withoutList(outcome.error, status, hasKey);
}

function withoutList(
  error: AppError,
  status: number | null,
  hasKey: boolean,
): { ok: boolean; summary: string } {
  const webPage = /^\s*</.test(error.gateway?.bodyExcerpt ?? '');
  switch (status) {
    case null:
      return { ok: false, summary: error.message };
    case 401:
      return {
        ok: false,
        summary: hasKey
          ? 'The gateway responded but rejected the key.'
          : 'The gateway requires a key, and this connection has none.',
      };
    case 403:
      return { ok: false, summary: 'The gateway responded, but this key cannot list models.' };
    case 404:
    case 405:
    case 501:
      return webPage
        ? {
            ok: false,
            summary: 'The server returned a web page, not an API response. Check the base URL.',
          }
        : {
            ok: true,
            summary: 'The server responded but does not list models. Enter model IDs manually.',
          };
    case 429:
      return { ok: true, summary: 'The gateway responded, but its rate limit has been reached.' };
    default:
      if (webPage) {
        return {
          ok: false,
          summary: 'The server returned a web page, not an API response. Check the base URL.',
        };
      }
      return { ok: false, summary: error.message };
  }
}
