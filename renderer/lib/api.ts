import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { AppContract } from '../../shared/contract/contract.ts';
import { connectWithRetry, createPortWire, createSocketWire } from './link.ts';

const desktop = location.protocol === 'app:';

const link = connectWithRetry({
  openWire: desktop
    ? createPortWire
    : () => createSocketWire(`${location.origin.replace('http', 'ws')}/rpc`),
  isRefused: desktop ? async () => false : hasSessionEnded,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});

/** Calls the main process; imports only the contract's type, to keep schemas out of the bundle. */
export const api: ContractRouterClient<AppContract> = createORPCClient(link);

export const orpc = createTanstackQueryUtils(api);

/** Checks with a same-origin fetch, because browsers hide why a WebSocket was refused. */
async function hasSessionEnded(): Promise<boolean> {
  try {
    const response = await fetch('/', { method: 'HEAD', cache: 'no-store' });
    return response.status === 401 || response.status === 403;
  } catch {
    return false;
  }
}
