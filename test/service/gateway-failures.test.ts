import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { observeExchange, textOf } from '../fixtures/observe-exchange.ts';
import { serve, served } from '../fixtures/serve-chat.ts';
import { always, chunk, jsonReply, readWire, reply, streamHead } from '../fixtures/wire-server.ts';

/** Texts in charsets that Node can't encode. */
const ENCODED: Record<string, string> = {
  '余额不足，请充值': 'd3e0b6eeb2bbd7e3a3acc7ebb3e4d6b5',
  残高不足: '8e638d82957391ab',
  'Modèle non trouvé': '4d6f64e86c65206e6f6e2074726f7576e9',
};

const json = { 'Content-Type': 'application/json' };

describe('a document', () => {
  it('decompresses a document, including an error', async () => {
    const url = await serve(
      always(
        reply(
          '401 Unauthorized',
          { ...json, 'Content-Encoding': 'gzip' },
          gzipSync(readWire('unauthorized.json')),
        ),
      ),
    );
    const seen = await observeExchange(url);
    expect(seen.outcome).toMatchObject({
      error: { kind: 'unauthorized', gateway: { requestId: '20260101120000123456789AbCdEfGh' } },
    });
  });

  it.each([
    ['raw deflate', deflateRawSync],
    ['deflate', deflateSync],
  ])('decompresses a document from %s, whatever its size', async (_, pack) => {
    for (const rest of ['', 'x'.repeat(100_000)]) {
      const body = pack(JSON.stringify({ error: { message: 'The balance is used up.', rest } }));
      const url = await serve(
        always(reply('402 Payment Required', { ...json, 'Content-Encoding': 'deflate' }, body)),
      );
      const { outcome } = await observeExchange(url);
      expect(outcome).toMatchObject({ error: { gateway: { message: 'The balance is used up.' } } });
    }
  });

  it.each([
    ['application/json; charset=GB18030', 'declared', '余额不足，请充值'],
    ['text/html; charset="gbk"', 'declared', '余额不足，请充值'],
    ['application/json;charset=Shift_JIS', 'declared', '残高不足'],
    ['application/json; charset=iso-8859-1', 'declared', 'Modèle non trouvé'],
    ['application/json; charset=latin1', 'utf8', '余额 “é”'],
    ['application/json; charset=klingon', 'utf8', '余额'],
    ['application/json', 'utf8', '余额'],
  ])('decodes a document by its charset: %s', async (type, encoded, message) => {
    const bytes =
      encoded === 'utf8' ? Buffer.from(message) : Buffer.from(ENCODED[message] ?? '', 'hex');
    const body = Buffer.concat([Buffer.from('{"error":{"message":"'), bytes, Buffer.from('"}}')]);
    const url = await serve(always(reply('402 Payment Required', { 'Content-Type': type }, body)));
    const seen = await observeExchange(url);
    expect(seen.outcome).toMatchObject({ error: { gateway: { message } } });
    expect(seen.body?.text).toBe(`{"error":{"message":"${message}"}}`);
  });
});

describe('a request without a response', () => {
  it('fails before sending if the key is invalid in a header', async () => {
    const url = await serve(always(jsonReply('{}')));
    for (const key of ['sk-line\nbreak', 'sk-ключ', 'sk two words']) {
      const { outcome, request } = await observeExchange(url, { key });
      expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'invalid-request' } });
      expect(request).not.toBeNull();
    }
    expect(served()?.connectionCount()).toBe(0);
  });
});

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
    // Only the abort can have closed it, because the gateway sent nothing else.
    await closed;
  });

  it('stops before the response headers, while connecting and before the start', async () => {
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

it('rejects and closes the socket if the observer throws', async () => {
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
