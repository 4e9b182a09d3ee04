import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { observeExchange, textOf } from '../fixtures/observe-exchange.ts';
import { serve } from '../fixtures/serve-chat.ts';
import { chunk, lastChunk, reply, streamHead } from '../fixtures/wire-server.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/wire/${name}`, import.meta.url), 'utf8');
const chatStream = fixture('chat-stream.sse');
const TEXT = 'Grüße, 世界 🌍';

function delta(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

describe('a stream', () => {
  it('arrives whole, with its comments, its usage chunk and [DONE]', async () => {
    const url = await serve(async ({ send }) => {
      await send(streamHead);
      await send(chunk(chatStream));
      await send(lastChunk);
    });
    const seen = await observeExchange(url);
    expect(seen.outcome.status).toBe('succeeded');
    expect(textOf(seen)).toBe(TEXT);
    expect(seen.order.slice(0, 3)).toEqual(['request', 'response', 'chunk']);
    expect(seen.frames[0]).toEqual({ data: 'PROCESSING', event: null, comment: true });
    expect(seen.frames.at(-1)?.data).toBe('[DONE]');
    expect(seen.outcome.timings).toMatchObject({ deltaCount: 3, reusedSocket: false, dnsMs: null });
    expect(seen.outcome.timings.gaps).not.toBeNull();
  });

  it('ends at [DONE] though the socket is left open, and closes it', async () => {
    let closed: Promise<void> | undefined;
    const url = await serve(async (exchange) => {
      closed = exchange.closed;
      await exchange.send(streamHead);
      await exchange.send(chunk(chatStream));
    });
    const seen = await observeExchange(url, {
      timeouts: { connectSeconds: 0, firstByteSeconds: 0, stallSeconds: 0 },
    });
    expect(seen.outcome.status).toBe('succeeded');
    await closed;
  });

  it('succeeds without [DONE] when the body ends well', async () => {
    const url = await serve(async ({ send }) => {
      await send(streamHead);
      await send(chunk(delta('Hello') + delta(' there')));
      await send(lastChunk);
    });
    const seen = await observeExchange(url);
    expect(seen.outcome.status).toBe('succeeded');
    expect(textOf(seen)).toBe('Hello there');
  });

  it.each(['Content-Type: application/json', 'X-Nothing: 1'])(
    'is recognized by its beginning under "%s"',
    async (header) => {
      const url = await serve(async ({ send }) => {
        await send(`HTTP/1.1 200 OK\r\n${header}\r\nTransfer-Encoding: chunked\r\n\r\n`);
        for (const part of ['da', 'ta: {"choices":[]}\n\n', 'data: [DONE]\n\n']) {
          await send(chunk(part));
        }
        await send(lastChunk);
      });
      const seen = await observeExchange(url, { body: '{"stream":false}' });
      expect(seen.outcome.status).toBe('succeeded');
      expect(seen.frames.map(({ data }) => data)).toEqual(['{"choices":[]}', '[DONE]']);
    },
  );

  it.each([
    ['gzip', gzipSync(chatStream)],
    ['br', brotliCompressSync(chatStream)],
  ])('is decompressed from %s, and the head is shown as it came', async (encoding, bytes) => {
    const url = await serve(({ send }) =>
      send(
        reply(
          '200 OK',
          { 'Content-Type': 'text/event-stream', 'Content-Encoding': encoding },
          bytes,
        ),
      ),
    );
    const seen = await observeExchange(url);
    expect(seen.outcome.status).toBe('succeeded');
    expect(textOf(seen)).toBe(TEXT);
    expect(seen.response?.headers).toContainEqual(['Content-Encoding', encoding]);
    expect(seen.outcome.timings.receivedBytes).toBe(bytes.byteLength);
  });

  it('is stopped in its middle, also while a little input is blown up to a lot', async () => {
    const bytes = brotliCompressSync(Buffer.alloc(512 * 1024 * 1024), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    });
    const headers = { 'Content-Type': 'audio/mpeg', 'Content-Encoding': 'br' };
    const url = await serve(({ send }) => send(reply('200 OK', headers, bytes)));
    const stop = new AbortController();
    let received = 0;
    const seen = await observeExchange(url, {
      accepts: 'bytes',
      signal: stop.signal,
      onBytes(chunk) {
        received += chunk.length;
        stop.abort();
      },
    });
    expect(seen.outcome.status).toBe('cancelled');
    // One chunk of the input, expanded to 512 MB.
    expect(received).toBeLessThan(64 * 1024 * 1024);
  });

  it('fails with the error object in its middle and keeps the frames before it', async () => {
    const url = await serve(async ({ send }) => {
      await send(streamHead);
      await send(chunk(delta('Half an ')));
      await send(
        chunk('data: {"error":{"message":"upstream died","type":"server_error","code":500}}\n\n'),
      );
      await send(chunk('data: [DONE]\n\n'));
      await send(lastChunk);
    });
    const seen = await observeExchange(url);
    expect(textOf(seen)).toBe('Half an ');
    expect(seen.outcome).toMatchObject({
      status: 'failed',
      error: { kind: 'gateway', gateway: { message: 'upstream died', code: '500' } },
    });
  });

  it('does not wait long after an error object when the socket is left open', async () => {
    const url = await serve(async ({ send }) => {
      await send(streamHead);
      await send(chunk('event: error\ndata: overloaded\n\n'));
    });
    const seen = await observeExchange(url);
    expect(seen.outcome).toMatchObject({
      status: 'failed',
      error: { kind: 'gateway', gateway: { message: 'overloaded' } },
    });
  });

  it('continues past chunks whose error is null', async () => {
    const url = await serve(async ({ send }) => {
      await send(streamHead);
      await send(chunk('data: {"choices":[],"error":null}\n\ndata: [DONE]\n\n'));
    });
    expect((await observeExchange(url)).outcome.status).toBe('succeeded');
  });
});
