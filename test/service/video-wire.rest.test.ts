/** Plays video tasks in the formats of providers, and checks the requests on the socket. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { canFollowAgain } from '../../shared/run.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { completed, film, json, KEY } from '../fixtures/task-gateway.ts';
import { shareServices } from '../fixtures/test-services.ts';
import { ended, notedPauses, runVideo, startVideo, videoServices } from '../fixtures/video-run.ts';
import { jsonReply, reply, startWireServer } from '../fixtures/wire-server.ts';

const caseSchema = z.object({
  replies: z.array(
    z.object({
      to: z.string(),
      status: z.number(),
      headers: z.record(z.string(), z.string()),
      body: z.union([z.object({ text: z.string() }), z.object({ base64: z.string() })]),
    }),
  ),
});

/** Returns the request line without the HTTP version. */
const lineOf = (request: string) => request.split(' HTTP/', 1)[0];

describe('video bug reports of other tools', () => {
  it.each([
    ['veo-done', 'v.mp4', 'failed'],
    ['video-piapi', 'clean.mp4', 'succeeded'],
  ])('%s', async (name, file, status) => {
    const path = new URL(`../fixtures/wire/cases/${name}.json`, import.meta.url);
    const { replies } = caseSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    const server = await startWireServer(async ({ request, send }) => {
      const to = request.startsWith('POST')
        ? 'POST'
        : request.includes('/file/')
          ? '/file/'
          : '{id}';
      const next = replies.find((one) => one.to.includes(to));
      if (next === undefined) return send(jsonReply({}, '404 Not Found'));
      const { body } = next;
      const whole =
        'base64' in body
          ? Buffer.from(body.base64, 'base64')
          : body.text.replaceAll('http://127.0.0.1:4731', server.url);
      await send(reply(`${next.status} Status`, next.headers, whole));
    });
    onTestFinished(() => server.close());
    const services = await videoServices(`${server.url}/b/${name}`);
    const view = await ended(services, await startVideo(services));
    // The file in the first bug report is JSON instead of a video.
    expect(view.status).toBe(status);
    expect(server.requests.map(lineOf)).toEqual([
      `POST /b/${name}/v1/video/generations`,
      `GET /b/${name}/v1/video/generations/t-1`,
      `GET /b/${name}/file/${file}`,
    ]);
  });
});

/** Starts a gateway that answers each request path with JSON or a video. */
async function serve(answers: Record<string, object | Buffer>) {
  return serveScript(async ({ request, send }) => {
    const [, path = ''] = request.split(' ', 2);
    const answer = answers[request.startsWith('POST') ? 'POST' : path];
    if (answer === undefined) {
      return send(jsonReply({ error: { message: 'Invalid URL' } }, '404 Not Found'));
    }
    return send(
      Buffer.isBuffer(answer)
        ? reply('200 OK', { 'Content-Type': 'video/mp4' }, answer)
        : jsonReply(answer),
    );
  });
}

const shared = await shareServices({ polling: notedPauses().polling });

async function runOn({ url }: { url: string }, basePath = '', follow: string | null = null) {
  const { connections, engine } = shared;
  const { id } = await connections.create({ name: 'Gateway', baseUrl: url + basePath });
  await connections.setKey(id, KEY, 'session');
  const request = { model: 'v-1', prompt: 'A boat' };
  const input = { connectionId: id, operation: 'video', request, follow } as const;
  return ended(shared, await engine.start(input));
}

const hasFilm = { status: 'succeeded', state: { media: [{ kind: 'video', complete: true }] } };
const done = { name: 'operations/t-1', done: true };

describe('a task identified in another way', () => {
  it.each([
    ['its encoded name', '/v1/video/generations/operations%2Ft-1'],
    ['the path of the Gemini API', '/v1beta/operations/t-1'],
  ])('polls the task at %s', async (_name, path) => {
    const server = await serve({
      POST: { name: 'operations/t-1' },
      [`/gw${path}`]: {
        ...done,
        response: { generatedVideos: [{ video: { uri: 'file/v.mp4' } }] },
      },
      '/gw/file/v.mp4': film,
    });
    expect(await runOn(server, '/gw/v1')).toMatchObject(hasFilm);
  });

  it('polls the task’s own URL with the key, and resumes it there', async () => {
    const server = await serve({
      POST: { id: 't-1', polling_url: '/api/v1/videos/t-1', status: 'pending' },
      '/api/v1/videos/t-1': { id: 't-1', status: 'completed', unsigned_urls: ['/files/1.mp4'] },
      '/files/1.mp4': film,
    });
    const view = await runOn(server, '/api/v1');
    expect(view).toMatchObject(hasFilm);
    expect(view.state).toMatchObject({ taskId: 't-1', pollingUrl: '/api/v1/videos/t-1' });
    expect(server.requests[1]).toContain(KEY);
    const again = await runOn(server, '/api/v1', '/api/v1/videos/t-1');
    expect(again).toMatchObject(hasFilm);
    expect(again.state).toMatchObject({ taskId: 't-1', pollingUrl: '/api/v1/videos/t-1' });
  });

  it('polls a URL of another origin only without the key', async () => {
    const elsewhere = await serve({ '/t-1': { status: 'succeeded', video: { url: '/1.mp4' } } });
    const server = await serve({
      POST: { polling_url: `${elsewhere.url}/t-1`, status: 'queued' },
      '/1.mp4': film,
    });
    expect(await runOn(server)).toMatchObject(hasFilm);
    expect(elsewhere.requests.map(lineOf)).toEqual(['GET /t-1']);
    expect(elsewhere.requests.join()).not.toContain('uthorization');
  });

  it.each<[string, object]>([
    ['the task', { id: 't-1', status: 'completed', video: { url: '/1.mp4' } }],
    ['the video', film],
  ])('polls a URL that may be the task’s or the video’s: %s', async (_name, answer) => {
    const server = await serve({
      POST: { id: 't-1', url: '/tasks/t-1' },
      '/tasks/t-1': answer,
      '/1.mp4': film,
    });
    expect(await runOn(server)).toMatchObject(hasFilm);
  });

  it('polls the task’s other URL if the first one has no status', async () => {
    const elsewhere = await serve({ '/t-1': film });
    const reply = { id: 't-1', url: `${elsewhere.url}/t-1` };
    const server = await serve({ POST: reply, '/v1/video/generations/t-1': reply });
    expect(await runOn(server)).toMatchObject(hasFilm);
  });

  it('polls by ID if the task’s URL is a web page', async () => {
    const server = await serveScript(async ({ request, send }) => {
      const [, path = ''] = request.split(' ', 2);
      const video = { id: 't-1', status: 'completed', video: { url: '/1.mp4' } };
      if (path === '/tasks/t-1') return send(reply('200 OK', {}, '<!doctype html><p>Task'));
      if (path === '/1.mp4') return send(reply('200 OK', { 'Content-Type': 'video/mp4' }, film));
      const isPoll = path.endsWith('/t-1');
      await send(jsonReply(isPoll ? video : { id: 't-1', url: '/tasks/t-1' }));
    });
    expect(await runOn(server)).toMatchObject(hasFilm);
  });

  it('polls by ID first if the task’s URL has another origin', async () => {
    const elsewhere = await serve({});
    const server = await serve({
      POST: { id: 't-1', polling_url: `${elsewhere.url}/t-1` },
      '/v1/video/generations/t-1': { status: 'succeeded', video: { url: '/1.mp4' } },
      '/1.mp4': film,
    });
    expect(await runOn(server)).toMatchObject(hasFilm);
    expect(elsewhere.requests).toEqual([]);
  });

  it('fails after three rejections at all of its URLs', async () => {
    const server = await serve({ POST: { name: 'operations/t-1' } });
    const view = await runOn(server);
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'not-found' } });
    expect(canFollowAgain(view)).toBe(true);
    expect(server.requests).toHaveLength(1 + 3 * 3);
  });
});

describe('a completed task without a link', () => {
  it.each([
    ['/gw', '/gw/v1', '/video/generations/t-1/content'],
    ['/api/v3', '/api/v3', '/videos/t-1/content'],
  ])('finds its video under the base URL %s at %s%s', async (basePath, version, path) => {
    const server = await serve({
      POST: { id: 't-1' },
      [`${version}/video/generations/t-1`]: { id: 't-1', status: 'completed' },
      [version + path]: film,
    });
    expect(await runOn(server, basePath)).toMatchObject(hasFilm);
    expect(server.requests.at(-1)).toContain(KEY);
  });

  it('finds its result at another URL', async () => {
    const server = await serve({
      POST: { request_id: 'r-1', status_url: '/r-1/status', response_url: '/r-1' },
      '/r-1/status': { status: 'COMPLETED', request_id: 'r-1', response_url: '/r-1' },
      '/r-1': { video: { url: '/1.mp4', content_type: 'video/mp4' } },
      '/1.mp4': film,
    });
    expect(await runOn(server)).toMatchObject(hasFilm);
  });

  it('finds its video at the status URL', async () => {
    const server = await serve({ POST: { id: 't-1' }, '/gw/v1/video/generations/t-1': film });
    const view = await runOn(server, '/gw');
    expect(view).toMatchObject(hasFilm);
    expect(server.requests).toHaveLength(3);
  });

  it('finds its video next to its own URL', async () => {
    const server = await serve({
      POST: { id: 't-1', polling_url: '/jobs/t-1?a=1' },
      '/jobs/t-1?a=1': { id: 't-1', status: 'completed' },
      '/jobs/t-1/content': film,
    });
    expect(await runOn(server)).toMatchObject(hasFilm);
  });

  it('fails within seconds with an error that shows the response', async () => {
    const { gateway, view, pauses } = await runVideo({ polls: [completed({ note: 'Alpha' })] });
    expect(view).toMatchObject({
      status: 'failed',
      error: {
        kind: 'malformed-response',
        gateway: { bodyExcerpt: expect.stringMatching(/Alpha/) },
      },
    });
    expect(view.error?.message).toContain('returned no link.');
    expect(canFollowAgain(view)).toBe(true);
    expect(gateway.contents()).toHaveLength(2);
    expect(gateway.polls()).toHaveLength(4);
    expect(pauses.filter((ms) => ms > 0).slice(1)).toEqual([1000, 2000, 4000]);
  });

  it('fails with the reason in its response', async () => {
    const poll = { ...done, response: { raiMediaFilteredReasons: ['Blocked.'] } };
    const { gateway, view } = await runVideo({ polls: [json(poll)] });
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'task-failed' } });
    expect(view.error?.message).toContain('without a video: Blocked.');
    expect(gateway.polls()).toHaveLength(1);
    expect(gateway.contents()).toHaveLength(0);
  });

  it('succeeds with a warning if only some videos were withheld', async () => {
    const response = { raiMediaFilteredReasons: ['Blocked.'], videos: [{ uri: '/1.mp4' }] };
    const { view } = await runVideo({ polls: [json({ ...done, response })] });
    expect(view).toMatchObject(hasFilm);
    expect(view.state.warnings).toEqual(['The gateway withheld part of the result: Blocked.']);
  });

  it('finds its video in the response', async () => {
    const bytesBase64Encoded = film.toString('base64');
    const response = { videos: [{ bytesBase64Encoded, mimeType: 'video/mp4' }] };
    const { view } = await runVideo({ polls: [json({ ...done, response })] });
    expect(view).toMatchObject(hasFilm);
    expect(JSON.stringify(view)).not.toContain(bytesBase64Encoded.slice(0, 60));
  });
});

it.each([
  ['file/v.mp4', '/gw/a/file/v.mp4'],
  ['gw/a/file/v.mp4', '/gw/a/file/v.mp4'],
  ['/file/v.mp4', '/file/v.mp4'],
])('resolves the link %s under the path of the base URL', async (url, path) => {
  const server = await serve({
    POST: { id: 't-1' },
    '/gw/a/v1/video/generations/t-1': { id: 't-1', status: 'completed', url },
    [path]: film,
  });
  const view = await runOn(server, '/gw/a/v1');
  expect(view).toMatchObject(hasFilm);
  expect(view.state.resolved).toEqual({ [url]: server.url + path });
});
