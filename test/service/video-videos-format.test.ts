/** Runs the Videos format on a scripted gateway. */
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { bytes, drop, film, json, startTaskGateway } from '../fixtures/task-gateway.ts';
import { ended, runVideo, startVideo, videoServices } from '../fixtures/video-run.ts';

const request = { model: 'm', prompt: 'A boat', format: 'videos' };
const task = (fields: object) => json({ id: 'v-1', object: 'video', ...fields });
const queued = task({ status: 'queued', progress: 0 });
const done = task({ status: 'completed', progress: 100, seconds: '8', size: '1280x720' });
const content = bytes(film, 'video/mp4');

/** Returns the request lines without the HTTP version. */
const lines = (heads: readonly string[]) => heads.map((head) => head.split(' HTTP')[0]);

describe('a run in the Videos format', () => {
  it('polls its own path, and downloads the content with the key', async () => {
    const { gateway, view } = await runVideo(
      { submit: queued, polls: [task({ status: 'in_progress', progress: 40 }), done], content },
      request,
    );
    expect(view).toMatchObject({ status: 'succeeded', format: 'videos', state: { pollCount: 2 } });
    expect(lines(gateway.requests)).toEqual([
      'POST /v1/videos',
      ...['GET /v1/videos/v-1', 'GET /v1/videos/v-1', 'GET /v1/videos/v-1/content'],
    ]);
    expect(gateway.contents()[0]).toContain('Bearer');
    expect(view.media).toMatchObject([{ kind: 'video', complete: true }]);
  });

  it('keeps the video if the gateway has no images of it', async () => {
    const answers = [content, json({ error: { message: 'No such variant' } }, '404 Not Found')];
    const { gateway, view } = await runVideo(
      {
        submit: queued,
        polls: [done],
        content: (exchange) => (answers.length > 1 ? answers.shift() : answers[0])?.(exchange),
      },
      { ...request, variants: ['thumbnail', 'spritesheet'] },
    );
    expect(view).toMatchObject({ status: 'succeeded', error: null });
    expect(view.media).toHaveLength(1);
    expect(lines(gateway.contents()).slice(1)).toEqual([
      'GET /v1/videos/v-1/content?variant=thumbnail',
      'GET /v1/videos/v-1/content?variant=spritesheet',
    ]);
  });

  it.each([
    [
      'an error',
      { error: { code: 'moderation_blocked', message: 'No faces.' } },
      /moderation_blocked.*No faces/,
    ],
    ['a text', { error: 'No faces.' }, /No faces/],
    ['no reason', { error: null }, /no reason/],
  ])('fails with %s of the task', async (_name, fields, message) => {
    const failing = task({ status: 'failed', ...fields });
    const { view } = await runVideo({ submit: queued, polls: [failing] }, request);
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'task-failed' } });
    expect(view.error?.message).toMatch(message);
  });

  it.each([
    ['a web page', bytes(Buffer.from('<html>Hi</html>'), 'text/html'), 'failed'],
    [
      'the wrong content type',
      bytes(Buffer.from('{"id":"v-1","status":"completed"}'), 'text/plain'),
      'succeeded',
    ],
    ['a broken connection', drop, 'unknown'],
    ['no task', json({ object: 'list', data: [] }), 'failed'],
  ])('accepts %s as the response to its request', async (_name, submit, status) => {
    const { gateway, view } = await runVideo({ submit, polls: [done], content }, request);
    expect(view.status).toBe(status);
    expect(gateway.submits()).toHaveLength(1);
  });

  it('polls again after a broken connection', async () => {
    const polls = [drop, json({ error: { message: 'Busy' } }, '503 Service Unavailable'), done];
    const { view } = await runVideo({ submit: queued, polls, content }, request);
    expect(view.status).toBe('succeeded');
  });

  it('continues after a restart without sending the request again', async () => {
    const home = temporaryFolder();
    const gateway = await startTaskGateway({ submit: queued, polls: [queued], content });
    const first = await videoServices(gateway.url, { home });
    const id = await startVideo(first, request);
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(0);
    await first.close();
    const later = await startTaskGateway({ polls: [done], content });
    const second = await videoServices(later.url, { home });
    const view = await ended(second, id);
    expect(view.status).toBe('succeeded');
    expect(gateway.submits()).toHaveLength(1);
    expect(lines(later.requests)[0]).toBe('GET /v1/videos/v-1');
  });
});
