import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createNetwork, type Network } from '../../electron/gateway/network.ts';
import { observeExchange } from '../fixtures/observe-exchange.ts';
import {
  always,
  chunk,
  jsonReply,
  lastChunk,
  readWire,
  reply,
  startWireServer,
  streamHead,
} from '../fixtures/wire-server.ts';

const certificate = {
  key: readWire('self-signed-key.pem'),
  cert: readWire('self-signed-cert.pem'),
};
const okay = jsonReply('{"choices":[]}');
const goOn = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function network(options: Partial<Parameters<typeof createNetwork>[0]> = {}): Network {
  const created = createNetwork({ environment: {}, systemProxy: null, ...options });
  closing.push(() => created.close());
  return created;
}

async function start(...parameters: Parameters<typeof startWireServer>) {
  const server = await startWireServer(...parameters);
  closing.push(() => server.close());
  return server;
}

describe('connections', () => {
  it('reuses a connection after a complete response', async () => {
    const server = await start(async ({ send }) => {
      await send(streamHead);
      await send(Buffer.concat([chunk('data: {}\n\ndata: [DONE]\n\n'), Buffer.from(lastChunk)]));
    });
    const shared = network();
    const first = await observeExchange(server.url, { network: shared });
    const second = await observeExchange(server.url, { network: shared });
    expect(first.outcome.timings.reusedSocket).toBe(false);
    expect(second.outcome.timings).toMatchObject({ reusedSocket: true, connectMs: null });
    expect(server.connectionCount()).toBe(1);
  });

  it('opens a separate connection for each concurrent exchange', async () => {
    let answer = () => {};
    const both = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const server = await start(async ({ send }) => {
      if (server.requests.length === 2) answer();
      await both;
      await send(okay);
    });
    const shared = network();
    const seen = await Promise.all([
      observeExchange(server.url, { network: shared }),
      observeExchange(server.url, { network: shared }),
    ]);
    expect(seen.map(({ outcome }) => outcome.status)).toEqual(['succeeded', 'succeeded']);
  });

  it('closes connections with the network', async () => {
    const shared = network();
    const server = await start(() => void shared.close());
    const seen = await observeExchange(server.url, { network: shared });
    expect(seen.outcome.status).toBe('unknown');
  });
});

describe('https', () => {
  it('rejects an untrusted certificate before the request is written', async () => {
    const server = await start(always(okay), certificate);
    const { outcome } = await observeExchange(server.url, { network: network() });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { kind: 'unreachable', detail: expect.stringContaining('SELF_SIGNED') },
    });
    expect(server.requests).toEqual([]);
  });

  it('accepts a certificate from a trusted authority, and times TLS', async () => {
    const server = await start(always(okay), certificate);
    const trusting = network({ certificates: () => [certificate.cert] });
    const { outcome } = await observeExchange(server.url, { network: trusting });
    expect(outcome.status).toBe('succeeded');
    expect(outcome.timings.tlsMs).toBeGreaterThan(0);
    expect(outcome.timings.connectMs).toBeGreaterThanOrEqual(0);
  });

  it('reads the trusted certificates again after a failure', async () => {
    const server = await start(always(okay), certificate);
    let reads = 0;
    const failingOnce = network({
      certificates() {
        reads += 1;
        if (reads === 1) throw new Error('no thread');
        return [certificate.cert];
      },
    });
    const first = await observeExchange(server.url, { network: failingOnce });
    const second = await observeExchange(server.url, { network: failingOnce });
    expect([first.outcome.status, second.outcome.status]).toEqual(['failed', 'succeeded']);
    expect(reads).toBe(2);
  });

  it.each([
    ['in a separate record', [goOn, okay]],
    ['in the record of the answer', [Buffer.concat([goOn, okay])]],
  ])('skips a 100 Continue %s', async (_name, records) => {
    const server = await start(async ({ send }) => {
      for (const record of records) await send(record);
    }, certificate);
    const trusting = network({ certificates: () => [certificate.cert] });
    const { outcome, response } = await observeExchange(server.url, { network: trusting });
    expect([outcome.status, response?.status]).toEqual(['succeeded', 200]);
  });

  it('suggests http:// if the gateway doesn’t speak TLS', async () => {
    const plain = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    }).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    closing.push(() => plain.close());
    const { port } = plain.address() as AddressInfo;
    const { outcome } = await observeExchange(`https://127.0.0.1:${port}`, {
      network: network({ certificates: () => [certificate.cert] }),
    });
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'unreachable' } });
    expect(outcome).toHaveProperty('error.nextStep', expect.stringContaining('http://'));
  });

  it('times the DNS lookup', async () => {
    const server = await start(always(okay));
    const { outcome } = await observeExchange(`http://localhost:${server.port}/`, {
      network: network(),
    });
    expect(outcome.timings.dnsMs).toBeGreaterThanOrEqual(0);
  });
});

/** Starts a CONNECT proxy that routes all tunnels to one port. */
async function startTunnelProxy(port: number): Promise<{ url: string; heads: string[] }> {
  const heads: string[] = [];
  const proxy: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      heads.push(head.toString());
      const upstream = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  closing.push(() => proxy.close());
  return { url: `http://user:pa%20ss@127.0.0.1:${(proxy.address() as AddressInfo).port}`, heads };
}

describe('a proxy', () => {
  it('receives plain HTTP with the full URL and its own credentials', async () => {
    const proxy = await start(always(okay));
    const { outcome, request } = await observeExchange('http://gateway.test/v1/chat/completions', {
      network: network({ environment: { HTTP_PROXY: proxy.url.replace('//', '//user:secret@') } }),
    });
    expect(outcome.status).toBe('succeeded');
    expect(proxy.requests[0]).toMatch(/^POST http:\/\/gateway\.test\/v1\/chat\/completions HTTP/);
    expect(proxy.requests[0]).toContain('host: gateway.test\r\n');
    expect(proxy.requests[0]).toContain(`Proxy-Authorization: Basic ${btoa('user:secret')}`);
    expect(JSON.stringify(request)).not.toContain('Proxy-Authorization');
  });

  it('opens a tunnel for HTTPS, and never sees the key', async () => {
    const server = await start(always(okay), certificate);
    const proxy = await startTunnelProxy(server.port);
    const { outcome } = await observeExchange('https://localhost.gateway.test/', {
      network: network({
        environment: { https_proxy: proxy.url },
        certificates: () => [certificate.cert],
      }),
    });
    // The certificate is for localhost, so reaching this check means that the tunnel worked.
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { kind: 'unreachable', detail: expect.stringContaining('ALTNAME') },
    });
    expect(proxy.heads[0]).toContain('CONNECT localhost.gateway.test:443 HTTP/1.1');
    expect(proxy.heads[0]).toContain(`Proxy-Authorization: Basic ${btoa('user:pa ss')}`);
    expect(proxy.heads.join('')).not.toContain('sk-test');
  });

  it('names the proxy if it refuses the tunnel', async () => {
    const proxy = await start(always(reply('407 Proxy Authentication Required', {}, '')));
    const { outcome } = await observeExchange('https://gateway.test/', {
      network: network({ environment: { HTTPS_PROXY: proxy.url } }),
    });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { kind: 'unreachable', message: expect.stringContaining('user name') },
    });
  });
});

describe('after the computer wakes', () => {
  /** Simulates sockets whose keep-alive probes go unanswered. */
  function loseOtherEnds(): void {
    const probe = vi.spyOn(Socket.prototype, 'setKeepAlive').mockImplementation(function (
      this: Socket,
      _on,
      delayMs = 0,
    ) {
      const timedOut = Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT' });
      if (delayMs < 10_000) setImmediate(() => this.destroy(timedOut));
      return this;
    });
    closing.push(() => probe.mockRestore());
  }

  async function halfStream(shared: Network, afterFirst: () => void) {
    const server = await start(async ({ send }) => {
      await send(streamHead);
      await send(chunk('data: {"choices":[{"delta":{"content":"so far"}}]}\n\n'));
    });
    return observeExchange(server.url, { network: shared, onFrame: afterFirst });
  }

  it('fails a stream as cut off if its connection was lost during sleep', async () => {
    const shared = network();
    loseOtherEnds();
    const { outcome, frames } = await halfStream(shared, () => shared.wake());
    expect(frames).toHaveLength(1);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: {
        kind: 'stream-cut',
        message: 'The connection was lost while your computer was asleep. Partial response kept.',
      },
    });
  });

  it('doesn’t resend a request without a response', async () => {
    const shared = network();
    loseOtherEnds();
    const server = await start(() => shared.wake());
    const { outcome } = await observeExchange(server.url, { network: shared });
    expect(outcome).toMatchObject({
      status: 'unknown',
      error: { message: expect.stringContaining('while your computer was asleep') },
    });
    expect(server.connectionCount()).toBe(1);
  });

  it('keeps a silent stream open', async () => {
    const shared = network();
    const server = await start(async ({ send }) => {
      await send(streamHead);
      await send(chunk('data: {}\n\n'));
      shared.wake();
      await send(Buffer.concat([chunk('data: [DONE]\n\n'), Buffer.from(lastChunk)]));
    });
    const { outcome } = await observeExchange(server.url, { network: shared });
    expect(outcome.status).toBe('succeeded');
  });

  it('reports a disconnect long after the wake as a broken stream', async () => {
    let now = 0;
    const shared = network({ clock: () => now });
    const server = await start(async ({ send, end }) => {
      await send(streamHead);
      await send(chunk('data: {"choices":[{"delta":{"content":"so far"}}]}\n\n'));
      shared.wake();
      now += 60_000;
      end();
    });
    const { outcome } = await observeExchange(server.url, { network: shared });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: {
        message: 'The connection was lost before the response was complete. Partial response kept.',
      },
    });
  });

  it('opens a new connection instead of an idle one', async () => {
    const server = await start(always(okay));
    const shared = network();
    await observeExchange(server.url, { network: shared });
    shared.wake();
    const { outcome } = await observeExchange(server.url, { network: shared });
    expect(outcome.timings.reusedSocket).toBe(false);
    expect(server.connectionCount()).toBe(2);
  });
});
