import { describe, expect, it } from 'vitest';
import {
  bytes,
  completed,
  drop,
  film,
  filmDownload,
  json,
  running,
  startTaskGateway,
} from '../fixtures/task-gateway.ts';
import { ended, notedPauses, startVideo, videoServices } from '../fixtures/video-run.ts';

const queued = json({ task_id: 't-1', status: 'queued' });

describe('a video task', () => {
  it('is submitted once, polled until it is completed, and fetched', async () => {
    const gateway = await startTaskGateway({
      polls: [queued, running, completed()],
      download: filmDownload,
    });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view).toMatchObject({ status: 'succeeded', error: null });
    expect(view.state).toMatchObject({
      taskId: 't-1',
      status: 'completed',
      pollCount: 3,
      format: 'mp4',
      media: [{ kind: 'video', type: 'video/mp4', complete: true, sizeBytes: film.length }],
      download: { doneBytes: film.length, totalBytes: film.length },
    });
    expect(gateway.submits()).toHaveLength(1);
    expect(gateway.polls()).toHaveLength(3);
    expect(gateway.downloads()).toHaveLength(1);
  });

  it('is polled with growing pauses, from 2 to 15 seconds', async () => {
    const { polling, pauses } = notedPauses();
    const gateway = await startTaskGateway({
      polls: [...Array.from({ length: 9 }, () => running), completed()],
      download: filmDownload,
    });
    const services = await videoServices(gateway.url, { polling });
    await ended(services, await startVideo(services));
    expect(pauses).toHaveLength(10);
    expect(pauses[0]).toBe(2000);
    expect(pauses.at(-1)).toBe(15_000);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  });

  it('waits as long as a busy gateway asks, and continues', async () => {
    const { polling, pauses } = notedPauses();
    const busy = json({ error: { message: 'slow down' } }, '429 Too Many Requests', {
      'Retry-After': '30',
    });
    const gateway = await startTaskGateway({
      polls: [busy, busy, busy, busy, completed()],
      download: filmDownload,
    });
    const services = await videoServices(gateway.url, { polling });
    expect(await ended(services, await startVideo(services))).toMatchObject({
      status: 'succeeded',
    });
    expect(pauses.filter((ms) => ms === 30_000)).toHaveLength(4);
  });

  it('is only slowed by a network that drops and a proxy that answers with its own page', async () => {
    const { polling, pauses } = notedPauses();
    const page = bytes(Buffer.from('<html>Bad gateway</html>'), 'text/html');
    const gateway = await startTaskGateway({
      polls: [drop, drop, page, drop, drop, json({}, '502 Bad Gateway'), completed()],
      download: filmDownload,
    });
    const services = await videoServices(gateway.url, { polling });
    const view = await ended(services, await startVideo(services));
    expect(view.status).toBe('succeeded');
    expect(view.state.pollCount).toBe(1);
    expect(pauses[6]).toBeGreaterThan(pauses[1] ?? 0);
  });

  it('is understood in the wrapped form, with other words', async () => {
    const wrapped = (data: object) => json({ code: 'success', message: '', data });
    const gateway = await startTaskGateway({
      submit: wrapped({ task_id: 't-1', status: 'NOT_START' }),
      polls: [
        wrapped({ task_id: 't-1', status: 'IN_PROGRESS', progress: '30%' }),
        wrapped({ task_id: 't-1', status: 'SUCCESS', fail_reason: '/files/film.mp4' }),
      ],
      download: filmDownload,
    });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view).toMatchObject({ status: 'succeeded', state: { word: 'SUCCESS' } });
    expect(view.state.resolved).toEqual({ '/files/film.mp4': `${gateway.url}/files/film.mp4` });
  });

  it('is understood in a list of one', async () => {
    const gateway = await startTaskGateway({
      submit: json([{ task_id: 't-1', status: 'queued' }]),
      polls: [json([{ task_id: 't-1', status: 'completed', url: '/files/film.mp4' }])],
      download: filmDownload,
    });
    const services = await videoServices(gateway.url);
    expect(await ended(services, await startVideo(services))).toMatchObject({
      status: 'succeeded',
      state: { taskId: 't-1', warnings: [] },
    });
  });

  it('shows an unknown word unchanged, and keeps polling', async () => {
    const gateway = await startTaskGateway({
      polls: [json({ task_id: 't-1', status: 'rendering_pass_2' }), completed()],
      download: filmDownload,
    });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view.status).toBe('succeeded');
    expect(view.state).toMatchObject({ word: 'completed', warnings: [] });
  });

  it('fails with the code and message of the gateway', async () => {
    const error = { code: 1201, message: 'No GPU left' };
    const gateway = await startTaskGateway({
      polls: [running, json({ task_id: 't-1', status: 'failed', error })],
    });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view).toMatchObject({
      status: 'failed',
      error: { kind: 'task-failed' },
      state: { status: 'failed', error: { code: '1201', message: 'No GPU left' } },
    });
    expect(view.error?.message).toContain('(code 1201): No GPU left');
    expect(view.error?.nextStep).toBe('Change the prompt or the settings, then retry.');
  });

  it.each(['expired', 'canceled', 'TASK_STATUS_TIMED_OUT'])(
    'that ended with the status %s can run again as it is',
    async (status) => {
      const gateway = await startTaskGateway({ polls: [json({ task_id: 't-1', status })] });
      const services = await videoServices(gateway.url);
      const view = await ended(services, await startVideo(services));
      expect(view.error).toMatchObject({ kind: 'task-failed', nextStep: 'Retry.' });
    },
  );

  it('is not failed by an empty error object beside its status', async () => {
    const error = { code: 0, message: '' };
    const gateway = await startTaskGateway({
      submit: json({ task_id: 't-1', status: 'queued', error }),
      polls: [json({ task_id: 't-1', status: 'in_progress', error }), completed()],
      download: filmDownload,
    });
    const services = await videoServices(gateway.url);
    expect((await ended(services, await startVideo(services))).status).toBe('succeeded');
  });

  it.each([
    [
      'task_not_exist without an error key',
      json({ code: 'task_not_exist', message: 'task not exist', data: null }, '400 Bad Request'),
      'gateway',
    ],
    [
      'task_not_exist with status 200',
      json({ code: 'task_not_exist', message: 'task not exist', data: null }),
      'gateway',
    ],
    [
      '401',
      json({ error: { code: '', message: 'Invalid token', type: 'x' } }, '401 Unauthorized'),
      'unauthorized',
    ],
  ])('gives up after three refusals in a row: %s', async (_name, refusal, kind) => {
    const gateway = await startTaskGateway({ polls: [running, refusal] });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view).toMatchObject({ status: 'failed', error: { kind }, state: { taskId: 't-1' } });
    expect(view.error?.nextStep).toContain('follow the task again');
    expect(gateway.polls()).toHaveLength(4);
  });

  it('forgives a refusal that passes', async () => {
    const refusal = json({ error: { message: 'Invalid token' } }, '401 Unauthorized');
    const gateway = await startTaskGateway({
      polls: [refusal, refusal, running, refusal, refusal, completed()],
      download: filmDownload,
    });
    const services = await videoServices(gateway.url);
    expect((await ended(services, await startVideo(services))).status).toBe('succeeded');
  });
});
