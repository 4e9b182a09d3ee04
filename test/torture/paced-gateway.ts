/**
 * Starts a thread that streams completions at the pace in the prompt: `paced <per second>
 * <events>`.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parentPort } from 'node:worker_threads';

interface Stream {
  response: ServerResponse;
  startedAtMs: number;
  sent: number;
  perSecond: number;
  count: number;
}

const TICK_MS = 5;
const streams = new Set<Stream>();

function frame(number: number): string {
  const choices = [{ index: 0, text: ` w${number}` }];
  return `data: ${JSON.stringify({ id: 'cmpl-1', object: 'text_completion', choices })}\n\n`;
}

function sendDue(stream: Stream, nowMs: number): void {
  const { perSecond, count, startedAtMs, response } = stream;
  const due = ((nowMs - startedAtMs) / 1000) * perSecond;
  const from = stream.sent;
  stream.sent = Math.max(from, Math.min(count, Math.floor(due)));
  const frames = Array.from({ length: stream.sent - from }, (_, at) => frame(from + at));
  if (frames.length > 0) response.write(frames.join(''));
  if (stream.sent < count && !response.destroyed) return;
  response.end('data: [DONE]\n\n');
  streams.delete(stream);
}

setInterval(() => {
  const nowMs = performance.now();
  for (const stream of streams) sendDue(stream, nowMs);
}, TICK_MS);

// Keep idle connections open, because closing one could lose a request in flight.
const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  const [, perSecond, count] = /paced (\d+) (\d+)/.exec(await text(request)) ?? [];
  if (perSecond === undefined) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const rate = { perSecond: Number(perSecond), count: Number(count) };
  streams.add({ response, startedAtMs: performance.now(), sent: 0, ...rate });
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
});
