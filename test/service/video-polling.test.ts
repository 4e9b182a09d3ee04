import { describe, expect, it } from 'vitest';
import { bytes, completed, drop, film, json, running } from '../fixtures/task-gateway.ts';
import { runVideo } from '../fixtures/video-run.ts';

const queued = json({ task_id: 't-1', status: 'queued' });

describe('a video task', () => {
  it('submits the task once, polls until it completes, and downloads the video', async () => {
    const { gateway, view } = await runVideo({ polls: [queued, running, completed()] });
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

  it('backs off between polls from 2 to 15 seconds', async () => {
    const { pauses } = await runVideo({
      polls: [...Array.from({ length: 9 }, () => running), completed()],
    });
    expect(pauses).toHaveLength(10);
    expect(pauses[0]).toBe(2000);
    expect(pauses.at(-1)).toBe(15_000);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  });

  it('waits as long as a busy gateway asks, then continues', async () => {
    const busy = json({ error: { message: 'slow down' } }, '429 Too Many Requests', {
      'Retry-After': '30',
    });
    const { pauses, view } = await runVideo({ polls: [busy, busy, busy, busy, completed()] });
    expect(view).toMatchObject({
      status: 'succeeded',
    });
    expect(pauses.filter((ms) => ms === 30_000)).toHaveLength(4);
  });

  it('survives network drops and error pages from a proxy', async () => {
    const page = bytes(Buffer.from('<html>Bad gateway</html>'), 'text/html');
    const { pauses, view } = await runVideo({
      polls: [drop, drop, page, drop, drop, json({}, '502 Bad Gateway'), completed()],
    });
    expect(view.status).toBe('succeeded');
    expect(view.state.pollCount).toBe(1);
    expect(pauses[6]).toBeGreaterThan(pauses[1] ?? 0);
  });

  it('fails with the code and message of the gateway', async () => {
    const error = { code: 1201, message: 'No GPU left' };
    const { view } = await runVideo({
      polls: [running, json({ task_id: 't-1', status: 'failed', error })],
    });
    expect(view).toMatchObject({
      status: 'failed',
      error: { kind: 'task-failed' },
      state: { status: 'failed', error: { code: '1201', message: 'No GPU left' } },
    });
    expect(view.error?.message).toContain('(code 1201): No GPU left');
    expect(view.error?.nextStep).toBe('Retry, or change the prompt or the settings first.');
  });

  it.each(['expired', 'canceled', 'TASK_STATUS_TIMED_OUT'])(
    'allows rerunning a task that ended with the status %s',
    async (status) => {
      const { view } = await runVideo({ polls: [json({ task_id: 't-1', status })] });
      expect(view.error).toMatchObject({ kind: 'task-failed', nextStep: 'Retry.' });
    },
  );

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
  ])('gives up after three rejections in a row: %s', async (_name, refusal, kind) => {
    const { gateway, view } = await runVideo({ polls: [running, refusal] });
    expect(view).toMatchObject({ status: 'failed', error: { kind }, state: { taskId: 't-1' } });
    expect(view.error?.nextStep).toContain('follow the task again');
    expect(gateway.polls()).toHaveLength(4);
  });

  it('tolerates a temporary rejection', async () => {
    const refusal = json({ error: { message: 'Invalid token' } }, '401 Unauthorized');
    const { view } = await runVideo({
      polls: [refusal, refusal, running, refusal, refusal, completed()],
    });
    expect(view.status).toBe('succeeded');
  });
});
