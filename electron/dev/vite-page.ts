/** The page from Vite instead of the build, with hot reload. */
import type { Server } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { createServer, type UserConfig } from 'vite';
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

const HOST = '127.0.0.1';

export interface ViteServer {
  url: string;
  close(): Promise<void>;
}

/** A server of its own for the desktop, whose page keeps its own address. */
export async function startViteServer(config: UserConfig = renderer): Promise<ViteServer> {
  const port = await freePort();
  const vite = await createServer({
    ...config,
    configFile: false,
    server: {
      host: HOST,
      port,
      strictPort: true,
      // Vite's client takes the page's own port where it is told none, and with port 0 it is told none.
      hmr: { host: HOST, protocol: 'ws', clientPort: port },
    },
  });
  await vite.listen();
  const [url] = vite.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error('Vite listens at no local address.');
  return { url, close: () => vite.close() };
}

function freePort(): Promise<number> {
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
