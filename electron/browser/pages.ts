/** Serves the built page, and small pages for sign-in and errors. */
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { findPageFiles } from '../page/page-files.ts';
import { securityHeaders } from '../page/security-headers.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export function createStaticFiles(folder: string): RequestHandler {
  const files = findPageFiles(folder);

  return (request, response) => {
    // Paths of known files need no decoding.
    const file = files.get((request.url ?? '/').replace(/[?#].*$/s, ''));
    if (file === undefined) {
      sendError(response, 404, 'Page not found.');
      return;
    }
    response.writeHead(200, file.headers);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    // The headers are sent, so an error can only close the connection.
    pipeline(createReadStream(file.path), response, () => undefined);
  };
}

/**
 * A redirect from another site would drop the SameSite=Strict cookie, so the response is a page.
 */
export function sendTokenRedirectPage(response: ServerResponse, cookie: string): void {
  send(
    response,
    200,
    '<meta http-equiv="refresh" content="0;url=/">',
    '<p>Opening Gatehouse…</p>',
    {
      'set-cookie': cookie,
    },
  );
}

export function sendExpiredUrlPage(response: ServerResponse): void {
  const text =
    '<h1>This link has expired</h1>' +
    '<p>Each URL works once. In the terminal running Gatehouse, press Enter, ' +
    'then open the new URL it prints.</p>';
  send(response, 401, '', text);
}

export function sendError(response: ServerResponse, status: number, reason: string): void {
  send(response, status, '', `<p>${reason}</p>`);
}

function send(
  response: ServerResponse,
  status: number,
  head: string,
  body: string,
  headers: Record<string, string> = {},
): void {
  const html =
    // The empty icon prevents a request for a favicon.
    '<!doctype html><html lang="en"><meta charset="utf-8">' +
    '<link rel="icon" href="data:,"><meta name="color-scheme" content="light dark">' +
    `<title>Gatehouse</title>${head}${body}</html>`;
  response.writeHead(status, {
    ...securityHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : html);
}
