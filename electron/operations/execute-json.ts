/** One JSON request and its reply, streamed or not: all that most operations are. */
import type { Endpoint } from '../../shared/operations/operation.ts';
import type { RunContext, SendResult } from '../runs/run-context.ts';
import { type Harvest, harvestMedia } from './harvest-media.ts';
import { inlineMedia } from './inline-media.ts';
import { toHttp } from './to-http.ts';

export async function executeJson(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  context: RunContext,
  harvest: Harvest = harvestMedia,
): Promise<SendResult> {
  const { method, path, body: fields } = toHttp(endpoint, context.input);
  const { body, shownBody } = await inlineMedia(fields, context.media);
  return context.send({
    method,
    path,
    headers: [['Content-Type', 'application/json']],
    body,
    ...(shownBody === null ? {} : { shownBody }),
    harvest,
  });
}
