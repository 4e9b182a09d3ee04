/** Serves the page and its media at `app://gatehouse/`. */
import { readFile } from 'node:fs/promises';
import type { Protocol } from 'electron';
import { isMediaUrl, type MediaRoutes } from '../media/routes/media-routes.ts';
import {
  BodyTooLargeError,
  createEmptyResponse,
  IncompleteUploadError,
  type MediaResponse,
} from '../media/routes/response.ts';
import { findPageFiles } from '../page/page-files.ts';
import { securityHeaders } from '../page/security-headers.ts';

/** Call this once, before `ready`. */
export function registerPageScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: PAGE_SCHEME,
      privileges: {
        standard: true,
        secure: true,
        supportFetchAPI: true,
        stream: true,
        codeCache: true,
      },
    },
  ]);
}

/** The page is served from the build folder, or from Vite in `npm run dev`. */
export type PageSource = { folder: string } | { devUrl: string };

/** Call this after `ready`. */
export function servePage(
  protocol: Pick<Protocol, 'handle'>,
  source: PageSource,
  media: MediaResponder,
): void {
  const answer = 'devUrl' in source ? serveVite(source.devUrl) : serveFolder(source.folder);
  protocol.handle(PAGE_SCHEME, async (request) => {
    const url = new URL(request.url);
    if (url.host !== PAGE_HOST) return answerNotFound();
    const mediaResponse = media(request, url);
    if (mediaResponse !== null) return mediaResponse;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refusal(405, 'Only GET and HEAD are supported.', { allow: 'GET, HEAD' });
    }
    return answer(url, request.method === 'HEAD');
  });
}

type PageAnswer = (url: URL, headOnly: boolean) => Promise<Response>;

function serveFolder(folder: string): PageAnswer {
  const files = findPageFiles(folder);
  return async (url, headOnly) => {
    const file = files.get(url.pathname);
    if (!file) return answerNotFound();
    const headers = new Headers();
    for (const [name, value] of Object.entries(file.headers)) headers.set(name, String(value));
    return new Response(headOnly ? null : await readFile(file.path), { headers });
  };
}

function answerNotFound(): Response {
  return refusal(404, 'Page not found.');
}

/** Sets a content type, because browsers would treat a response without one as HTML. */
function refusal(status: number, text: string, more: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8', ...more },
  });
}

/** Allows Vite's inline script and styles, and its WebSocket on another port. */
function createPolicy({ origin, host }: URL): string {
  return (securityHeaders['content-security-policy'] ?? '')
    .replaceAll(/(script-src|style-src) 'self'/g, "$1 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", `connect-src 'self' ${origin} ws://${host}`);
}

/** In `npm run dev`, serves the page from Vite under the app's own origin. */
function serveVite(devUrl: string): (url: URL, headOnly: boolean) => Promise<Response> {
  const vite = new URL(devUrl);
  return async ({ pathname, search }, headOnly) => {
    const response = await fetch(new URL(pathname + search, vite), {
      method: headOnly ? 'HEAD' : 'GET',
      // Vite serves modules only if the client accepts any type.
      headers: { accept: pathname === '/' ? 'text/html' : '*/*' },
    });
    return new Response(response.body, {
      status: response.status,
      headers: {
        ...securityHeaders,
        'content-type': response.headers.get('content-type') ?? 'text/plain; charset=utf-8',
        'content-security-policy': createPolicy(vite),
        'cache-control': 'no-store',
      },
    });
  };
}

export const PAGE_SCHEME = 'app';
export const PAGE_HOST = 'gatehouse';
export const PAGE_ORIGIN = `${PAGE_SCHEME}://${PAGE_HOST}`;
export const PAGE_URL = `${PAGE_ORIGIN}/`;

/** Compares scheme and host, because a prefix check would accept `app://gatehouse.evil`. */
export function isPageOrigin(text: string | undefined): boolean {
  if (text === undefined || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === `${PAGE_SCHEME}:` && url.host === PAGE_HOST;
}

export function isPage(url: string): boolean {
  return url.replace(/#.*$/s, '') === PAGE_URL;
}

export type MediaResponder = (request: Request, url: URL) => Promise<Response> | null;

export function createMediaResponder(routes: MediaRoutes): MediaResponder {
  return (request, url) => (isMediaUrl(url.pathname) ? answer(routes, request, url) : null);
}

async function answer(routes: MediaRoutes, request: Request, url: URL): Promise<Response> {
  const origin = request.headers.get('origin');
  // Only the page can load this scheme today; the check guards against future changes.
  if (origin !== null && !isPageOrigin(origin)) return toResponse(createEmptyResponse(403), false);

  const routeResponse = await routes({
    method: request.method,
    url: url.pathname + url.search,
    header: (name) => request.headers.get(name),
    async body(maxBytes) {
      const bytes = new Uint8Array(
        await request.arrayBuffer().catch(() => {
          throw new IncompleteUploadError();
        }),
      );
      if (bytes.length > maxBytes) throw new BodyTooLargeError();
      return bytes;
    },
  });
  return toResponse(routeResponse, request.method === 'HEAD');
}

function toResponse({ status, headers, body }: MediaResponse, headOnly: boolean): Response {
  return new Response(headOnly ? null : body, { status, headers });
}
