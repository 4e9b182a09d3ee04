import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MultipartBody } from '../../electron/gateway/multipart.ts';
import { listenOnLoopback } from '../fixtures/loopback.ts';
import { observeExchange } from '../fixtures/observe-exchange.ts';
import { jsonReply } from '../fixtures/wire-server.ts';

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

describe('received bytes', () => {
  it('applies backpressure when the observer reads slowly', async () => {
    let written = 0;
    const url = await listen((socket) => {
      socket.once('data', () => {
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: ${64 * MiB}\r\n\r\n`,
        );
        const piece = Buffer.alloc(MiB, 0xff);
        const more = () => {
          while (written < 64 * MiB) {
            written += piece.length;
            if (!socket.write(piece)) return void socket.once('drain', more);
          }
        };
        more();
      });
      socket.on('error', () => undefined);
    });
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let taken = 0;
    let writtenAtGate = 0;
    const exchange = observeExchange(url, {
      accepts: 'bytes',
      onBytes: async (chunk) => {
        taken += chunk.byteLength;
        await gate;
      },
    });
    // The sockets' buffers fill up first, and then the gateway has to wait.
    await expect
      .poll(
        () => {
          const isStill = written === writtenAtGate && written > 0;
          writtenAtGate = written;
          return isStill;
        },
        { interval: 200 },
      )
      .toBe(true);
    expect(taken).toBeLessThan(MiB);
    expect(writtenAtGate).toBeLessThan(48 * MiB);
    release();
    const seen = await exchange;
    expect(seen.outcome.status).toBe('succeeded');
    expect(taken).toBe(64 * MiB);
    expect(seen.progress.at(-1)).toEqual({
      direction: 'download',
      doneBytes: 64 * MiB,
      totalBytes: 64 * MiB,
    });
  });
});

describe('an uploaded file', () => {
  it('stops mid-upload when aborted, and closes the socket', async () => {
    const stop = new AbortController();
    let closed: Promise<unknown> = Promise.resolve();
    const url = await listen((socket) => {
      closed = once(socket, 'close');
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.pause();
        stop.abort();
        socket.resume();
      });
    });
    const seen = await observeExchange(url, {
      accepts: 'text',
      body: fileOf(64 * MiB),
      headers: [],
      signal: stop.signal,
    });
    expect(seen.outcome).toMatchObject({ status: 'cancelled' });
    await closed;
  });

  it('handles a rejection before the whole file was sent', async () => {
    const url = await listen((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(
          jsonReply('{"error":{"message":"25 MB at most","type":"t"}}', '413 Payload Too Large'),
        );
      });
    });
    const seen = await observeExchange(url, {
      accepts: 'text',
      body: fileOf(64 * MiB),
      headers: [],
    });
    expect(seen.outcome).toMatchObject({
      status: 'failed',
      error: { kind: 'gateway', gateway: { status: 413, message: '25 MB at most' } },
    });
  });
});
