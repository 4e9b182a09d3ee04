/** The page from Vite instead of the build, with hot reload. */
import type { Server } from 'node:http';
import { createServer } from 'vite';
import { renderer } from '../../electron.vite.config.ts';
import type { HostPage } from '../browser/host.ts';
import { securityHeaders } from '../page/security-headers.ts';

/** Vite puts one inline script into the page, and styles as elements. */
const policy = securityHeaders['content-security-policy']?.replaceAll(
  /(script-src|style-src) 'self'/g,
  "$1 'self' 'unsafe-inline'",
);
const headers = { ...securityHeaders, ...(policy && { 'content-security-policy': policy }) };

/** Beside the browser host's socket, behind its checks. */
export const vitePage: HostPage = {
  async createPage(server: Server) {
    const vite = await createServer({
      ...renderer,
      configFile: false,
      server: { middlewareMode: true, hmr: { server }, headers },
    });
    return (request, response) => vite.middlewares(request, response);
  },
  takesUpgrade: ({ headers: { 'sec-websocket-protocol': protocol } }) =>
    protocol === 'vite-hmr' || protocol === 'vite-ping',
};

/** A server of its own for the desktop, whose page keeps its own address; gives its URL. */
export async function startViteServer(): Promise<string> {
  const vite = await createServer({
    ...renderer,
    configFile: false,
    server: { host: '127.0.0.1', port: 0, hmr: { host: '127.0.0.1', protocol: 'ws' } },
  });
  await vite.listen();
  const [url] = vite.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error('Vite listens at no local address.');
  return url;
}
