/** Serves the page at `app://gatehouse/`: one scheme and one origin for page and media. */
import { readFile } from 'node:fs/promises';
import type { Protocol } from 'electron';
import { findPageFiles } from '../page/page-files.ts';
import { securityHeaders } from '../page/security-headers.ts';
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

/** After `ready`. `folder` is the built page. */
export function servePage(protocol: Pick<Protocol, 'handle'>, folder: string): void {
  const files = findPageFiles(folder);
  protocol.handle(PAGE_SCHEME, async (request) => {
    const url = new URL(request.url);
    if (url.host !== PAGE_HOST) return refusal(404, 'There is nothing at this address.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refusal(405, 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD' });
    }
    const file = files.get(url.pathname);
    if (!file) return refusal(404, 'There is nothing at this address.');
    const headers = new Headers();
    for (const [name, value] of Object.entries(file.headers)) headers.set(name, String(value));
    if (request.method === 'HEAD') return new Response(null, { headers });
    return new Response(await readFile(file.path), { headers });
  });
}

/** A reply without a type would be taken for HTML. */
function refusal(status: number, text: string, more: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8', ...more },
  });
}
