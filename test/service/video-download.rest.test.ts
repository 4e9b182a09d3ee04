import { describe, expect, it } from 'vitest';
import { canFollowAgain } from '../../shared/run.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import {
  bytes,
  completed,
  drop,
  filmDownload,
  json,
  startTaskGateway,
} from '../fixtures/task-gateway.ts';
import { ended, runVideo, startVideo, videoServices } from '../fixtures/video-run.ts';

describe('the video of a completed task', () => {
  it.each([
    // Gatehouse retries for seconds or up to a minute, with a new link each time.
    ['an expired URL', storageAnswer('403 Forbidden'), 'forbidden', 3],
    ['a missing URL', storageAnswer('404 Not Found'), 'not-found', 7],
  ])('reports a failed download from %s with a next step', async (_name, download, kind, tries) => {
    const { gateway, view } = await runVideo({ download });
    expect(view).toMatchObject({
      status: 'failed',
      error: { kind },
      state: { status: 'completed', taskId: 't-1', media: [] },
    });
    expect(view.error?.message).toContain('its download link has expired');
    expect(view.error?.nextStep).toContain('Follow the task again');
    expect(gateway.downloads()).toHaveLength(tries);
    expect(gateway.polls()).toHaveLength(tries);
    expect(canFollowAgain(view)).toBe(true);
  });

  it('waits for a video or link that appears after the status', async () => {
    const answers = [storageAnswer('404 Not Found'), json({}, '503 Unavailable'), filmDownload];
    const { gateway, pauses, view } = await runVideo({
      polls: [completed({}), completed()],
      download: (exchange) => answers.shift()?.(exchange),
    });
    expect(view).toMatchObject({
      status: 'succeeded',
      state: { media: [{ kind: 'video' }] },
    });
    expect(gateway.downloads()).toHaveLength(3);
    expect(gateway.contents()).toHaveLength(2);
    expect(pauses.filter((ms) => ms > 0).slice(1)).toEqual([1000, 2000, 4000]);
  });

  it.each([
    ['broken off', drop],
    ['not there yet', storageAnswer('404 Not Found')],
  ])(
    'retries a video that is %s after a pause, even if the computer wakes',
    async (_name, missing) => {
      const fetchedAt: number[] = [];
      const gateway = await startTaskGateway({
        async download(exchange) {
          fetchedAt.push(performance.now());
          if (fetchedAt.length > 1) return filmDownload(exchange);
          services.wake();
          await missing(exchange);
        },
      });
      const polling = {
        spacingMs: 0,
        random: () => 0.5,
        pauseMs(ms: number) {
          setImmediate(() => services.wake());
          return ms / 5;
        },
      };
      const services = await videoServices(gateway.url, { polling });
      const view = await ended(services, await startVideo(services));
      expect(view).toMatchObject({
        status: 'succeeded',
      });
      const [first = 0, second = 0] = fetchedAt;
      // One second at a fifth of the speed. A timer may fire slightly early.
      expect(second - first).toBeGreaterThan(190);
    },
  );

  it('names the storage host that rejects the download', async () => {
    const elsewhere = await startTaskGateway({
      polls: [],
      download: storageAnswer('403 Forbidden'),
    });
    const { view } = await runVideo({ polls: [completed({ url: `${elsewhere.url}/a.mp4` })] });
    expect(view.error?.message).toBe(
      `The video is ready, but its download link has expired: ${new URL(elsewhere.url).host} returned HTTP status 403.`,
    );
  });

  it('shows the requested URL instead of a redirect’s', async () => {
    const elsewhere = await startTaskGateway({ polls: [] });
    const urls = [`${elsewhere.url}/files/film.mp4`, '/files/film.mp4'];
    const redirect = json({}, '302 Found', { Location: '/other/film.mp4' });
    const {
      gateway,
      view: { status, state },
    } = await runVideo({
      polls: [completed({ urls })],
      download: (exchange) =>
        (exchange.request.startsWith('GET /files/') ? redirect : filmDownload)(exchange),
    });
    expect(status).toBe('succeeded');
    expect(state.resolved).toEqual({ '/files/film.mp4': `${gateway.url}/files/film.mp4` });
  });
});

describe('several videos of a task', () => {
  const urls = ['/files/1.mp4', '/files/2.mp4', '/files/3.mp4'];
  const pathOf = (head: string | undefined) => head?.split(' ', 2)[1];

  it('accepts an image along with the video', async () => {
    const picture = bytes(
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(200)]),
      'image/png',
    );
    const { view } = await runVideo({
      polls: [completed({ outputs: ['/files/cover.png', '/files/film.mp4'] })],
      download: (exchange) =>
        (exchange.request.includes('.png') ? picture : filmDownload)(exchange),
    });
    expect(view).toMatchObject({
      status: 'succeeded',
      state: { media: [{ type: 'image/png' }, { kind: 'video' }] },
    });
  });

  it('downloads only failed videos after a restart', async () => {
    const home = temporaryFolder();
    const [first, second, third] = urls;
    let isBack = false;
    const gateway = await startTaskGateway({
      polls: [completed({ url: urls })],
      download(exchange) {
        if (isBack || pathOf(exchange.request) === second) return filmDownload(exchange);
        if (pathOf(exchange.request) === first) {
          return json({ error: { message: 'Sign in' } }, '401 Unauthorized')(exchange);
        }
      },
    });
    const before = await videoServices(gateway.url, { home });
    const runId = await startVideo(before);
    await expect.poll(() => gateway.downloads().length).toBe(3);
    await before.close();
    isBack = true;
    const after = await videoServices(gateway.url, { home });
    expect(await ended(after, runId)).toMatchObject({ status: 'succeeded' });
    expect(gateway.downloads().map(pathOf)).toEqual([first, second, third, first, third]);
  });

  it('downloads videos once if a poll reorders and re-signs their links', async () => {
    const { gateway, view } = await runVideo({
      polls: [
        completed({ url: ['/files/1.mp4?s=1', '/files/2.mp4?s=1'] }),
        completed({ url: ['/files/2.mp4?s=2', '/files/1.mp4?s=2'] }),
      ],
      download: (exchange) =>
        (pathOf(exchange.request) === '/files/2.mp4?s=1'
          ? storageAnswer('404 Not Found')
          : filmDownload)(exchange),
    });
    expect(view).toMatchObject({ status: 'succeeded' });
    expect(view.state.media).toHaveLength(2);
    expect(gateway.downloads().map(pathOf)).toEqual([
      '/files/1.mp4?s=1',
      '/files/2.mp4?s=1',
      '/files/2.mp4?s=2',
    ]);
  });
});

/** Builds an error response in the style of storage services. */
function storageAnswer(status: string) {
  return json({ Code: 'NoSuchKey' }, status);
}
