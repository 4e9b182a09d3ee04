import type { ClientContext, ClientLink } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { CONNECT_CHANNEL } from '../../shared/connect-channel.ts';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';
import { useLinkState } from './link-state.ts';

export interface LinkOptions {
  openWire: () => Wire;
  /** Called if a connection can't be opened; resolves to true if retrying is pointless. */
  isRefused: () => Promise<boolean>;
  wait: (ms: number) => Promise<void>;
}

/** Thrown if a call failed because the main process is unreachable. */
export class LinkLostError extends Error {
  constructor() {
    super('The connection to Gatehouse was lost');
    this.name = 'LinkLost';
  }
}

const backoffMs = [0, 250, 500, 1000, 2000, 5000];

/** Reconnects with backoff; calls wait for the first connection, but reject once it's lost. */
export function connectWithRetry(options: LinkOptions): ClientLink<ClientContext> {
  let link: RPCLink<ClientContext> | null = null;
  const pending = new Set<(error: Error) => void>();
  const firstAttempt = new Promise<void>((tried) => void keepOpen(tried));

  async function keepOpen(tried: () => void): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      await options.wait(backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0);
      const wire = options.openWire();
      const candidate = new RPCLink({
        port: wire.port,
        customJsonSerializers: [exactNumberCodec],
      });
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
      for (const reject of pending) reject(new LinkLostError());
      useLinkState.setState('lost', true);
    }
  }

  return {
    async call(path, input, callOptions) {
      if (useLinkState.getState() === 'connecting') await firstAttempt;
      callOptions.signal?.throwIfAborted();
      if (link === null) throw new LinkLostError();
      const used = link;
      const { promise: lost, reject } = Promise.withResolvers<never>();
      pending.add(reject);
      try {
        // After the port closes, a pending call would never settle.
        return await Promise.race([used.call(path, input, callOptions), lost]);
      } catch (error) {
        // A lost connection throws different errors, depending on timing.
        if (link !== used && callOptions.signal?.aborted !== true) throw new LinkLostError();
        throw error;
      } finally {
        pending.delete(reject);
      }
    },
  };
}

/** The port interface that oRPC's link expects. */
export interface WirePort {
  onMessage: { addListener: (listener: (message: unknown) => void) => void };
  onDisconnect: { addListener: (listener: () => void) => void };
  postMessage: (message: string) => void;
}

export interface Wire {
  port: WirePort;
  /**
   * Call once the link is listening; resolves when calls can be sent, and rejects if it can't open.
   */
  open: () => Promise<void>;
  /** Resolves when the connection closes. */
  closed: Promise<void>;
}

/** Connects the desktop app through a port that the preload script passes to the main process. */
export function createPortWire(): Wire {
  const { port1, port2 } = new MessageChannel();
  return {
    port: listening(port1, (message) => port1.postMessage(message)),
    open: async () => {
      port1.start();
      window.postMessage(CONNECT_CHANNEL, '/', [port2]);
    },
    closed: new Promise((resolve) => port1.addEventListener('close', () => resolve())),
  };
}

/** Connects a browser through a same-origin WebSocket, which carries the same messages. */
export function createSocketWire(url: string): Wire {
  const socket = new WebSocket(url);
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', () => reject(new Error('The socket didn’t open')));
  });
  // `open` awaits this promise later; its rejection must not count as unhandled until then.
  opened.catch(() => {});
  return {
    // A closing socket silently drops messages; their calls reject once it has closed.
    port: listening(socket, (message) => socket.send(message)),
    open: () => opened,
    closed: new Promise((resolve) => socket.addEventListener('close', () => resolve())),
  };
}

function listening(target: EventTarget, postMessage: (message: string) => void): WirePort {
  return {
    onMessage: {
      addListener: (listener) =>
        target.addEventListener('message', (event) => {
          if (event instanceof MessageEvent) listener(event.data);
        }),
    },
    onDisconnect: { addListener: (listener) => target.addEventListener('close', listener) },
    postMessage,
  };
}
