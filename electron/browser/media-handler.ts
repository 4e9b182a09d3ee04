/** Serves the media routes from the loopback server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MediaRoutes } from '../media/routes/media-routes.ts';
import {
  BodyTooLargeError,
  IncompleteUploadError,
  type MediaResponse,
} from '../media/routes/response.ts';
import type { RequestHandler } from './pages.ts';

export function createMediaHandler(routes: MediaRoutes): RequestHandler {
  return (request, response) => {
    // The page may have disconnected, which isn't an error.
    answer(routes, request, response).catch(() => response.destroy());
  };
}

async function answer(
  routes: MediaRoutes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const routeResponse = await routes({
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    header: (name) => request.headers[name]?.toString() ?? null,
    body: (maxBytes) => readBody(request, maxBytes),
  });
  // Drain the body, which would otherwise be parsed as the next request.
  if (getContentLength(request) > 0 && !request.complete) response.setHeader('connection', 'close');
  response.writeHead(routeResponse.status, routeResponse.headers);
  if (request.method === 'HEAD' || !(routeResponse.body instanceof ReadableStream)) {
    response.end(request.method === 'HEAD' ? undefined : (routeResponse.body ?? undefined));
  } else {
    await send(routeResponse.body, response);
  }
}

function getContentLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  if (getContentLength(request) > maxBytes) throw new BodyTooLargeError();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new BodyTooLargeError();
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof BodyTooLargeError ? cause : new IncompleteUploadError();
  }
  return Buffer.concat(chunks);
}

async function send(
  body: Extract<MediaResponse['body'], ReadableStream>,
  response: ServerResponse,
): Promise<void> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  // If the page has already disconnected, no `close` event will follow.
  if (response.destroyed) return cancel();
  response.on('close', cancel);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (response.destroyed) return;
    if (!response.write(value)) await waitForDrain(response);
  }
  response.end();
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle);
      response.off('close', settle);
      resolve();
    };
    response.on('drain', settle);
    response.on('close', settle);
  });
}
