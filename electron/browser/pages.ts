/** Serves the built page and small pages for sign-in and errors. */
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { findPageFiles } from '../page/page-files.ts';
import { securityHeaders } from '../page/security-headers.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export function createStaticFiles(folder: string): RequestHandler {
  const files = findPageFiles(folder);

  return (request, response) => {
    // Only known file paths are served, so no decoding is needed.
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
    // The headers have been sent, so the only option is to close the connection.
    pipeline(createReadStream(file.path), response, () => undefined);
  };
}

/** Responds with a page, because a cross-site redirect would drop the SameSite=Strict cookie. */
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
    // Set an empty icon to prevent a favicon request.
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
