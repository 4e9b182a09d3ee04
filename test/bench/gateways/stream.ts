/**
 * Starts a thread that streams chat answers: on `/fast` as quickly as the client reads, on
 * `/paced/<per second>/<count>` token by token, and on `/stamped` at the rate in the model
 * `rate-<per second>-<count>`, with the time in each token; `max_tokens` replaces the count. The model `markdown-<per
 * second>-<count>` writes Markdown, with the time in the last token.
 */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { parentPort } from 'node:worker_threads';

/** The length of the fast stream. Each chunk has 290 bytes, as in performance.md. */
const FAST_CHUNKS = 50_000;
const PIECE = { least: 500, most: 16_500 };
const TICK_MS = 2;

/** A typical answer. Each token has about 20 characters. */
const ANSWER = `## A section of the answer

Some **words** of a paragraph with \`code\`, a [link](https://example.com) and more words,
long enough to wrap. A second sentence follows, and a third one ends the paragraph. Most of what
models write is prose like this, in paragraphs of a few sentences, with a list or a table between.

Another paragraph explains the first one in other words. It refers to the function below, names
its arguments, and says when to use it and when not to. It ends with a warning about numbers that
are too large, which nobody reads.

- an item of a list
- another item, with *emphasis*

\`\`\`ts
export function add(one: number, other: number): number {
  return one + other;
}
\`\`\`

| Model | Tokens |
|---|--:|
| small | 1,024 |
| large | 8,192 |

`;
const TOKEN_LENGTH = 20;
const markdown = (at: number) => {
  const start = (at * TOKEN_LENGTH) % ANSWER.length;
  return (ANSWER + ANSWER).slice(start, start + TOKEN_LENGTH);
};

const word = (at: number) => ` word${at % 977}`;
/** Returns a token with its Unix milliseconds and number, and an occasional paragraph break. */
const stamp = (at: number) =>
  ` ${(performance.timeOrigin + performance.now()).toFixed(1)}-${at};${at % 40 === 39 ? '\n\n' : ''}`;

function chunk(content: string): string {
  const body = {
    id: 'chatcmpl-9f8a7b6c5d4e3f2a1b0c',
    object: 'chat.completion.chunk',
    created: 1_732_200_000,
    model: 'gpt-4o-mini-2024-07-18',
    system_fingerprint: 'fp_0ba0d124f1',
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
    usage: null,
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}

const END = 'data: [DONE]\n\n';

/** Splits the stream at arbitrary bytes, the same way each time. */
function fastPieces(): Buffer[] {
  const body = Buffer.from(
    Array.from({ length: FAST_CHUNKS }, (_, at) => chunk(word(at))).join('') + END,
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
  token: (at: number) => string;
}

const paced = new Set<Paced>();
setInterval(() => {
  const now = performance.now();
  for (const stream of paced) {
    const due = ((now - stream.startedAt) / 1000) * stream.perSecond;
    for (; stream.sent < Math.min(due, stream.count); stream.sent += 1) {
      stream.response.write(chunk(stream.token(stream.sent)));
    }
    if (stream.sent < stream.count) continue;
    stream.response.end(END);
    paced.delete(stream);
  }
}, TICK_MS);

function sendPaced(
  response: ServerResponse,
  [, perSecond, count]: readonly string[],
  token: Paced['token'],
): void {
  const rate = { perSecond: Number(perSecond), count: Number(count) };
  paced.add({ response, startedAt: performance.now(), sent: 0, ...rate, token });
}

const server = createServer(async (request, response) => {
  const { url = '', method } = request;
  const body = await text(request);
  if (method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end('{"object":"list","data":[]}');
    return;
  }
  const head = { 'Content-Type': 'text/event-stream', 'Access-Control-Allow-Origin': '*' };
  response.writeHead(200, head);
  const pacedPath = /^\/paced\/(\d+)\/(\d+)\//.exec(url);
  const model = /"model":"(?:rate|markdown)-(\d+)-(\d+)"/.exec(body);
  const [, maxTokens] = /"max_tokens":(\d+)/.exec(body) ?? [];
  if (model !== null && maxTokens !== undefined) model[2] = maxTokens;
  const isLast = (at: number) => at === Number(model?.[2]) - 1;
  const stampedMarkdown = (at: number) => (isLast(at) ? stamp(at) : markdown(at));
  if (pacedPath !== null) sendPaced(response, pacedPath, word);
  else if (model !== null)
    sendPaced(response, model, body.includes('"model":"markdown-') ? stampedMarkdown : stamp);
  else void sendFast(response);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') parentPort?.postMessage(address.port);
});
