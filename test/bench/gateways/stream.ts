/** A thread that answers chats with streams: `/fast` as quickly as they are read, `/paced` piece by piece. */
import { createServer, type ServerResponse } from 'node:http';
import { parentPort } from 'node:worker_threads';

/** Chunks of the fast stream, 290 bytes each as in performance.md. */
const FAST_CHUNKS = 50_000;
const PIECE = { least: 500, most: 16_500 };
const TICK_MS = 2;

function chunk(at: number): string {
  const body = {
    id: 'chatcmpl-9f8a7b6c5d4e3f2a1b0c',
    object: 'chat.completion.chunk',
    created: 1_732_200_000,
    model: 'gpt-4o-mini-2024-07-18',
    system_fingerprint: 'fp_0ba0d124f1',
    choices: [
      { index: 0, delta: { content: ` word${at % 977}` }, logprobs: null, finish_reason: null },
    ],
    usage: null,
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}

const END = 'data: [DONE]\n\n';

/** Split anywhere, the same way each time. */
function fastPieces(): Buffer[] {
  const body = Buffer.from(
    Array.from({ length: FAST_CHUNKS }, (_, at) => chunk(at)).join('') + END,
  );
  const pieces: Buffer[] = [];
  let seed = 1;
  for (let at = 0; at < body.length; ) {
    seed = (seed * 16_807) % 2_147_483_647;
    const length = PIECE.least + (seed % (PIECE.most - PIECE.least));
    pieces.push(body.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

const pieces = fastPieces();

async function sendFast(response: ServerResponse): Promise<void> {
  for (const piece of pieces) {
    if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

interface Paced {
  response: ServerResponse;
  startedAt: number;
  sent: number;
  perSecond: number;
  count: number;
}

const paced = new Set<Paced>();
setInterval(() => {
  const now = performance.now();
  for (const stream of paced) {
    const due = ((now - stream.startedAt) / 1000) * stream.perSecond;
    for (; stream.sent < Math.min(due, stream.count); stream.sent += 1) {
      stream.response.write(chunk(stream.sent));
    }
    if (stream.sent < stream.count) continue;
    stream.response.end(END);
    paced.delete(stream);
  }
}, TICK_MS);

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const [, perSecond, count] = /^\/paced\/(\d+)\/(\d+)\//.exec(request.url ?? '') ?? [];
    if (perSecond === undefined) void sendFast(response);
    else {
      const rate = { perSecond: Number(perSecond), count: Number(count) };
      paced.add({ response, startedAt: performance.now(), sent: 0, ...rate });
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') parentPort?.postMessage(address.port);
});
