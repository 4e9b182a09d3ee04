import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { completed, film, filmDownload, json, startTaskGateway } from '../fixtures/task-gateway.ts';
import { ended, runVideo, startVideo, videoServices } from '../fixtures/video-run.ts';

const dataUrl = `data:video/mp4;base64,${film.toString('base64')}`;

describe('the video of a completed task', () => {
  it('resumes a broken download into the same file', async () => {
    const half = 1500;
    let first = true;
    const { gateway, view } = await runVideo({
      async download({ request, send, socket }) {
        const head = (status: string, more: string, length: number) =>
          `HTTP/1.1 ${status}\r\nContent-Type: video/mp4\r\nETag: "v1"\r\n${more}Content-Length: ${length}\r\n\r\n`;
        if (first) {
          first = false;
          await send(head('200 OK', '', film.length));
          await send(film.subarray(0, half));
          socket.destroy();
          return;
        }
        const from = Number(/^range: bytes=(\d+)-/im.exec(request)?.[1]);
        const range = `Content-Range: bytes ${from}-${film.length - 1}/${film.length}\r\n`;
        await send(head('206 Partial Content', range, film.length - from));
        await send(film.subarray(from));
      },
    });
    expect(view).toMatchObject({ status: 'succeeded' });
    expect(view.state.media).toMatchObject([{ complete: true, sizeBytes: film.length }]);
    expect(gateway.downloads()[1]).toMatch(/^range: bytes=1500-/im);
    expect(gateway.downloads()[1]).toMatch(/^if-range: "v1"/im);
  });

  it.each([
    ['a data URL', { url: dataUrl }],
    [
      'base64 with line breaks',
      { video: { b64_json: film.toString('base64').replace(/.{76}/g, '$&\r\n') } },
    ],
  ])('stores the video from %s, and never in the ledger', async (_name, more) => {
    const gateway = await startTaskGateway({ polls: [completed(more)] });
    const services = await videoServices(gateway.url);
    const runId = await startVideo(services);
    const view = await ended(services, runId);
    expect(view).toMatchObject({
      status: 'succeeded',
      state: { urls: [], media: [{ kind: 'video', complete: true, sizeBytes: film.length }] },
    });
    expect(JSON.stringify(view)).not.toContain(film.toString('base64').slice(0, 60));
  });

  it.each([
    ['/files/视频.mp4', '/files/%E8%A7%86%E9%A2%91.mp4'],
    ['../files/film.mp4#t=1', '/files/film.mp4'],
    ['files/film.mp4?x=1', '/files/film.mp4?x=1'],
  ])('shows the URL it was fetched from: %s', async (url, path) => {
    const polls = [completed({ url })];
    const {
      gateway,
      view: { state },
    } = await runVideo({ polls });
    expect(state.urls).toEqual([url]);
    expect(state.resolved).toEqual({ [url]: gateway.url + path });
  });

  it('stops halfway if the user cancels, and keeps the task', async () => {
    let isClosed = false;
    const gateway = await startTaskGateway({
      async download({ send, socket }) {
        socket.on('close', () => {
          isClosed = true;
        });
        const length = film.length * 1000;
        await send(
          `HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: ${length}\r\n\r\n`,
        );
        await send(film);
      },
    });
    const services = await videoServices(gateway.url);
    const runId = await startVideo(services);
    await expect.poll(() => gateway.downloads().length).toBe(1);
    await services.engine.cancel(runId);
    expect(await ended(services, runId)).toMatchObject({
      status: 'cancelled',
      state: { status: 'completed', taskId: 't-1' },
    });
    await expect.poll(() => isClosed).toBe(true);
  });

  it('downloads the video if the user resumes the task', async () => {
    let expired = true;
    const gateway = await startTaskGateway({
      download: (exchange) =>
        (expired ? json({ error: { message: 'Expired' } }, '403 Forbidden') : filmDownload)(
          exchange,
        ),
    });
    const services = await videoServices(gateway.url);
    const first = await ended(services, await startVideo(services));
    expect(first.status).toBe('failed');
    expired = false;
    const again = await startVideo(services, { prompt: 'A boat', model: 'v-1' }, { follow: 't-1' });
    expect(await ended(services, again)).toMatchObject({ status: 'succeeded', preview: 'A boat' });
    expect(gateway.submits()).toHaveLength(1);
  });
});

describe('several videos of a task', () => {
  const urls = ['/files/1.mp4', '/files/2.mp4', '/files/3.mp4'];
  const pathOf = (head: string | undefined) => head?.split(' ', 2)[1];

  it('downloads all videos once, even if one appears later', async () => {
    let isThere = false;
    const { gateway, view } = await runVideo({
      polls: [completed({ videos: urls.map((url) => ({ url })) })],
      download(exchange) {
        if (pathOf(exchange.request) !== urls[1] || isThere) return filmDownload(exchange);
        isThere = true;
        return storageAnswer('404 Not Found')(exchange);
      },
    });
    expect(view).toMatchObject({ status: 'succeeded', state: { urls, warnings: [] } });
    expect(view.state.media.map(({ kind, complete }) => [kind, complete])).toEqual([
      ['video', true],
      ['video', true],
      ['video', true],
    ]);
    expect(gateway.downloads().map(pathOf)).toEqual([urls[0], urls[1], urls[1], urls[2]]);
  });

  it('keeps the other videos if one fails, and names it in the error', async () => {
    const { view } = await runVideo({
      polls: [completed({ url: urls })],
      download: (exchange) =>
        (pathOf(exchange.request) === urls[1]
          ? json({ error: { message: 'Sign in' } }, '401 Unauthorized')
          : filmDownload)(exchange),
    });
    expect(view).toMatchObject({ status: 'failed', state: { urls } });
    expect(view.error?.message).toMatch(/^Video 2 of 3 is ready, but/);
    expect(view.state.media).toHaveLength(2);
  });

  it('doesn’t download videos again after a restart', async () => {
    const home = temporaryFolder();
    let isSlow = true;
    const gateway = await startTaskGateway({
      polls: [completed({ url: urls })],
      download(exchange) {
        if (pathOf(exchange.request) !== urls[1] || !isSlow) return filmDownload(exchange);
        isSlow = false;
      },
    });
    const before = await videoServices(gateway.url, { home });
    const runId = await startVideo(before);
    await expect.poll(() => gateway.downloads().length).toBe(2);
    await before.close();
    const after = await videoServices(gateway.url, { home });
    expect(await ended(after, runId)).toMatchObject({ status: 'succeeded' });
    expect(gateway.downloads().map(pathOf)).toEqual([urls[0], urls[1], urls[1], urls[2]]);
  });
});

/** Builds an error response in the style of storage services. */
function storageAnswer(status: string) {
  return json({ Code: 'NoSuchKey' }, status);
}
