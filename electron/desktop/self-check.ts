/** Runs the desktop app's `--self-check`, which tests services, schemes, ports and the window. */
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { RPCHandler } from '@orpc/server/message-port';
import {
  ipcMain,
  MessageChannelMain,
  net,
  protocol,
  screen,
  session,
  systemPreferences,
} from 'electron';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';
import { systemTimer } from '../base/timer.ts';
import { createMediaRoutes } from '../media/routes/media-routes.ts';
import { type AppRouter, createRouter } from '../router.ts';
import { listPageChecks, type PageLink } from '../self-check/checks.ts';
import { createScratchServices } from '../self-check/scratch.ts';
import {
  type FinishedSelfCheck,
  finishSelfCheck,
  runChecks,
  SELF_CHECK_MS,
} from '../self-check/self-check.ts';
import { createMediaResponder, PAGE_ORIGIN, type PageSource, servePage } from './page-protocol.ts';
import { guardPermissions } from './permissions.ts';
import { servePorts } from './rpc-ports.ts';
import { watchStartUp } from './start-up.ts';
import { openWindow } from './window.ts';
import { createWindowMemory } from './window-state.ts';

export interface DesktopSelfCheckOptions {
  folder: string;
  version: string;
  preload: string;
  page: PageSource;
  platform: NodeJS.Platform;
  log: (line: string) => void;
  limitMs?: number;
}

/** Never rejects. Call this after `ready`. */
export async function checkDesktopHost(
  options: DesktopSelfCheckOptions,
): Promise<FinishedSelfCheck> {
  const { folder, version, preload, page, platform, log } = options;
  const closing: (() => Promise<void> | void)[] = [];
  const link = Promise.withResolvers<PageLink>();
  link.promise.catch(() => undefined);
  const opened = Promise.withResolvers<null>();
  opened.promise.catch(() => undefined);

  async function start(): Promise<null> {
    try {
      const services = await createScratchServices({ host: 'desktop', version, log, folder });
      closing.push(() => services.close());
      const router = createRouter(services);
      const startUp = watchStartUp({
        onReady: () => opened.resolve(null),
        onFailure: (reason) => opened.reject(new Error(reason)),
        onClosed: () => opened.reject(new Error('It was closed.')),
      });
      closing.push(servePorts(ipcMain, router, log, { onConnected: startUp.pageConnected }));
      servePage(protocol, page, createMediaResponder(createMediaRoutes(services.media, log)));
      guardPermissions(session.defaultSession, systemPreferences, platform);
      const window = openWindow({
        preload,
        log,
        dark: false,
        icon: null,
        timer: systemTimer,
        memory: createWindowMemory({ folder, screen, timer: systemTimer, log }),
        openLink: () => undefined,
        clock: () => performance.now(),
        onShown: startUp.windowShown,
        onFailure: startUp.failed,
        onCrashLoop: (reason) => startUp.failed(`its page crashed: ${reason}`),
      });
      closing.push(() => window.destroy());
      link.resolve(createLink(router));
      return null;
    } catch (cause) {
      const failed = new Error('The services didn’t start.');
      link.reject(failed);
      opened.reject(failed);
      throw cause;
    }
  }

  const report = await runChecks({
    gatehouse: version,
    host: 'desktop',
    limitMs: options.limitMs ?? SELF_CHECK_MS,
    checks: [
      { name: 'services', run: start },
      ...listPageChecks(() => link.promise),
      // Check the window last, because a window that never opens must not block other checks.
      { name: 'window opens and page connects', run: () => opened.promise },
    ],
  });
  return finishSelfCheck(report, closing);
}

function createLink(router: AppRouter): PageLink {
  const { port1, port2 } = new MessageChannelMain();
  new RPCHandler(router, { customJsonSerializers: [exactNumberCodec] }).upgrade(port2);
  port2.start();
  const rpc = new RPCLink({ port: port1, customJsonSerializers: [exactNumberCodec] });
  port1.start();
  return {
    api: createORPCClient(rpc),
    fetch: (path, init) => net.fetch(PAGE_ORIGIN + path, init),
  };
}
