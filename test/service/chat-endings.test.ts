/** Covers chat streams that don't end with the usual events. */

import { constants, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import type { Settings } from '../../shared/settings.ts';
import { type Bench, shareBench } from '../fixtures/run-operation.ts';
import {
  chunk,
  lastChunk,
  streamHead,
  streaming,
  type WireExchange,
} from '../fixtures/wire-server.ts';

const frame = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const piece = (content: string, index = 0) =>
  frame({ choices: [{ index, delta: { content }, finish_reason: null }] });
const last = (index = 0, finish_reason = 'stop') =>
  frame({ choices: [{ index, delta: {}, finish_reason }] });
const usage = frame({
  choices: [],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const request = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  stream: true,
};
const serveWith = await shareBench();

/** Sets timeouts until the test ends. */
function setTimeouts({ services: { settings } }: Bench, timeouts: Settings['timeouts']): void {
  settings.update({ timeouts });
  onTestFinished(() => void settings.update({ timeouts: {} }));
}

const standsStill = { connectSeconds: 60, firstByteSeconds: 60, stallSeconds: 1 };
const withUsage = { ...request, stream_options: { include_usage: true } };

/** Sends the frames at once, so that no timeout ends between them, and leaves the socket open. */
function leavingOpen(frames: string[]) {
  return serveWith(({ send }) =>
    send(Buffer.concat([Buffer.from(streamHead), ...frames.map(chunk)])),
  );
}

/** Starts a run and returns the exchange, so that the test decides when to send. */
async function openExchange(
  operation: 'chat' | 'completion',
  sent: JsonObject,
  extraBody: JsonObject = {},
) {
  const opened = Promise.withResolvers<WireExchange>();
  const bench = serveWith((exchange) => opened.resolve(exchange));
  const runId = await bench.start(operation, sent, extraBody);
  const { send, socket } = await opened.promise;
  await send(streamHead);
  const getState = async () => JSON.stringify((await bench.services.engine.view(runId)).state);
  return {
    socket,
    ended: () => bench.ended(operation, runId),
    async sendFrames(text: string) {
      const before = await getState();
      await send(chunk(text));
      await expect.poll(getState).not.toBe(before);
    },
    sendLast: (text: string) => send(chunk(`${text}data: [DONE]\n\n`)),
  };
}

describe('a stream whose socket stays open', () => {
  it.each([
    ['at once if no usage was requested', request, [piece('Hello'), last()], null],
    ['after the usage', withUsage, [piece('Hello'), last(), usage], 5],
    ['two seconds later if the usage is missing', withUsage, [piece('Hello'), last()], null],
    [
      'once the second choice has finished',
      { ...request, n: 2 },
      [piece('Hello'), last(), piece('Hi', 1), last(1, 'length')],
      null,
    ],
    [
      'even if the last event lacks its blank line',
      withUsage,
      [piece('Hello'), last(), usage.trimEnd()],
      5,
    ],
  ])('succeeds %s', async (_name, sent, frames, totalTokens) => {
    const bench = leavingOpen(frames);
    const view = await bench.run('chat', sent);
    expect(view).toMatchObject({ status: 'succeeded', error: null });
    expect(view.state.choices[0]).toMatchObject({
      message: { content: 'Hello' },
      finishReason: 'stop',
    });
    expect(view.state.warnings).toEqual([]);
    expect(view.figures?.usage?.total_tokens ?? null).toBe(totalTokens);
  });

  it('succeeds if the stream is compressed', async () => {
    const frames = gzipSync(piece('Hello') + last(), { finishFlush: constants.Z_SYNC_FLUSH });
    const bench = serveWith(async ({ send }) => {
      await send(streamHead.replace(/\r\n$/, 'Content-Encoding: gzip\r\n\r\n'));
      await send(chunk(frames));
    });
    const stallSeconds = 60;
    setTimeouts(bench, { chat: { ...standsStill, stallSeconds } });
    expect(await bench.run('chat', request)).toMatchObject({
      status: 'succeeded',
      state: { choices: [{ message: { content: 'Hello' } }] },
    });
  });

  it('succeeds while comments still arrive', async () => {
    let timer: NodeJS.Timeout | undefined;
    const bench = serveWith(async ({ send, closed }) => {
      await send(streamHead);
      await send(chunk(piece('Hello') + last()));
      timer = setInterval(() => void send(chunk(': PING\n\n')), 50);
      await closed;
      clearInterval(timer);
    });
    expect((await bench.run('chat', request)).status).toBe('succeeded');
  });

  const well = { status: 'succeeded' };
  const timedOut = { status: 'failed', error: { kind: 'timeout' } };
  const stopped = (content: string) =>
    frame({ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] });
  /** Exceeds the half second that Gatehouse waits after a finished stream. */
  const LONG_MS = 900;
  /** Stays under the two seconds that Gatehouse waits for the usage. */
  const LATE_MS = 600;

  /** Sends `parts`, the last one with the end mark, and lets `pauseMs` pass between them. */
  async function runPausing(
    operation: 'chat' | 'completion',
    sent: JsonObject,
    parts: string[],
    { pauseMs = LONG_MS, extraBody = {} }: { pauseMs?: number; extraBody?: JsonObject } = {},
  ) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(async () => {
      // The shared services may wait for one of these timers.
      await vi.runOnlyPendingTimersAsync();
      vi.useRealTimers();
    });
    const exchange = await openExchange(operation, sent, extraBody);
    for (const part of parts.slice(0, -1)) {
      await exchange.sendFrames(part);
      await vi.advanceTimersByTimeAsync(pauseMs);
    }
    await exchange.sendLast(parts.at(-1) ?? '');
    return exchange.ended();
  }

  it.each([
    ['if its finish reason is null', [piece('Hel') + last(0, 'null'), piece('lo') + last()]],
    ['if each chunk has a finish reason', ['Hel', 'l', 'o'].map(stopped)],
    ['if text follows its finish reason', [piece('He') + last() + piece('l'), piece('lo')]],
  ])('keeps reading %s', async (_name, parts) => {
    const view = await runPausing('chat', request, parts);
    expect(view).toMatchObject({
      status: 'succeeded',
      state: { done: true, choices: [{ message: { content: 'Hello' } }] },
    });
  });

  it('keeps reading until the requested usage arrives', async () => {
    const parts = [piece('Hello') + last(), usage];
    const view = await runPausing('chat', withUsage, parts, { pauseMs: LATE_MS });
    expect(view).toMatchObject({ status: 'succeeded', state: { done: true } });
    expect(view.figures?.usage?.total_tokens).toBe(5);
  });

  it('keeps reading if another choice begins late', async () => {
    const parts = [piece('One') + last() + piece('Tw', 1), piece('o', 1) + last(1)];
    const view = await runPausing('chat', request, parts);
    const choices = [{ message: { content: 'One' } }, { message: { content: 'Two' } }];
    expect(view).toMatchObject({ status: 'succeeded', state: { done: true, choices } });
  });

  const prompts = { model: 'm', prompt: 'a', stream: true };

  it('keeps reading until each prompt of a text completion has an answer', async () => {
    const text = (index: number) =>
      frame({ choices: [{ index, text: 'a' }] }) +
      frame({ choices: [{ index, text: '', finish_reason: 'stop' }] });
    const view = await runPausing('completion', prompts, [text(0), text(1)], {
      extraBody: { prompt: ['a', 'b'] },
    });
    const choices = [{ index: 0 }, { index: 1 }];
    expect(view).toMatchObject({ status: 'succeeded', state: { done: true, choices } });
  });

  const finalChoice = { index: 0, text: 'a', finish_reason: 'stop' };
  it.each<[string, 'chat' | 'completion', JsonObject, JsonObject, string[], object]>([
    [
      'succeeds if its only chunk is the whole response',
      'chat',
      request,
      {},
      [stopped('Hello')],
      well,
    ],
    [
      'succeeds if the gateway ignores n',
      'chat',
      { ...request, n: 2 },
      {},
      [piece('Hello'), last()],
      { status: 'succeeded', state: { choices: [{ index: 0 }] } },
    ],
    [
      'times out if a prompt of a text completion has no answer',
      'completion',
      prompts,
      { prompt: ['a', 'b'] },
      [frame({ choices: [{ index: 0, text: 'a' }] }), frame({ choices: [finalChoice] })],
      timedOut,
    ],
    [
      'times out if text follows its finish reason',
      'chat',
      request,
      {},
      [stopped('Hel'), stopped('lo')],
      { ...timedOut, state: { choices: [{ message: { content: 'Hello' } }] } },
    ],
  ])('%s', async (_name, operation, sent, extraBody, frames, expected) => {
    const bench = leavingOpen(frames);
    setTimeouts(bench, { [operation]: standsStill });
    expect(await bench.run(operation, sent, extraBody)).toMatchObject(expected);
  });

  it('succeeds even if the connection breaks after its last chunk', async () => {
    const exchange = await openExchange('chat', request);
    await exchange.sendFrames(piece('Hello') + last());
    exchange.socket.resetAndDestroy();
    expect((await exchange.ended()).status).toBe('succeeded');
  });
});

describe('the last event of a stream', () => {
  it.each([
    ['the usage', [piece('Hello'), last(), usage.trimEnd()]],
    ['the end mark', [piece('Hello'), last(), usage, 'data: [DONE]']],
    [
      'the end mark on the line after the usage',
      [piece('Hello'), last(), `${usage.trimEnd()}\ndata: [DONE]\n\n`],
    ],
  ])('accepts the last event without its blank line: %s', async (_name, frames) => {
    const bench = serveWith(streaming(frames.join('')));
    const view = await bench.run('chat', withUsage);
    expect(view).toMatchObject({ status: 'succeeded', state: { warnings: [] } });
    expect(view.figures?.usage?.total_tokens).toBe(5);
  });
});

describe('reasoning in <think> tags', () => {
  it('separates reasoning from the answer, and keeps the events unchanged', async () => {
    const text = '<think>\nTwo and two.\n</think>\n\nFour.';
    const bench = serveWith(async ({ send }) => {
      await send(streamHead);
      for (const letter of text) await send(chunk(piece(letter)));
      await send(chunk(`${last()}data: [DONE]\n\n`));
      await send(lastChunk);
    });
    const view = await bench.run('chat', request);
    const answer = { content: 'Four.', reasoning: 'Two and two.', isTagged: true };
    expect(view.state.choices.map(viewAnswer)).toMatchObject([answer]);
    const raw = bench.events(view.id, 'chunk').map(({ data }) => data);
    expect(raw.flatMap((data) => data.match(/"content":"(.*?)"/)?.[1] ?? []).join('')).toBe(
      text.replaceAll('\n', '\\n'),
    );
  });
});
