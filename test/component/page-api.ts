/**
 * Replaces `renderer/lib/api.ts` in every component test (vitest.config.ts). A module mock would make Playwright intercept
 * every request of the page, which disables its HTTP cache.
 */
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { AppContract } from '../../shared/contract/contract.ts';
import { fakeForms } from './fake-forms.ts';
import type { StandIn } from './stand-in.ts';

type Api = ContractRouterClient<AppContract>;

const unanswered = createORPCClient<Api>({ call: () => new Promise(() => undefined) });
// A form that waits for its fields would not load in a later file either.
const silent = new Proxy(unanswered, {
  get: (client, group) => (group === 'forms' ? fakeForms : Reflect.get(client, group)),
});
let main: StandIn | Api = silent;

/** Sends the page's calls to `standIn` until the file ends. */
export function answerCalls(standIn: StandIn): void {
  main = standIn;
}

/** Lets every call wait, except for forms. */
export function answerNothing(): void {
  main = silent;
}

export const api = new Proxy({} as Api, { get: (_, group) => Reflect.get(main, group) });

/** @public The page imports it by the alias. */
export const orpc = createTanstackQueryUtils(api);
