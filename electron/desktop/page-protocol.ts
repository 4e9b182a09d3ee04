/** Serves the page at `app://gatehouse/`: one scheme and one origin for page and media. */
import { readFile } from 'node:fs/promises';
import type { Protocol } from 'electron';
import { findPageFiles } from '../page/page-files.ts';
import { securityHeaders } from '../page/security-headers.ts';
import type { MediaAnswer } from './media-protocol.ts';
import { PAGE_HOST, PAGE_SCHEME } from './page-address.ts';

/** Once, before `ready`; a second call would replace the first. */
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

/** The files of the built page, or Vite's address in `npm run dev`. */
export type PageSource = { folder: string } | { devUrl: string };

/** After `ready`. */
export function servePage(
  protocol: Pick<Protocol, 'handle'>,
  source: PageSource,
  media: MediaAnswer,
): void {
  const answer = 'devUrl' in source ? fromVite(source.devUrl) : fromFolder(source.folder);
  protocol.handle(PAGE_SCHEME, async (request) => {
    const url = new URL(request.url);
    if (url.host !== PAGE_HOST) return nothing();
    const medium = media(request, url);
    if (medium !== null) return medium;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refusal(405, 'Only GET and HEAD are supported.', { allow: 'GET, HEAD' });
    }
    return answer(url, request.method === 'HEAD');
  });
}

type PageAnswer = (url: URL, headOnly: boolean) => Promise<Response>;

function fromFolder(folder: string): PageAnswer {
  const files = findPageFiles(folder);
  return async (url, headOnly) => {
    const file = files.get(url.pathname);
    if (!file) return nothing();
    const headers = new Headers();
    for (const [name, value] of Object.entries(file.headers)) headers.set(name, String(value));
    return new Response(headOnly ? null : await readFile(file.path), { headers });
  };
}

function nothing(): Response {
  return refusal(404, 'Page not found.');
}

/** A reply without a type would be taken for HTML. */
function refusal(status: number, text: string, more: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8', ...more },
  });
}

/** Vite puts one inline script into the page, styles as elements, and its socket is on its own port. */
function policyFor({ origin, host }: URL): string {
  return (securityHeaders['content-security-policy'] ?? '')
    .replaceAll(/(script-src|style-src) 'self'/g, "$1 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", `connect-src 'self' ${origin} ws://${host}`);
}

/** `npm run dev`: the page comes from Vite but keeps its own address, so that every check holds. */
function fromVite(devUrl: string): (url: URL, headOnly: boolean) => Promise<Response> {
  const vite = new URL(devUrl);
  return async ({ pathname, search }, headOnly) => {
    const reply = await fetch(new URL(pathname + search, vite), {
      method: headOnly ? 'HEAD' : 'GET',
      // Vite answers its own modules only to who accepts them.
      headers: { accept: pathname === '/' ? 'text/html' : '*/*' },
    });
    return new Response(reply.body, {
      status: reply.status,
      headers: {
        ...securityHeaders,
        'content-type': reply.headers.get('content-type') ?? 'text/plain; charset=utf-8',
        'content-security-policy': policyFor(vite),
        'cache-control': 'no-store',
      },
    });
  };
}
