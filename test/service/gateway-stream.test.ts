import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { observeExchange, textOf } from '../fixtures/observe-exchange.ts';
import { serve } from '../fixtures/serve-chat.ts';
import { always, chunk, readWire, reply, streamHead, streaming } from '../fixtures/wire-server.ts';

const chatStream = readWire('chat-stream.sse');
const TEXT = 'Grüße, 世界 🌍';

describe('a stream', () => {
  it('delivers the whole stream with its comments, usage chunk and [DONE]', async () => {
    const url = await serve(streaming(chatStream));
    const seen = await observeExchange(url);
    expect(seen.outcome.status).toBe('succeeded');
    expect(textOf(seen)).toBe(TEXT);
    expect(seen.order.slice(0, 3)).toEqual(['request', 'response', 'chunk']);
    expect(seen.frames[0]).toMatchObject({ data: 'PROCESSING', event: null, comment: true });
    expect(seen.frames.at(-1)?.data).toBe('[DONE]');
    expect(seen.outcome.timings).toMatchObject({ deltaCount: 3, reusedSocket: false, dnsMs: null });
    expect(seen.outcome.timings.gaps).not.toBeNull();
  });

  it('ends at [DONE] even if the socket stays open, and closes it', async () => {
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

  it.each([
    ['gzip', gzipSync(chatStream)],
    ['br', brotliCompressSync(chatStream)],
  ])('decompresses a stream from %s, and keeps the original headers', async (encoding, bytes) => {
    const url = await serve(
      always(
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

  it('doesn’t wait long after an error object if the socket stays open', async () => {
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
});
