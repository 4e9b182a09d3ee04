import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createORPCClient } from '@orpc/client';
import { os, type RouterClient } from '@orpc/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type BrowserHost, startBrowserHost } from '../../electron/browser/host.ts';
import { heldBytes } from '../fixtures/held-bytes.ts';
import { linkOver, openSocket, signIn } from '../fixtures/page-socket.ts';

let host: BrowserHost;
let sockets: Socket[] = [];

const PIECES = 1000;
let made: Record<string, number> = {};
let over = new Set<string>();
let answered = 0;
const piece = 'x'.repeat(100_000);
const router = {
  pieces: os.input(z.string()).handler(async function* ({ input }) {
    try {
      for (let number = 0; number < PIECES; number += 1) {
        made[input] = number + 1;
        yield { number, piece };
      }
    } finally {
      over.add(input);
    }
  }),
  piece: os.input(z.string()).handler(() => {
    answered += 1;
    return piece;
  }),
};

beforeEach(async () => {
  made = {};
  over = new Set();
  answered = 0;
  host = await startBrowserHost({
    router,
    port: 0,
    createPage: () => (_request, response) => response.end('the page'),
  });
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  host.close();
});

async function openRaw(): Promise<Socket> {
  const socket = connect(host.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function expectServed(cookie: string): Promise<void> {
  const page = await fetch(`http://127.0.0.1:${host.port}/`, { headers: { cookie } });
  expect(page.status).toBe(200);
  expect(await page.text()).toBe('the page');
}

/** Opens the page's WebSocket by hand, as a compromised, signed-in page would. */
async function upgrade(cookie: string): Promise<Socket> {
  const socket = await openRaw();
  const lines = [
    'GET /rpc HTTP/1.1',
    `Host: 127.0.0.1:${host.port}`,
    `Origin: http://127.0.0.1:${host.port}`,
    `Cookie: ${cookie}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

it('rejects a 1 GB frame by its header, before reading its bytes', async () => {
  const { cookie } = await signIn(host.createAddress());
  const socket = await upgrade(cookie);
  const header = Buffer.alloc(14);
  header.set([0x81, 0xff]);
  header.writeBigUInt64BE(2n ** 30n, 2);
  const before = heldBytes();
  socket.write(header);
  const [frame]: [Buffer] = (await once(socket, 'data')) as [Buffer];
  expect(frame.readUInt16BE(2)).toBe(1009);
  // This includes buffers that were already freed.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 24);
  await expectServed(cookie);
});

it('serves pages while 1,000 connections send nothing or an endless header', async () => {
  const { cookie } = await signIn(host.createAddress());
  const silent = await Promise.all(Array.from({ length: 1000 }, openRaw));
  for (const socket of silent.slice(0, 200))
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-');
  await expectServed(cookie);
});

it('times out a header that arrives one byte a second or not at all', async () => {
  const [slow, silent] = [await openRaw(), await openRaw()];
  const cut = Promise.all([slow, silent].map((socket) => text(socket)));
  slow.write('GET / HTTP/1.1\r\nX-');
  const letters = setInterval(() => slow.write('a'), 1000);
  try {
    expect(await cut).toEqual(Array(2).fill(expect.stringMatching(/^HTTP\/1\.1 408 /)));
  } finally {
    clearInterval(letters);
  }
});

it('rejects an oversized header and closes its connection', async () => {
  const socket = await openRaw();
  socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ${'a'.repeat(20_000)}`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /);
});

async function openPage(cookie: string) {
  const socket = await openSocket({ origin: `http://127.0.0.1:${host.port}`, cookie });
  const api: RouterClient<typeof router> = createORPCClient(linkOver(socket));
  return { api, socket };
}

async function numbersOf(pieces: AsyncIterable<{ number: number }>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of pieces) numbers.push(number);
  return numbers;
}

it('pauses updates to a page that stops reading, and resumes once it reads again', async () => {
  const { cookie } = await signIn(host.createAddress());
  const [stopped, other] = [await openPage(cookie), await openPage(cookie)];
  const pieces = await stopped.api.pieces('stopped');
  stopped.socket.pause();
  const all = Array.from({ length: PIECES }, (_, number) => number);
  expect(await numbersOf(await other.api.pieces('other'))).toEqual(all);
  // Leave room for kernel buffers and pending data.
  expect(made.stopped).toBeLessThan(200);
  stopped.socket.resume();
  expect(await numbersOf(pieces)).toEqual(all);
  other.socket.terminate();
  stopped.socket.terminate();
});

it('stops accepting calls from a page that doesn’t read responses', async () => {
  const { cookie } = await signIn(host.createAddress());
  const [stopped, other] = [await openPage(cookie), await openPage(cookie)];
  stopped.socket.pause();
  const argument = 'y'.repeat(10_000);
  const calls = Array.from({ length: PIECES }, () => stopped.api.piece(argument));
  await numbersOf(await other.api.pieces('other'));
  expect(answered).toBeLessThan(300);
  stopped.socket.resume();
  expect(await Promise.all(calls)).toHaveLength(PIECES);
  other.socket.terminate();
  stopped.socket.terminate();
});
