import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { observeExchange } from '../fixtures/observe-exchange.ts';
import { serve } from '../fixtures/serve-chat.ts';
import { always, reply } from '../fixtures/wire-server.ts';

describe('a stream', () => {
  it('stops mid-stream, even while a small input expands to a large one', async () => {
    const bytes = brotliCompressSync(Buffer.alloc(512 * 1024 * 1024), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    });
    const headers = { 'Content-Type': 'audio/mpeg', 'Content-Encoding': 'br' };
    const url = await serve(always(reply('200 OK', headers, bytes)));
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
    // One chunk of the input would expand to 512 MB.
    expect(received).toBeLessThan(64 * 1024 * 1024);
  });
});
