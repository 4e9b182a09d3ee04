/**
 * Starts a thread that answers completions after a delay, sometimes with 429, and counts requests
 * over its limits.
 */
import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

const ANSWER_MS = 20;
const EVERY = 25;
const WAIT_SECONDS = 1;

const answer = JSON.stringify({
  choices: [{ index: 0, text: 'Through the gate and over the river. '.repeat(30) }],
  usage: { prompt_tokens: 12, completion_tokens: 240, total_tokens: 252 },
});

let open = 0;
let pausedUntil = 0;
let lastAt = 0;
const counts = { requests: 0, refused: 0, mostAtOnce: 0, whilePaused: 0 };
const gapsMs: number[] = [];

const server = createServer((request, response) => {
  const now = performance.now();
  open += 1;
  counts.requests += 1;
  counts.mostAtOnce = Math.max(counts.mostAtOnce, open);
  gapsMs.push(now - lastAt);
  lastAt = now;
  // The client may have sent a request before it received the wait, so allow for 100 ms.
  if (now < pausedUntil && now > pausedUntil - WAIT_SECONDS * 1000 + 100) counts.whilePaused += 1;
  const isRefused = counts.requests % EVERY === 0;
  request.resume();
  request.on('end', () => {
    setTimeout(() => {
      open -= 1;
      if (!isRefused) {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
        return;
      }
      counts.refused += 1;
      pausedUntil = performance.now() + WAIT_SECONDS * 1000;
      const head = { 'Content-Type': 'application/json', 'Retry-After': WAIT_SECONDS };
      response.writeHead(429, head).end('{"error":{"message":"Slow down"}}');
    }, ANSWER_MS);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') parentPort?.postMessage(address.port);
});
parentPort?.on('message', () => parentPort?.postMessage({ ...counts, gapsMs }));
