import { describe, expect, it } from 'vitest';
import { readVideoTask } from '../../shared/operations/video/task-reply.ts';

describe('readVideoTask', () => {
  it('reads the documented form', () => {
    expect(
      readVideoTask({
        task_id: 't1',
        status: 'completed',
        url: 'https://cdn.example/v.mp4',
        format: 'mp4',
        metadata: { duration: 5, fps: 24, width: 1280, height: 720, seed: 7 },
      }),
    ).toMatchObject({
      taskId: 't1',
      status: 'completed',
      word: 'completed',
      url: 'https://cdn.example/v.mp4',
      format: 'mp4',
      metadata: { duration: 5, seed: 7 },
      error: null,
    });
  });

  it.each([
    ['NOT_START', 'queued'],
    ['SUBMITTED', 'queued'],
    ['QUEUED', 'queued'],
    ['IN_PROGRESS', 'in_progress'],
    ['processing', 'in_progress'],
    ['SUCCESS', 'completed'],
    ['succeeded', 'completed'],
    ['FAILURE', 'failed'],
    ['UNKNOWN', 'unknown'],
    ['rendering_pass_2', 'unknown'],
  ] as const)('understands the word %s as %s and keeps it', (word, status) => {
    const reply = { code: 'success', message: '', data: { task_id: 't1', status: word } };
    expect(readVideoTask(reply)).toMatchObject({ taskId: 't1', status, word });
  });

  it('finds the address where wrapped and older gateways put it', () => {
    const wrapped = (data: object) => readVideoTask({ code: 'success', data })?.url;
    expect(wrapped({ status: 'SUCCESS', result_url: 'https://a/v.mp4' })).toBe('https://a/v.mp4');
    expect(wrapped({ status: 'SUCCESS', fail_reason: 'https://b/v.mp4' })).toBe('https://b/v.mp4');
    expect(wrapped({ status: 'SUCCESS', data: { video_url: '/v/1.mp4' } })).toBe('/v/1.mp4');
    expect(wrapped({ status: 'IN_PROGRESS', fail_reason: 'https://b/v.mp4' })).toBeNull();
  });

  it('says why a task failed, in either form', () => {
    expect(
      readVideoTask({ task_id: 't', status: 'failed', error: { code: 1201, message: 'No GPU' } }),
    ).toMatchObject({ error: { code: '1201', message: 'No GPU' } });
    expect(
      readVideoTask({ data: { task_id: 't', status: 'FAILURE', fail_reason: 'Blocked' } }),
    ).toMatchObject({ error: { code: null, message: 'Blocked' } });
    expect(readVideoTask({ task_id: 't', status: 'failed' })).toMatchObject({
      error: { message: 'The gateway gave no reason.' },
    });
  });

  it('shows progress as the gateway wrote it', () => {
    expect(readVideoTask({ data: { task_id: 't', status: 'x', progress: '30%' } })?.progress).toBe(
      '30%',
    );
    expect(readVideoTask({ task_id: 't', status: 'x', progress: 0.5 })?.progress).toBe('50%');
  });

  it.each([[null], ['text'], [[]], [{}], [{ error: { message: 'no' } }]])(
    'says nothing about %j',
    (reply) => {
      expect(readVideoTask(reply)).toBeNull();
    },
  );
});
