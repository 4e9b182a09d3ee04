/** One JSON request and its reply, streamed or not: all that most operations are. */
import type { Endpoint } from '../../shared/operations/operation.ts';
import type { RunContext, SendResult } from '../runs/run-context.ts';
import type { Harvest } from './harvest-media.ts';
import { toHttp } from './to-http.ts';

export function executeJson(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  context: RunContext,
  harvest: Harvest | null = null,
): Promise<SendResult> {
  const { method, path, body } = toHttp(endpoint, context.request, context.extraBody);
  return context.send({
    method,
    path,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify(body),
    ...(harvest && { harvest }),
  });
}
