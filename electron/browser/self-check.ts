/** Runs the browser version's `--self-check` in a scratch folder, over real sockets. */
import { once } from 'node:events';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { WebSocket } from 'ws';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';
import { createMediaRoutes } from '../media/routes/media-routes.ts';
import { createRouter } from '../router.ts';
import { listPageChecks, type PageLink } from '../self-check/checks.ts';
import {
  createScratchFolder,
  createScratchServices,
  removeScratchFolder,
} from '../self-check/scratch.ts';
import {
  type FinishedSelfCheck,
  finishSelfCheck,
  runChecks,
  SELF_CHECK_MS,
} from '../self-check/self-check.ts';
import { version } from '../version.ts';
import { type HostPage, startBrowserHost } from './host.ts';

interface SocketLink extends PageLink {
  close(): void;
}

export async function checkBrowserHost(
  page: HostPage,
  log: (line: string) => void,
): Promise<FinishedSelfCheck> {
  const closing: (() => Promise<void> | void)[] = [];
  const link = Promise.withResolvers<SocketLink>();
  link.promise.catch(() => undefined);

  async function start(): Promise<null> {
    try {
      const folder = createScratchFolder();
      closing.push(() => removeScratchFolder(folder));
      const services = await createScratchServices({ host: 'browser', version, log, folder });
      closing.push(() => services.close());
      const router = createRouter(services);
      const media = createMediaRoutes(services.media, services.log);
      const host = await startBrowserHost({ router, media, port: 0, ...page });
      closing.push(() => host.close());
      const opened = await signIn(host.createAddress());
      closing.push(() => opened.close());
      link.resolve(opened);
      return null;
    } catch (cause) {
      link.reject(new Error('The services didn’t start.'));
      throw cause;
    }
  }

  const report = await runChecks({
    gatehouse: version,
    host: 'browser',
    limitMs: SELF_CHECK_MS,
    checks: [{ name: 'services', run: start }, ...listPageChecks(() => link.promise)],
  });
  return finishSelfCheck(report, closing);
}

async function signIn(address: string): Promise<SocketLink> {
  const { origin, host } = new URL(address);
  const response = await fetch(address);
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`The printed address gave HTTP ${response.status}.`);
  const socket = new WebSocket(`ws://${host}/rpc`, { origin, headers: { cookie } });
  await once(socket, 'open');
  const link = new RPCLink({
    // The types of `ws` and the link differ only in their listeners.
    websocket: socket as unknown as globalThis.WebSocket,
    customJsonSerializers: [exactNumberCodec],
  });
  return {
    api: createORPCClient(link),
    fetch: (path, init = {}) =>
      fetch(origin + path, { ...init, headers: { ...init.headers, cookie, origin } }),
    close: () => socket.close(),
  };
}
