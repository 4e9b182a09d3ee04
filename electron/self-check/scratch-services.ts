/** Services on their own folder, so that a self-check touches nothing of the user's. */
import { join } from 'node:path';
import { defaultPolling } from '../runs/poll-schedule.ts';
import { createServices, type Services, type ServicesOptions } from '../services.ts';
import { checkedEnvironment } from './checks.ts';

const POLL_PAUSE_MS = 50;

/** Without the keyring, a proxy and the caller's environment. */
export function createScratchServices({
  folder,
  ...options
}: Pick<ServicesOptions, 'host' | 'version' | 'log'> & { folder: string }): Promise<Services> {
  return createServices({
    ...options,
    home: join(folder, 'data'),
    environment: checkedEnvironment,
    cipher: null,
    systemProxy: null,
    openExternal: null,
    polling: { ...defaultPolling, pauseMs: (ms) => Math.min(ms, POLL_PAUSE_MS) },
  });
}
