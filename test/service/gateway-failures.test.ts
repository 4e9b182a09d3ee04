import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createNetwork } from '../../electron/gateway/network.ts';
import { observeExchange, textOf } from '../fixtures/observe-exchange.ts';
import { serve, served } from '../fixtures/serve-chat.ts';
import { chunk, reply, startWireServer, streamHead } from '../fixtures/wire-server.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/wire/${name}`, import.meta.url), 'utf8');
const json = { 'Content-Type': 'application/json' };

describe('a document', () => {
  it('comes as one body, also to a stream request', async () => {
    const url = await serve(({ send }) => send(reply('200 OK', json, fixture('chat.json'))));
    const seen = await observeExchange(url);
    expect(seen.outcome.status).toBe('succeeded');
    expect(seen.body).toEqual({ text: fixture('chat.json'), truncated: false });
    expect(seen.frames).toEqual([]);
  });

  it('is decompressed, errors too', async () => {
    const url = await serve(({ send }) =>
      send(
        reply(
          '401 Unauthorized',
          { ...json, 'Content-Encoding': 'gzip' },
          gzipSync(fixture('unauthorized.json')),
        ),
      ),
    );
    const seen = await observeExchange(url);
    expect(seen.outcome).toMatchObject({
      error: { kind: 'unauthorized', gateway: { requestId: '20260101120000123456789AbCdEfGh' } },
    });
  });

  it('of many MiB is reported whole', async () => {
    const url = await serve(({ send }) =>
      send(reply('200 OK', json, JSON.stringify({ choices: [], pad: 'x'.repeat(9_000_000) }))),
    );
    const seen = await observeExchange(url);
    expect(seen.outcome.status).toBe('succeeded');
    expect(seen.body?.truncated).toBe(false);
    expect(seen.body?.text.length).toBeGreaterThan(9_000_000);
  });
});

describe('an HTTP error', () => {
  it('comes with its status, headers, body and what the gateway said', async () => {
    const url = await serve(({ send }) =>
      send(
        reply(
          '503 Service Unavailable',
          { ...json, 'Retry-After': '7' },
          fixture('model-not-found.json'),
        ),
      ),
    );
    const seen = await observeExchange(url);
    expect(seen.response?.status).toBe(503);
    expect(seen.body?.text).toBe(fixture('model-not-found.json'));
    expect(seen.outcome).toMatchObject({
      status: 'failed',
      error: {
        kind: 'gateway',
        retryAfterSeconds: 7,
        nextStep: 'Check the model ID, or choose another model.',
        gateway: { status: 503, code: 'model_not_found', requestId: '2026010112000098' },
      },
    });
  });

  it('is not followed when it is a redirect, and the key stays here', async () => {
    const elsewhere = await startWireServer(({ send }) => send(reply('200 OK', json, '{}')));
    const url = await serve(({ send }) =>
      send(
        reply('307 Temporary Redirect', { Location: `${elsewhere.url}/v1/chat/completions` }, ''),
      ),
    );
    const { outcome } = await observeExchange(url);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { kind: 'http', gateway: { status: 307 } },
    });
    expect(elsewhere.connectionCount()).toBe(0);
    expect(served()?.requests).toHaveLength(1);
    await elsewhere.close();
  });
});

describe('a request that got no reply', () => {
  it('has an unknown outcome when it was written and the connection closed', async () => {
    const url = await serve(({ socket }) => {
      socket.destroy();
    });
    const { outcome } = await observeExchange(url);
    expect(outcome).toMatchObject({ status: 'unknown', error: { kind: 'outcome-unknown' } });
    expect(served()?.requests).toHaveLength(1);
  });

  it('was never sent when the key is not valid in a header', async () => {
    const url = await serve(({ send }) => send(reply('200 OK', json, '{}')));
    for (const key of ['sk-line\nbreak', 'sk-ключ', 'sk two words']) {
      const { outcome, request } = await observeExchange(url, { key });
      expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'invalid-request' } });
      expect(request).not.toBeNull();
    }
    expect(served()?.connectionCount()).toBe(0);
  });
});

describe('a time-out', () => {
  const none = { connectSeconds: 0, firstByteSeconds: 0, stallSeconds: 0 };

  it('before the head leaves the outcome unknown', async () => {
    const url = await serve(() => {});
    const { outcome } = await observeExchange(url, {
      timeouts: { ...none, firstByteSeconds: 0.05 },
    });
    expect(outcome).toMatchObject({ status: 'unknown', error: { kind: 'timeout' } });
  });

  it('within the reply keeps what arrived', async () => {
    const url = await serve(async ({ send }) => {
      await send(streamHead);
      await send(chunk('data: {"choices":[{"delta":{"content":"Kept"}}]}\n\n'));
    });
    const seen = await observeExchange(url, { timeouts: { ...none, stallSeconds: 0.1 } });
    expect(textOf(seen)).toBe('Kept');
    expect(seen.outcome).toMatchObject({ status: 'failed', error: { kind: 'timeout' } });
  });

  it('while connecting is a failure that cost nothing', async () => {
    const silentProxy = await startSilentServer();
    const network = createNetwork({
      environment: { HTTPS_PROXY: `http://127.0.0.1:${silentProxy.port}` },
      systemProxy: null,
    });
    const { outcome } = await observeExchange('https://gateway.invalid/v1/models', {
      network,
      timeouts: { ...none, connectSeconds: 0.05 },
    });
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'timeout' } });
    await network.close();
    silentProxy.close();
  });
});

async function startSilentServer(): Promise<{ port: number; close(): void }> {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  return { port: (silent.address() as AddressInfo).port, close: () => silent.close() };
}

describe('stopping', () => {
  it('closes the socket without waiting for the gateway, and keeps what arrived', async () => {
    const stop = new AbortController();
    let closed: Promise<void> | undefined;
    const url = await serve(async (exchange) => {
      closed = exchange.closed;
      await exchange.send(streamHead);
      await exchange.send(chunk('data: {"choices":[{"delta":{"content":"Kept"}}]}\n\n'));
    });
    const seen = await observeExchange(url, {
      signal: stop.signal,
      onFrame: () => stop.abort(),
    });
    expect(seen.outcome).toMatchObject({ status: 'cancelled', error: { kind: 'cancelled' } });
    expect(textOf(seen)).toBe('Kept');
    // The gateway has sent nothing more that could have ended it.
    await closed;
  });

  it('works before the head, while connecting and before the start', async () => {
    const whileWaiting = new AbortController();
    const url = await serve(() => whileWaiting.abort());
    const waiting = await observeExchange(url, { signal: whileWaiting.signal });
    expect(waiting.outcome.status).toBe('cancelled');

    const whileConnecting = new AbortController();
    const connecting = observeExchange(url, { signal: whileConnecting.signal });
    whileConnecting.abort();
    expect((await connecting).outcome.status).toBe('cancelled');

    const before = await observeExchange(url, { signal: AbortSignal.abort() });
    expect(before.outcome.status).toBe('cancelled');
    expect(served()?.requests).toHaveLength(1);
  });
});

it('rejects when the observer itself throws, and closes the socket', async () => {
  let closed: Promise<void> | undefined;
  const url = await serve(async (exchange) => {
    closed = exchange.closed;
    await exchange.send(streamHead);
    await exchange.send(chunk('data: {"choices":[]}\n\n'));
  });
  const failing = observeExchange(url, {
    onFrame() {
      throw new Error('our defect');
    },
  });
  await expect(failing).rejects.toThrow('our defect');
  await closed;
});
