import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { AppContract } from '../../shared/contract/contract.ts';
import { connectWithRetry, portWire, socketWire } from './link.ts';

const desktop = location.protocol === 'app:';

const link = connectWithRetry({
  openWire: desktop ? portWire : () => socketWire(`${location.origin.replace('http', 'ws')}/rpc`),
  isRefused: desktop ? async () => false : sessionIsGone,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});

/** Every procedure of main. The contract is only a type here: its schemas stay out of the page. */
export const api: ContractRouterClient<AppContract> = createORPCClient(link);

/** `useQuery(orpc.connections.list.queryOptions())`. */
export const orpc = createTanstackQueryUtils(api);

/** A page cannot see why its socket was refused; a fetch from the same origin says. */
async function sessionIsGone(): Promise<boolean> {
  try {
    const response = await fetch('/', { method: 'HEAD', cache: 'no-store' });
    return response.status === 401 || response.status === 403;
  } catch {
    return false;
  }
}
