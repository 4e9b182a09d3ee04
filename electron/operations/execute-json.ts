/** One JSON request and its reply, streamed or not: all that most operations are. */
import { operations } from '../../shared/operations/operations.ts';
import { requestSchemas } from '../../shared/operations/request-schemas.ts';
import type { RunContext, SendResult } from '../runs/run-context.ts';
import { harvestMedia } from './harvest-media.ts';
import { inlineMedia } from './inline-media.ts';
import { toHttp } from './to-http.ts';

export async function executeJson(context: RunContext): Promise<SendResult> {
  const { input } = context;
  const name = context.view().operation;
  const operation = operations[name];
  const { sent, shown } = await inlineMedia(requestSchemas[name], input.request, context.media);
  const { method, path, body } = toHttp(operation, { ...input, request: sent });
  const shownBody = shown && toHttp(operation, { ...input, request: shown }).body;
  return context.send({
    method,
    path,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify(body),
    ...(shownBody === null ? {} : { shownBody: JSON.stringify(shownBody) }),
    harvest: harvestMedia,
  });
}
