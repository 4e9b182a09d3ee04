import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MultipartBody } from '../../electron/gateway/multipart.ts';
import { listenOnLoopback } from '../fixtures/loopback.ts';
import { observeExchange } from '../fixtures/observe-exchange.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { always, reply, type Script } from '../fixtures/wire-server.ts';

async function serve(script: Script): Promise<string> {
  const server = await serveScript(script);
  return `${server.url}/v1/audio`;
}

/** Passes each connection to `onSocket` before reading from it. */
async function listen(onSocket: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listenOnLoopback(createServer(onSocket))}/v1/audio`;
}

function fileOf(sizeBytes: number): MultipartBody {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-form-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'sound');
  writeFileSync(path, Buffer.alloc(sizeBytes, 7));
  const file = { name: 'file', filename: 'a.mp3', type: 'audio/mpeg', path, sizeBytes };
  return { fields: [['model', 'm']], files: [file] };
}

const MiB = 1024 * 1024;

/** Sends `body` without a length or an end mark, and closes with the last byte. */
function sendAndEnd(
  body: Uint8Array,
  lengthBytes: number,
  more = '',
  onEnd = () => {},
): Promise<string> {
  return listen((socket) => {
    socket.on('error', () => undefined).once('finish', onEnd);
    socket.once('data', () => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: ${lengthBytes}\r\n${more}\r\n`,
      );
      socket.end(body);
    });
  });
}

/** Stops all timeouts until the test ends, as if the whole exchange took no time. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

const sound = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * at * 31) % 251));

describe('received bytes', () => {
  it.each<[string, Uint8Array, string]>([
    ['without compression', sound, ''],
    ['compressed', gzipSync(sound), 'Content-Encoding: gzip\r\n'],
    ['compressed twice', gzipSync(brotliCompressSync(sound)), 'Content-Encoding: br, gzip\r\n'],
  ])(
    'stores the whole body %s, even if the connection ends while it is buffered',
    async (_how, body, more) => {
      const ended = Promise.withResolvers<void>();
      const url = await sendAndEnd(body, body.byteLength, more, ended.resolve);
      const taken: Uint8Array[] = [];
      const onBytes = async (bytes: Uint8Array) => {
        taken.push(bytes);
        await ended.promise;
      };
      const seen = await observeExchange(url, { accepts: 'bytes', onBytes });
      expect(seen.outcome).toMatchObject({ status: 'succeeded' });
      expect(Buffer.concat(taken).equals(sound)).toBe(true);
    },
  );

  it.each<[string, number]>([
    ['their connection is lost', 1],
    ['the compressed body ends before them', 0],
  ])('keeps the received bytes if %s', async (_how, missing) => {
    const packed = gzipSync(sound);
    const half = packed.subarray(0, packed.byteLength / 2);
    const url = await sendAndEnd(half, half.byteLength + missing, 'Content-Encoding: gzip\r\n');
    const taken: Uint8Array[] = [];
    const onBytes = (bytes: Uint8Array) => void taken.push(bytes);
    const seen = await observeExchange(url, { accepts: 'bytes', onBytes });
    expect(seen.outcome).toMatchObject({ status: 'failed', error: { kind: 'stream-cut' } });
    const got = Buffer.concat(taken);
    expect(got.byteLength).toBeGreaterThan(100_000);
    expect(got.equals(sound.subarray(0, got.byteLength))).toBe(true);
  });

  it('reports the first and last bytes at once, and those in between rarely', async () => {
    const url = await serve(
      always(reply('200 OK', { 'Content-Type': 'audio/mpeg' }, Buffer.alloc(4 * MiB, 1))),
    );
    stopTimers();
    const seen = await observeExchange(url, { accepts: 'bytes', now: () => 5 });
    expect(seen.progress).toHaveLength(2);
    expect(seen.progress.at(-1)?.doneBytes).toBe(4 * MiB);
  });

  it('reports all received bytes while the stream pauses', async () => {
    const stop = new AbortController();
    const first = Promise.withResolvers<void>();
    const url = await serve(async ({ send }) => {
      await send('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 9999\r\n\r\n');
      await send(Buffer.alloc(1000, 1));
      await first.promise;
      await send(Buffer.alloc(500, 1));
    });
    const told: number[] = [];
    const exchange = observeExchange(url, {
      accepts: 'bytes',
      signal: stop.signal,
      onProgress({ doneBytes }) {
        told.push(doneBytes);
        first.resolve();
      },
    });
    await expect.poll(() => told).toEqual([1000, 1500]);
    stop.abort();
    expect((await exchange).outcome.status).toBe('cancelled');
  });

  it('stops the exchange if the bytes can’t be stored', async () => {
    const url = await serve(
      always(reply('200 OK', { 'Content-Type': 'audio/mpeg' }, Buffer.alloc(MiB, 1))),
    );
    const exchange = observeExchange(url, {
      accepts: 'bytes',
      onBytes: async () => {
        throw new Error('disk');
      },
    });
    await expect(exchange).rejects.toThrow('disk');
  });
});

describe('an uploaded file', () => {
  it('reports its first and last bytes at once, and those in between rarely', async () => {
    const url = await serve(always(reply('200 OK', { 'Content-Type': 'text/plain' }, 'ok')));
    stopTimers();
    const seen = await observeExchange(url, {
      accepts: 'text',
      body: fileOf(8 * MiB),
      headers: [],
      now: () => 5,
    });
    expect(seen.outcome.status).toBe('succeeded');
    expect(seen.progress).toHaveLength(2);
    const total = seen.progress[0]?.totalBytes;
    expect(seen.progress.at(-1)).toEqual({
      direction: 'upload',
      doneBytes: total,
      totalBytes: total,
    });
    expect(seen.outcome.timings.sentBytes).toBe(total);
    expect(seen.request?.headers).toContainEqual(['content-length', String(total)]);
  });

  it('reports that the file didn’t reach the gateway if the connection breaks', async () => {
    const url = await listen((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.resetAndDestroy());
    });
    const seen = await observeExchange(url, {
      accepts: 'text',
      body: fileOf(64 * MiB),
      headers: [],
    });
    expect(seen.outcome).toMatchObject({ status: 'failed', error: { kind: 'unreachable' } });
    expect('error' in seen.outcome && seen.outcome.error.message).toContain(
      'was lost during the upload',
    );
  });

  it('applies the idle timeout, not the connect timeout, to a stalled upload', async () => {
    const url = await listen((socket) => {
      socket.on('error', () => undefined);
      socket.pause();
    });
    const seen = await observeExchange(url, {
      accepts: 'text',
      body: fileOf(64 * MiB),
      headers: [],
      timeouts: { connectSeconds: 5, firstByteSeconds: 5, stallSeconds: 0.2 },
    });
    expect(seen.outcome).toMatchObject({ status: 'failed', error: { kind: 'timeout' } });
    expect('error' in seen.outcome && seen.outcome.error.message).toContain('upload stalled');
  });

  it.each([
    ['is missing', (body: MultipartBody) => rmSync(body.files[0]?.path ?? '')],
    [
      'is shorter than it was',
      (body: MultipartBody) => writeFileSync(body.files[0]?.path ?? '', 'x'),
    ],
  ])('reports a file that %s', async (_name, spoil) => {
    const url = await serve(always(reply('200 OK', {}, 'ok')));
    const body = fileOf(MiB);
    spoil(body);
    const seen = await observeExchange(url, { accepts: 'text', body, headers: [] });
    expect(seen.outcome).toMatchObject({ status: 'failed', error: { kind: 'file' } });
    expect(JSON.stringify(seen)).not.toContain('gatehouse-form-');
  });
});
