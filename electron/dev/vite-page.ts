/** Serves the page through Vite with hot reload. */
import type { Server } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { createServer, type UserConfig } from 'vite';
import { renderer } from '../../electron.vite.config.ts';
import type { HostPage } from '../browser/host.ts';
import { securityHeaders } from '../page/security-headers.ts';

/** Vite adds an inline script and style elements. */
const policy = securityHeaders['content-security-policy']?.replaceAll(
  /(script-src|style-src) 'self'/g,
  "$1 'self' 'unsafe-inline'",
);
const headers = { ...securityHeaders, ...(policy && { 'content-security-policy': policy }) };

/** The browser host checks requests before Vite receives them. */
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

const HOST = '127.0.0.1';

export interface ViteServer {
  url: string;
  close(): Promise<void>;
}

/** The desktop page keeps the `app:` origin, so Vite runs as a separate server. */
export async function startViteServer(config: UserConfig = renderer): Promise<ViteServer> {
  const port = await findFreePort();
  const vite = await createServer({
    ...config,
    configFile: false,
    server: {
      host: HOST,
      port,
      strictPort: true,
      // Vite doesn't pass port 0 on, so its client would use the page's port.
      hmr: { host: HOST, protocol: 'ws', clientPort: port },
    },
  });
  await vite.listen();
  const [url] = vite.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error('Vite listens at no local address.');
  return { url, close: () => vite.close() };
}

function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createNetServer();
  server.once('error', reject);
  server.listen(0, HOST, () => {
    const address = server.address();
    if (address === null || typeof address === 'string') return;
    server.close(() => resolve(address.port));
  });
  return promise;
}
