import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { os, type RouterClient } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { toAppError } from '../../renderer/lib/app-error.ts';
import type { Wire, WirePort } from '../../renderer/lib/link.ts';
import { connectWithRetry, createSocketWire } from '../../renderer/lib/link.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';

const router = {
  greet: os.handler(() => 'hello'),
  hang: os.handler(() => new Promise<string>(() => undefined)),
};
type Api = RouterClient<typeof router>;

/** Creates a connection to a real RPC handler. `cut` drops it. */
function testWire(): Wire & { cut: () => void } {
  const { port1, port2 } = new MessageChannel();
  new RPCHandler(router).upgrade(port2);
  port2.start();
  const { promise: closed, resolve: cut } = Promise.withResolvers<void>();
  const disconnected: (() => void)[] = [];
  const port: WirePort = {
    onMessage: {
      addListener: (listener) =>
        port1.addEventListener('message', (event) => listener((event as MessageEvent).data)),
    },
    onDisconnect: { addListener: (listener) => disconnected.push(listener) },
    postMessage: (message) => port1.postMessage(message),
  };
  return {
    port,
    open: async () => port1.start(),
    closed,
    cut: () => {
      port1.close();
      for (const listener of disconnected) listener();
      cut();
    },
  };
}

function connect(wires: (Wire | 'unreachable')[], isRefused = async () => false) {
  const waits: { ms: number; go: () => void }[] = [];
  const openWire = () => {
    const wire = wires.shift() ?? 'unreachable';
    if (wire !== 'unreachable') return wire;
    return { ...testWire(), open: () => Promise.reject(new Error('refused')) };
  };
  const wait = (ms: number) =>
    new Promise<void>((go) => (ms === 0 ? go() : void waits.push({ ms, go })));
  return { api: createORPCClient<Api>(connectWithRetry({ openWire, isRefused, wait })), waits };
}

const state = () => useLinkState.getState();

beforeEach(() => useLinkState.setState('connecting', true));

describe('the connection to the main process', () => {
  it('lets a call wait for the first connection', async () => {
    const { api } = connect([testWire()]);
    await expect(api.greet()).resolves.toBe('hello');
    expect(state()).toBe('open');
  });

  it('rejects calls while the connection is down', async () => {
    const first = testWire();
    const { api, waits } = connect([first, testWire()]);
    await api.greet();
    const outcome = expect(api.hang()).rejects.toThrow('connection to Gatehouse was lost');
    await vi.waitFor(() => expect(state()).toBe('open'));
    first.cut();
    await outcome;
    await vi.waitFor(() => expect(state()).toBe('lost'));
    expect(await api.greet().catch(toAppError)).toMatchObject({ kind: 'unreachable' });
    waits.shift()?.go();
    await vi.waitFor(() => expect(state()).toBe('open'));
    await expect(api.greet()).resolves.toBe('hello');
  });

  it('waits longer after every failure', async () => {
    const { waits } = connect(['unreachable', 'unreachable', 'unreachable', 'unreachable']);
    const seen: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await vi.waitFor(() => expect(waits).toHaveLength(1));
      const wait = waits.shift();
      seen.push(wait?.ms ?? 0);
      wait?.go();
    }
    expect(seen).toEqual([250, 500, 1000]);
    expect(state()).toBe('lost');
  });

  it('stops retrying once the host no longer knows the session', async () => {
    const { api, waits } = connect(['unreachable'], async () => true);
    await expect(api.greet()).rejects.toThrow('lost');
    expect(state()).toBe('refused');
    expect(waits).toEqual([]);
  });

  it('rejects an aborted call with the abort reason', async () => {
    const { api } = connect([testWire()]);
    await api.greet();
    const stop = new AbortController();
    stop.abort(new Error('no longer wanted'));
    await expect(api.greet(undefined, { signal: stop.signal })).rejects.toThrow('no longer wanted');
  });
});

describe('a socket that the main process has begun to close', () => {
  /** Starts a call on a socket that has received the closing frame but isn't closed yet. */
  async function whileClosing(
    use: (call: Promise<string>, stop: AbortController, api: Api, end: () => void) => Promise<void>,
  ): Promise<void> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const sockets: WebSocket[] = [];
    vi.stubGlobal(
      'WebSocket',
      class extends WebSocket {
        constructor(url: string) {
          super(url);
          sockets.push(this);
        }
      },
    );
    const { api } = connect([
      createSocketWire(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ]);
    const [main] = (await once(server, 'connection')) as [ServerSocket];
    try {
      const stop = new AbortController();
      const call = api.hang(undefined, { signal: stop.signal });
      await once(main, 'message');
      // Leave the page's closing frame unread, so that the socket stays half-closed.
      main.pause();
      main.close(1001);
      await vi.waitFor(() => expect(sockets[0]?.readyState).toBe(WebSocket.CLOSING));
      await use(call, stop, api, () => main.terminate());
    } finally {
      main.terminate();
      server.close();
      await vi.waitFor(() => expect(state()).toBe('lost'));
    }
  }

  it('ends a stopped call at once, with the reason', async () => {
    await whileClosing(async (call, stop) => {
      stop.abort(new Error('no longer wanted'));
      await expect(call).rejects.toThrow('no longer wanted');
    });
  });

  it('rejects new and pending calls when the connection is lost', async () => {
    await whileClosing(async (call, _stop, api, end) => {
      const outcomes = Promise.allSettled([call, api.greet()]);
      end();
      for (const outcome of await outcomes) {
        const problem = outcome.status === 'rejected' ? toAppError(outcome.reason) : null;
        expect(problem).toMatchObject({ kind: 'unreachable' });
      }
    });
  });
});
