/**
 * Replaces `renderer/lib/api.ts` in every component test (vitest.config.ts). A module mock would make Playwright intercept
 * every request of the page, which disables its HTTP cache.
 */
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { AppContract } from '../../shared/contract/contract.ts';
import type { StandIn } from './stand-in.ts';

type Api = ContractRouterClient<AppContract>;

let main: StandIn | Api = createORPCClient<Api>({ call: () => new Promise(() => undefined) });

/** Sends the page's calls to `standIn` from now on. Earlier calls get no response. */
export function answerCalls(standIn: StandIn): void {
  main = standIn;
}

export const api = new Proxy({} as Api, { get: (_, group) => Reflect.get(main, group) });

/** @public The page imports it by the alias. */
export const orpc = createTanstackQueryUtils(api);
