/** Services on a folder of their own, so that a self-check touches nothing of the user's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usualPolling } from '../runs/poll-schedule.ts';
import { createServices, type Services, type ServicesOptions } from '../services.ts';
import { checkedEnvironment } from './checks.ts';

export interface ScratchServices {
  services: Services;
  /** Closes them and removes their folder. */
  close(): Promise<void>;
}

const POLL_PAUSE_MS = 50;

type OfHost = 'host' | 'version' | 'log';

/** Without the keyring, a proxy and the caller's environment. */
export async function createScratchServices(
  options: Pick<ServicesOptions, OfHost>,
): Promise<ScratchServices> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-self-check-'));
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  try {
    const services = await createServices({
      ...options,
      home,
      environment: checkedEnvironment,
      cipher: null,
      systemProxy: null,
      openExternal: null,
      polling: { ...usualPolling, pauseMs: (ms) => Math.min(ms, POLL_PAUSE_MS) },
    });
    return {
      services,
      async close() {
        await services.close();
        remove();
      },
    };
  } catch (cause) {
    remove();
    throw cause;
  }
}
