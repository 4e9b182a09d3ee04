/**
 * Starts a gateway that outlives every host. It counts requests by the ID in each body, and slowly
 * sends the same bytes each time for the same ID.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { isJsonObject } from '../../shared/json.ts';
import { createRandom, seedOf } from '../fixtures/random.ts';
import { wav } from '../fixtures/sounds.ts';

export interface CountingGateway {
  url: string;
  /** Returns the number of POST requests. */
  postCount(): number;
  /** Returns the ID, model and count of requests that were sent more than once. */
  doubled(): string[];
  pollsOf(taskId: string): number;
  close(): Promise<void>;
}

const ID = /job-[0-9a-z]+(?:-\d+){4}/g;

/** Returns the complete answer to a text job. */
export function textOf(id: string): string {
  return `${id}:${wordsOf(id).join('')}`;
}

export function soundOf(id: string): Buffer {
  return marked(wav({ seconds: createRandom(seedOf(id)).between(1, 40) / 10 }), id);
}

export function filmOf(id: string): Buffer {
  const head = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1');
  return marked(
    Buffer.concat([head, Buffer.alloc(createRandom(seedOf(id)).between(1e3, 3e5))]),
    id,
  );
}

/** Writes the ID into the bytes, which makes them unique. */
function marked(bytes: Buffer, id: string): Buffer {
  bytes.write(id, 60, 'latin1');
  return bytes;
}

function wordsOf(id: string): string[] {
  return Array.from({ length: createRandom(seedOf(id)).between(5, 250) }, (_, at) => ` w${at}`);
}

export async function startCountingGateway(longestTaskMs: number): Promise<CountingGateway> {
  const sent = new Map<string, number>();
  const polls = new Map<string, number>();
  const readyAt = new Map<string, number>();
  let posts = 0;

  async function answerPost(path: string, body: Buffer, response: ServerResponse): Promise<void> {
    const text = body.toString('latin1');
    const id = [...text.matchAll(ID)].at(-1)?.[0] ?? 'no ID';
    const json: unknown = text.startsWith('{') ? JSON.parse(text) : null;
    const round = countAnswers(json);
    const key = `${id} ${isJsonObject(json) ? json.model : ''}${round === null ? '' : ` ${round}`}`;
    sent.set(key, (sent.get(key) ?? 0) + 1);
    posts += 1;
    const random = createRandom(seedOf(key));
    await pause(random.between(0, 60));
    if (path.endsWith('/audio/speech')) return sendSlowly(response, 'audio/wav', soundOf(id));
    if (path.endsWith('/audio/transcriptions')) return sendJson(response, { text: textOf(id) });
    if (path.endsWith('/video/generations')) {
      const taskId = `task-${id}`;
      readyAt.set(taskId, Date.now() + random.between(500, longestTaskMs));
      return sendJson(response, { task_id: taskId, status: 'queued' });
    }
    if (round !== null && round < TURN_ROUNDS) return sendCalls(response, round);
    await sendStream(response, id, path.endsWith('/chat/completions'), random.between(0, 15));
  }

  async function answerGet(path: string, response: ServerResponse): Promise<void> {
    const [, taskId] = /\/video\/generations\/([\w-]+)$/.exec(path) ?? [];
    const [, filmId] = /\/films\/([\w-]+)\.mp4$/.exec(path) ?? [];
    if (taskId !== undefined) {
      polls.set(taskId, (polls.get(taskId) ?? 0) + 1);
      const isReady = Date.now() >= (readyAt.get(taskId) ?? Number.POSITIVE_INFINITY);
      const url = `/films/${taskId.slice('task-'.length)}.mp4`;
      const ready = { status: 'completed', format: 'mp4', url };
      return sendJson(response, { task_id: taskId, ...(isReady ? ready : { status: 'running' }) });
    }
    if (filmId !== undefined) return sendSlowly(response, 'video/mp4', filmOf(filmId));
    sendJson(response, { object: 'list', data: [{ id: 'm', object: 'model' }] });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const body = await buffer(request);
    if (request.method === 'POST') await answerPost(path, body, response);
    else await answerGet(path, response);
  }

  const server = createServer((request, response) => {
    // The requests fail when a test kills the host.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    postCount: () => posts,
    doubled: () => [...sent].filter(([, count]) => count > 1).map(([key, n]) => `${key}: ${n}`),
    pollsOf: (taskId) => polls.get(taskId) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The maximum number of answers with tool calls in a turn, followed by one with text. */
export const TURN_ROUNDS = 3;

/** Returns the number of answers in a request with tools, or null for other requests. */
function countAnswers(body: unknown): number | null {
  if (!isJsonObject(body) || !Array.isArray(body.tools) || !Array.isArray(body.messages))
    return null;
  return body.messages.filter((one) => isJsonObject(one) && one.role === 'assistant').length;
}

function sendCalls(response: ServerResponse, round: number): void {
  const tool_calls = ['look_up', 'compute'].map((name, index) => ({
    index,
    id: `call_${round}_${index}`,
    type: 'function',
    function: { name, arguments: '{}' },
  }));
  const choices = [{ index: 0, delta: { tool_calls }, finish_reason: 'tool_calls' }];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`);
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const PIECE_BYTES = 16 * 1024;

async function sendSlowly(response: ServerResponse, type: string, bytes: Buffer): Promise<void> {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
  for (let at = 0; at < bytes.length && !response.destroyed; at += PIECE_BYTES) {
    response.write(bytes.subarray(at, at + PIECE_BYTES));
    await pause(5);
  }
  response.end();
}

async function sendStream(
  response: ServerResponse,
  id: string,
  isChat: boolean,
  pauseMs: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const text of [`${id}:`, ...wordsOf(id)]) {
    if (response.destroyed) return;
    const piece = isChat ? { delta: { content: text } } : { text };
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...piece }] })}\n\n`);
    if (pauseMs > 0) await pause(pauseMs);
  }
  response.end('data: [DONE]\n\n');
}
