/** Tests a key with a chat request for one token, because a public model list doesn't check it. */
import type { KeyTest } from '../../shared/connection.ts';
import type { FormatEndpoint } from '../../shared/connection-options.ts';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { findEndpoint, moveTo, toHttp } from '../../shared/operations/write-request.ts';
import { withKeyHeader } from '../gateway/access.ts';
import { resolveEndpoint } from '../gateway/wire-request.ts';
import { type ModelListRequest, requestDocument } from './model-list.ts';

/** Uses the connection's own path and key header for chat completions, if it has them. */
export async function testKey(
  request: ModelListRequest,
  endpoints: readonly FormatEndpoint[],
  model: string,
): Promise<KeyTest> {
  const endpoint = findEndpoint(endpoints, 'chat', {});
  const messages = [{ role: 'user', content: 'Hi' }];
  const { path, body } = toHttp(moveTo(chatOperation, endpoint), {
    request: { model, messages, max_tokens: 1, stream: false },
    extraBody: {},
    wireNames: {},
  });
  const access = withKeyHeader(request.access, endpoint?.keyHeader ?? null);
  const url = resolveEndpoint(request.baseUrl, path);
  const { status, outcome } = await requestDocument(
    { ...request, access },
    url,
    JSON.stringify(body),
  );
  if (outcome.status === 'succeeded') {
    return { ok: true, summary: `The key works: ${model} answered.`, error: null };
  }
  const { error } = outcome;
  if (status === 401 || status === 403) {
    return { ok: false, summary: 'The gateway rejected the key.', error };
  }
  if (status === null) return { ok: false, summary: error.message, error };
  const summary = `${model} answered with status ${status}, which says nothing about the key: ${error.message}`;
  return { ok: false, summary, error: null };
}
