/** Starts a thread that accepts uploads and serves files with the size in `?bytes=`. */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parentPort } from 'node:worker_threads';
import { wav } from '../../fixtures/sounds.ts';

const PIECE = Buffer.alloc(256 * 1024);

/** Yields a silent WAV file with this total size. */
function* soundOf(bytes: number): Generator<Buffer> {
  const head = wav({ seconds: 0, claimedBytes: bytes - 44 });
  yield head;
  for (let left = bytes - head.length; left > 0; left -= PIECE.length) {
    yield left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
  }
}

const server = createServer(async (request, response) => {
  let received = 0;
  request.on('data', (piece: Buffer) => {
    received += piece.length;
  });
  await new Promise((resolve) => request.on('end', resolve));
  const { url = '' } = request;
  const [, asked] = /bytes[=/](\d+)/.exec(url) ?? [];
  if (asked === undefined || request.method !== 'POST') {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ text: String(received), data: [] }));
    return;
  }
  const head = { 'Content-Type': 'audio/wav', 'Content-Length': asked };
  response.writeHead(200, head);
  await pipeline(Readable.from(soundOf(Number(asked))), response);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') parentPort?.postMessage(address.port);
});
