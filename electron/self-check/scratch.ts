/** Creates services in a scratch folder, so that a self-check doesn't touch the user's data. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultPolling } from '../runs/poll-schedule.ts';
import { createServices, type Services, type ServicesOptions } from '../services.ts';
import { checkedEnvironment } from './checks.ts';

const POLL_PAUSE_MS = 50;

/** Uses no keyring, no proxy and none of the caller's environment. */
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

export function createScratchFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gatehouse-self-check-'));
}

/** Leaves files that another process still uses. */
export function removeScratchFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Windows can't remove open files.
  }
}
