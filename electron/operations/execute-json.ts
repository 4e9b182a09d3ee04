/** One JSON request and its reply, streamed or not: all that most operations are. */
import type { Endpoint } from '../../shared/operations/operation.ts';
import type { RunContext, SendResult } from '../runs/run-context.ts';
import { type Harvest, harvestMedia } from './harvest-media.ts';
import { inlineMedia } from './inline-media.ts';
import { toHttp } from './to-http.ts';

export async function executeJson(
  endpoint: Pick<Endpoint, 'method' | 'path' | 'requestSchema'>,
  context: RunContext,
  harvest: Harvest = harvestMedia,
): Promise<SendResult> {
  const { input } = context;
  const { sent, shown } = await inlineMedia(endpoint.requestSchema, input.request, context.media);
  const { method, path, body } = toHttp(endpoint, { ...input, request: sent });
  const shownBody = shown && toHttp(endpoint, { ...input, request: shown }).body;
  return context.send({
    method,
    path,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify(body),
    ...(shownBody === null ? {} : { shownBody: JSON.stringify(shownBody) }),
    harvest,
  });
}
