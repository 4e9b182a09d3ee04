import type { ClientContext, ClientLink } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { useLinkState } from './link-state.ts';
import type { Wire } from './wire.ts';

export interface LinkOptions {
  openWire: () => Wire;
  /** Asked after a wire that did not open: whether trying again is pointless. */
  isRefused: () => Promise<boolean>;
  wait: (ms: number) => Promise<void>;
}

/** A call that could not be made because main is not there. */
export class LinkLost extends Error {
  constructor() {
    super('The connection to Gatehouse was lost');
    this.name = 'LinkLost';
  }
}

const backoffMs = [0, 250, 500, 1000, 2000, 5000];

/**
 * Keeps one wire to main open, with backoff, for as long as the page lives. Calls wait while it
 * first connects and reject while it is lost: on a closed port they would hang.
 */
export function keepLink(options: LinkOptions): ClientLink<ClientContext> {
  let link: RPCLink<ClientContext> | null = null;
  const pending = new Set<(error: Error) => void>();
  const firstAttempt = new Promise<void>((tried) => void keepOpen(tried));

  async function keepOpen(tried: () => void): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      await options.wait(backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0);
      const wire = options.openWire();
      const candidate = new RPCLink({ port: wire.port });
      try {
        await wire.open();
      } catch {
        const refused = await options.isRefused();
        useLinkState.setState(refused ? 'refused' : 'lost', true);
        tried();
        if (refused) return;
        continue;
      }
      failures = 0;
      link = candidate;
      useLinkState.setState('open', true);
      tried();
      await wire.closed;
      link = null;
      for (const reject of pending) reject(new LinkLost());
      useLinkState.setState('lost', true);
    }
  }

  return {
    async call(path, input, callOptions) {
      if (useLinkState.getState() === 'connecting') await firstAttempt;
      callOptions.signal?.throwIfAborted();
      if (link === null) throw new LinkLost();
      const used = link;
      const { promise: lost, reject } = Promise.withResolvers<never>();
      pending.add(reject);
      try {
        // A call that was only on its way to the port when that closed would never settle.
        return await Promise.race([used.call(path, input, callOptions), lost]);
      } catch (error) {
        // What a dropped wire throws differs by moment; that it dropped is what counts.
        if (link !== used && callOptions.signal?.aborted !== true) throw new LinkLost();
        throw error;
      } finally {
        pending.delete(reject);
      }
    },
  };
}
