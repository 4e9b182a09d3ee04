import { describe, expect, it, onTestFinished } from 'vitest';
import { createKeyAccess } from '../../electron/gateway/access.ts';
import { createNetwork } from '../../electron/gateway/network.ts';
import type { DownloadedFile } from '../../electron/operations/run-context.ts';
import { createRunContext } from '../../electron/runs/create-run-context.ts';
import { createLiveRun } from '../../electron/runs/live-run.ts';
import { createEmptyView } from '../../electron/runs/stored-view.ts';
import type { Connection } from '../../shared/connection.ts';
import { defaultConnectionOptions } from '../../shared/connection-options.ts';
import type { RunEvent } from '../../shared/run.ts';
import { defaultTimeouts } from '../../shared/settings.ts';
import { openTestMedia } from '../fixtures/media-service.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { testRun } from '../fixtures/test-run.ts';
import { reply, type Script, type WireServer } from '../fixtures/wire-server.ts';

const key = 'sk-test-1234567890';
const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(40_000, 9)]);

async function serve(script: Script): Promise<WireServer> {
  const server = await serveScript(script);
  return server;
}

async function contextFor(baseUrl: string, preview = 'Hello') {
  const { media } = openTestMedia();
  const stored = testRun({ id: 'run-1', operation: 'video', baseUrl, preview });
  const network = createNetwork({ environment: {}, systemProxy: null });
  onTestFinished(() => network.close());
  const events: RunEvent[] = [];
  const connection: Connection = {
    id: 'mine',
    name: 'Mine',
    kind: 'custom',
    baseUrl,
    key: null,
    options: defaultConnectionOptions,
    lost: { key: false, values: false },
    createdAt: 0,
  };
  const resolved = { connection, baseUrl, access: createKeyAccess(key) };
  const context = createRunContext({
    stored,
    run: createLiveRun(createEmptyView(stored), () => performance.now()),
    connection: resolved,
    reconnect: async () => resolved,
    timeouts: defaultTimeouts.video,
    network,
    store: media,
    documents: null,
    keep(recorded) {
      events.push(...recorded);
      return null;
    },
    room: () => null,
    searches: new Map(),
    cutSecrets: async () => undefined,
    schedule: { turn: async () => undefined },
    waking: () => new AbortController().signal,
    polling: { spacingMs: 0, random: () => 0.5, pauseMs: () => 0 },
    firstExchange: 3,
  });
  return { context, media, events };
}

const withKey = (request: string | undefined) => request?.includes(`Bearer ${key}`) ?? false;

const sendFilm: Script = ({ send }) =>
  void send(reply('200 OK', { 'Content-Type': 'video/mp4' }, film));

describe('a download', () => {
  it('stores the file unchanged, and reports its progress', async () => {
    const server = await serve(sendFilm);
    const { context, media, events } = await contextFor(server.url);
    const done = await context.download('/files/1.mp4', null);
    expect(done).toMatchObject({
      status: 'succeeded',
      exchange: 3,
      partial: null,
      media: {
        type: 'video/mp4',
        name: expect.stringMatching(/^hello-2023-11-1[45]-\d{6}\.mp4$/),
        complete: true,
        sizeBytes: film.length,
      },
    });
    expect(await media.readBytes(done.media?.id ?? '')).toEqual(film);
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'progress');
    expect(kinds).toEqual(['request', 'response', 'media', 'exchange-end', 'media']);
  });

  it("sends the key only to the connection's origin", async () => {
    const elsewhere = await serve(sendFilm);
    const own = await serve(sendFilm);
    const { context } = await contextFor(`${own.url}/gate/v1`);
    await context.download('/files/1.mp4', null);
    await context.download(`${own.url}/files/2.mp4`, null);
    await context.download(`${elsewhere.url}/files/3.mp4`, null);
    expect(own.requests.map(withKey)).toEqual([true, true]);
    expect(elsewhere.requests.map(withKey)).toEqual([false]);
  });

  it('follows redirects without the key once they leave its origin', async () => {
    const own = await serve(({ request, send }) => {
      const isFirst = request.startsWith('GET /first');
      const target = isFirst ? '/second' : `${elsewhere.url}/third`;
      const answer = reply('302 Found', { Location: target }, '');
      return send(request.startsWith('GET /last') ? Buffer.from(filmReply) : answer);
    });
    const filmReply = reply('200 OK', { 'Content-Type': 'video/mp4' }, film);
    const elsewhere = await serve(({ send }) =>
      send(reply('307 Temporary Redirect', { Location: `${own.url}/last` }, '')),
    );
    const { context, events } = await contextFor(own.url);
    const done = await context.download('/first', null);
    expect(done).toMatchObject({ status: 'succeeded', exchange: 6, media: { complete: true } });
    expect(own.requests.map((request) => [request.split(' ')[1], withKey(request)])).toEqual([
      ['/first', true],
      ['/second', true],
      ['/last', false],
    ]);
    expect(elsewhere.requests.map(withKey)).toEqual([false]);
    expect(JSON.stringify(events)).not.toContain(key);
  });

  it.each([
    [
      'endless redirects',
      ({ send }: Parameters<Script>[0]) => send(reply('302 Found', { Location: '/again' }, '')),
    ],
    [
      'another protocol',
      ({ send }: Parameters<Script>[0]) =>
        send(reply('302 Found', { Location: 'file:///etc/passwd' }, '')),
    ],
    [
      'a web page',
      ({ send }: Parameters<Script>[0]) =>
        send(reply('200 OK', { 'Content-Type': 'text/html' }, '<!doctype html>')),
    ],
  ])('rejects %s', async (_name, script) => {
    const server = await serve(script);
    const { context } = await contextFor(server.url);
    const done = await context.download('/files/1.mp4', null);
    expect(done).toMatchObject({
      status: 'failed',
      error: { kind: 'malformed-response' },
      media: null,
      partial: null,
    });
    expect(server.requests.length).toBeLessThan(8);
  });

  /** Breaks off the first response after 10,000 bytes. `rest` sends the second one. */
  function breaking(rest: Script): Promise<WireServer> {
    let isFirst = true;
    return serve(async (exchange) => {
      if (!isFirst) return rest(exchange);
      isFirst = false;
      await exchange.send(
        `HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nETag: "v1"\r\nContent-Length: ${film.length}\r\n\r\n`,
      );
      await exchange.send(film.subarray(0, 10_000));
      exchange.socket.destroy();
    });
  }

  async function resumed(rest: Script) {
    const server = await breaking(rest);
    const bench = await contextFor(server.url);
    const first: DownloadedFile = await bench.context.download('/files/1.mp4', null);
    expect(first).toMatchObject({ status: 'failed', error: { kind: 'stream-cut' } });
    expect(first.partial?.output.doneBytes).toBe(10_000);
    const second = await bench.context.download('/files/1.mp4', first.partial);
    return { ...bench, server, first, second };
  }

  it('resumes where it broke off', async () => {
    const { server, media, first, second, events } = await resumed(({ send }) =>
      send(
        reply(
          '206 Partial Content',
          {
            'Content-Type': 'video/mp4',
            'Content-Range': `bytes 10000-${film.length - 1}/${film.length}`,
          },
          film.subarray(10_000),
        ),
      ),
    );
    expect(server.requests[1]).toContain('Range: bytes=10000-\r\nIf-Range: "v1"\r\n');
    expect(second).toMatchObject({ status: 'succeeded', partial: null });
    expect(second.media?.id).toBe(first.partial?.output.id);
    expect(await media.readBytes(second.media?.id ?? '')).toEqual(film);
    const last = events.findLast((event) => event.kind === 'progress');
    expect(last).toMatchObject({ doneBytes: film.length, totalBytes: film.length });
  });

  it('restarts if the gateway sends the whole file', async () => {
    const { media, first, second } = await resumed(sendFilm);
    expect(second).toMatchObject({ status: 'succeeded' });
    expect(await media.readBytes(second.media?.id ?? '')).toEqual(film);
    expect(media.get(first.partial?.output.id ?? '')).toBeNull();
  });

  it('restarts if the gateway rejects the range', async () => {
    let refused = false;
    const { second, server } = await resumed((exchange) => {
      if (refused) return sendFilm(exchange);
      refused = true;
      return exchange.send(reply('416 Range Not Satisfiable', {}, ''));
    });
    expect(second).toMatchObject({ status: 'succeeded', media: { sizeBytes: film.length } });
    expect(server.requests[2]).not.toContain('Range:');
  });

  it('completes if the gateway has no bytes left', async () => {
    const { first, second, server } = await resumed(({ send }) =>
      send(reply('416 Range Not Satisfiable', { 'Content-Range': 'bytes */10000' }, '')),
    );
    expect(second).toMatchObject({ status: 'succeeded', media: { sizeBytes: 10_000 } });
    expect(second.media?.id).toBe(first.partial?.output.id);
    expect(server.requests).toHaveLength(2);
  });

  it('rejects a part that doesn’t continue the file', async () => {
    const { second } = await resumed(({ send }) =>
      send(
        reply(
          '206 Partial Content',
          { 'Content-Type': 'video/mp4', 'Content-Range': `bytes 0-${film.length - 1}/*` },
          film,
        ),
      ),
    );
    expect(second).toMatchObject({ status: 'failed', error: { kind: 'malformed-response' } });
  });

  it('keeps the received part if it is not resumed', async () => {
    const server = await breaking(sendFilm);
    const { context, media } = await contextFor(server.url);
    const first = await context.download('/files/1.mp4', null);
    await context.close();
    const kept = media.get(first.partial?.output.id ?? '');
    expect(kept).toMatchObject({ complete: true, sizeBytes: 10_000 });
  });
});
