/** `npm run dev`: the page comes from Vite but keeps its own address, so that every check holds as it is. */

import { securityHeaders } from '../page/security-headers.ts';

/** Vite puts one inline script into the page, styles as elements, and its socket is on its own port. */
function policyFor({ origin, host }: URL): string {
  return (securityHeaders['content-security-policy'] ?? '')
    .replaceAll(/(script-src|style-src) 'self'/g, "$1 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", `connect-src 'self' ${origin} ws://${host}`);
}

export function fromVite(devUrl: string): (url: URL, headOnly: boolean) => Promise<Response> {
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
