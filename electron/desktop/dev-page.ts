/** `npm run dev`: the page comes from Vite but keeps its own address, so that every check holds as it is. */

/** Vite injects styles and one inline script, and its socket is on its own port. */
const policy = (vite: URL) =>
  [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    `connect-src 'self' ${vite.origin} ws://${vite.host}`,
  ].join('; ');

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
        'content-type': reply.headers.get('content-type') ?? 'text/plain; charset=utf-8',
        'content-security-policy': policy(vite),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
  };
}
