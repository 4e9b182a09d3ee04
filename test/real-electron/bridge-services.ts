/**
 * Replaces `electron/services.ts` in an old Electron. The services run in another process, and this
 * file keeps a copy of the state that the desktop reads without waiting.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Services, ServicesOptions } from '../../electron/services.ts';
import type { FromServices, MirroredState, ToServices } from './bridge-protocol.ts';

export const CLOSE_LIMIT_MS = 5_000;

interface Bridge {
  address: string;
  send(message: ToServices): void;
  /** Called with each message for one of the page's ports. */
  onPort: (message: Extract<FromServices, { port: number }>) => void;
}

/** Set once the services have started. */
export let bridge: Bridge | null = null;

export async function createServices(options: ServicesOptions) {
  const { env } = process;
  const child: ChildProcess = spawn(
    env.BRIDGE_NODE ?? '',
    [env.BRIDGE_HOST ?? '', options.home, options.version],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], cwd: env.BRIDGE_ROOT },
  );
  const listeners = new Set<Parameters<Services['changes']['listen']>[0]>();
  const started = Promise.withResolvers<MirroredState>();
  let state: MirroredState;
  const send = (message: ToServices) => {
    if (child.connected) child.send(message);
  };
  const current: Bridge = { address: '', send, onPort: () => undefined };
  bridge = current;

  child.on('message', (message: FromServices) => {
    switch (message.kind) {
      case 'ready':
        current.address = message.address;
        return started.resolve(message.state);
      case 'changed':
        state = message.state;
        for (const listen of listeners) listen({ topic: message.topic, id: null }, null, undefined);
        return;
      case 'run':
        state = message.state;
        return options.onRun?.(message.run);
      case 'log':
        return options.log(message.line);
      case 'open':
        return void options.openExternal?.(message.url);
      default:
        return current.onPort(message);
    }
  });
  child.once('exit', () => started.reject(new Error('The services ended.')));
  state = await started.promise;

  return {
    log: options.log,
    reportDefect: (cause: unknown) => options.log(String(cause)),
    system: {
      say: (slot, notice) => send({ kind: 'say', slot, notice }),
      openExternal: async (url) => send({ kind: 'open link', url }),
    },
    backups: {
      settleDownload(id, outcome) {
        send({ kind: 'settle download', id, outcome });
        return true;
      },
      leaveDownloads: () => send({ kind: 'leave downloads' }),
    },
    checks: { getEndedTitle: () => null },
    comparisons: { getEndedTitle: () => null, waitingCount: () => state.waitingCount },
    engine: { active: () => state.activeRuns },
    media: {
      leaveRecordings: () => send({ kind: 'leave recordings' }),
      recordingCount: () => state.recordingCount,
    },
    settings: { get: () => state.settings },
    changes: { listen: (listen) => void listeners.add(listen) },
    network: { prepare: () => undefined },
    ledger: { flush: () => send({ kind: 'flush' }) },
    countUnfinished: () => state.unfinishedCount,
    wake: () => send({ kind: 'wake' }),
    async close() {
      const ended = once(child, 'exit');
      send({ kind: 'close' });
      await ended;
    },
  } satisfies BridgedServices;
}

/** The services that `electron/desktop/` uses. */
type BridgedServices = Pick<
  Services,
  'close' | 'countUnfinished' | 'log' | 'reportDefect' | 'wake'
> & {
  backups: Pick<Services['backups'], 'leaveDownloads' | 'settleDownload'>;
  changes: Pick<Services['changes'], 'listen'>;
  checks: Pick<Services['checks'], 'getEndedTitle'>;
  comparisons: Pick<Services['comparisons'], 'getEndedTitle' | 'waitingCount'>;
  engine: Pick<Services['engine'], 'active'>;
  ledger: Pick<Services['ledger'], 'flush'>;
  network: Pick<Services['network'], 'prepare'>;
  media: Pick<Services['media'], 'leaveRecordings' | 'recordingCount'>;
  settings: Pick<Services['settings'], 'get'>;
  system: Pick<Services['system'], 'openExternal' | 'say'>;
};
