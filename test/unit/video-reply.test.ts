import { describe, expect, it } from 'vitest';
import { readVideoTask } from '../../shared/operations/video/task-response.ts';

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
      addresses: ['https://cdn.example/v.mp4'],
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

  it.each([
    [
      'completed',
      ['complete', 'succeed', 'success', 'done', 'FINISHED', 'ready', 'TASK_STATUS_SUCCEED'],
    ],
    [
      'failed',
      [
        'error',
        'cancelled',
        'Canceled',
        'expired',
        'timeout',
        'timed out',
        'rejected',
        'moderated',
      ],
    ],
    ['queued', ['Pending', 'in-queue', 'created']],
    ['in_progress', ['generating', 'RUNNING', 'In Progress']],
  ] as const)('takes a task as %s by the words of real gateways', (status, words) => {
    for (const word of words) {
      expect(readVideoTask({ task_id: 't1', status: word }), word).toMatchObject({ status, word });
    }
  });

  it.each<[string, object, object]>([
    [
      'data.task_status and task_result.videos',
      {
        code: 0,
        message: 'SUCCEED',
        request_id: 'r-1',
        data: {
          task_id: 't1',
          task_status: 'succeed',
          task_result: { videos: [{ id: 'v1', url: 'https://a/1.mp4', duration: '5' }] },
        },
      },
      { taskId: 't1', status: 'completed', addresses: ['https://a/1.mp4'] },
    ],
    [
      'output.task_id',
      {
        request_id: 'r-1',
        output: { task_id: 't1', task_status: 'SUCCEEDED', video_url: 'https://a/1.mp4' },
      },
      { taskId: 't1', status: 'completed', addresses: ['https://a/1.mp4'] },
    ],
    ['taskId', { taskId: 't1', state: 'waiting' }, { taskId: 't1', status: 'queued' }],
    [
      'only a request_id',
      { request_id: 'r-1', status: 'IN_QUEUE' },
      { taskId: 'r-1', status: 'queued' },
    ],
    ['the id as data', { code: 200, msg: 'success', data: 't1' }, { taskId: 't1', word: '' }],
    ['a number as id', { data: { id: 4711 } }, { taskId: '4711', word: '' }],
    [
      'the status one level above the address',
      { id: 't1', status: 'completed', data: { url: 'https://a/1.mp4' } },
      { taskId: 't1', status: 'completed', addresses: ['https://a/1.mp4'] },
    ],
    [
      'what another gateway said, inside of what this one says',
      {
        code: 'success',
        data: { task_id: 't1', status: 'IN_PROGRESS', data: { id: 'x', status: 'done' } },
      },
      { taskId: 't1', status: 'in_progress' },
    ],
    [
      'content.video_url',
      { id: 't1', status: 'succeeded', content: { video_url: 'https://a/1.mp4' } },
      { taskId: 't1', addresses: ['https://a/1.mp4'] },
    ],
    [
      'the status of its request around it',
      { status: 'success', data: { id: 't1', state: 'processing' } },
      { taskId: 't1', status: 'in_progress', word: 'processing' },
    ],
    [
      'a list of videos, one of which is done',
      {
        id: 't1',
        status: 'processing',
        data: [{ status: 'success', url: 'https://a/1.mp4' }, { status: 'processing' }],
      },
      { taskId: 't1', status: 'in_progress' },
    ],
    [
      'a list of what has IDs of its own',
      { code: 0, data: { id: 't1', status: 'queued', data: [{ task_id: 'asset-1' }] } },
      { taskId: 't1', status: 'queued' },
    ],
    [
      'a list of assets',
      { id: 't1', status: 'queued', data: [{ id: 'asset-1' }] },
      { taskId: 't1', status: 'queued' },
    ],
    [
      'a result that has a status of its own',
      { id: 't1', status: 'in_progress', result: { id: 'v1', status: 'completed' } },
      { taskId: 't1', status: 'in_progress' },
    ],
    [
      'an ID around it that is not its own',
      { id: 'log-1', data: { id: 't1', status: 'queued' } },
      { taskId: 't1', status: 'queued' },
    ],
    [
      'nothing around its list',
      { code: 0, data: [{ task_id: 't1', status: 'queued' }] },
      { taskId: 't1', status: 'queued' },
    ],
    [
      'the status of HTTP beside its own',
      { status: 200, data: { id: 't1', status: 'running' } },
      { taskId: 't1', status: 'in_progress' },
    ],
  ])('reads a task with %s', (_name, reply, expected) => {
    expect(readVideoTask(reply)).toMatchObject(expected);
  });

  it.each<[string, object, string[]]>([
    ['a list', { url: ['https://a/1.mp4'] }, ['https://a/1.mp4']],
    [
      'a list of two',
      { url: ['https://a/1.mp4', 'https://a/2.mp4'] },
      ['https://a/1.mp4', 'https://a/2.mp4'],
    ],
    ['an object', { video: { url: 'https://a/1.mp4' } }, ['https://a/1.mp4']],
    [
      'videos',
      { videos: [{ url: 'https://a/1.mp4' }, { url: 'https://a/2.mp4' }] },
      ['https://a/1.mp4', 'https://a/2.mp4'],
    ],
    ['a path without a slash', { url: 'files/out/1.mp4?sig=a/b' }, ['files/out/1.mp4?sig=a/b']],
    ['a file name', { result_url: 'film.mp4' }, ['film.mp4']],
    [
      'a medium that was in the reply',
      { data: [{ b64_json: `media:${'A'.repeat(22)}` }] },
      [`media:${'A'.repeat(22)}`],
    ],
    [
      'a field of the metadata',
      { metadata: { fps: 24, url: 'https://a/1.mp4' } },
      ['https://a/1.mp4'],
    ],
    ['a list of outputs', { output: ['https://a/1.mp4'] }, ['https://a/1.mp4']],
  ])('finds the address as %s', (_name, more, addresses) => {
    expect(readVideoTask({ task_id: 't1', status: 'completed', ...more })).toMatchObject({
      addresses,
    });
  });

  it.each<[object, object]>([
    [
      { code: 0, data: 'job:123' },
      { taskId: 'job:123', addresses: [], status: 'unknown' },
    ],
    [
      { task_id: 't', status: 'enqueued', video_url: 'pending' },
      { taskId: 't', addresses: [], status: 'unknown' },
    ],
    [{ task_id: 't', status: 'completed', video_url: 'film' }, { addresses: ['film'] }],
    [{ task_id: 't', status: 'archived', video_url: 'out/film' }, { addresses: ['out/film'] }],
    [{ task_id: 't', status: 'completed', url: 's3://a/1.mp4' }, { addresses: ['s3://a/1.mp4'] }],
  ])('tells a link from a word in %j', (reply, expected) => {
    expect(readVideoTask(reply)).toMatchObject(expected);
  });

  it('counts a link for more than a word it does not know, but not for more than one it knows', () => {
    const url = 'https://a/1.mp4';
    expect(readVideoTask({ task_id: 't', status: 'archived', url })?.status).toBe('completed');
    expect(readVideoTask({ task_id: 't', url })?.status).toBe('completed');
    expect(readVideoTask({ task_id: 't', status: 'running', url })?.status).toBe('in_progress');
    expect(readVideoTask({ task_id: 't', status: 'failed', url })?.status).toBe('failed');
    expect(readVideoTask({ task_id: 't', status: 'archived', data: 'all of it' })).toMatchObject({
      addresses: [],
    });
  });

  it.each<[string, object, object]>([
    [
      'error.error.message',
      { error: { error: { message: 'No GPU', code: 7 } } },
      { code: '7', message: 'No GPU' },
    ],
    [
      'errors',
      { errors: [{ message: 'No GPU.' }, 'Too long.'] },
      { code: null, message: 'No GPU. Too long.' },
    ],
    [
      'fail_reason that is JSON',
      { fail_reason: '{"error":{"code":"nsfw","message":"Blocked"}}' },
      { code: 'nsfw', message: 'Blocked' },
    ],
    ['failure_reason', { failure_reason: 'Blocked' }, { code: null, message: 'Blocked' }],
    ['task_status_msg', { task_status_msg: 'Blocked' }, { code: null, message: 'Blocked' }],
    ['a text beside the status', { message: 'Blocked' }, { code: null, message: 'Blocked' }],
    [
      'nothing but its own name',
      { message: 'success' },
      { code: null, message: 'The gateway gave no reason.' },
    ],
  ])('says why a task failed from %s', (_name, more, error) => {
    const task = { task_id: 't', status: 'failed', ...more };
    expect(readVideoTask(task)?.error).toEqual(error);
    expect(readVideoTask({ code: 'success', message: '', data: task })?.error).toEqual(error);
  });

  it.each<[string, object, object | null]>([
    [
      'an error',
      { error: { code: 17, message: 'Low memory' } },
      { code: '17', message: 'Low memory' },
    ],
    ['an error in words', { error: 'Low memory' }, { code: null, message: 'Low memory' }],
    [
      'an error that is only a code',
      { error: { code: 500, message: '' } },
      { code: '500', message: 'The gateway gave no reason.' },
    ],
    ['an error that is always sent', { error: { code: 0, message: '' } }, null],
    ['no error', { error: null, message: 'ok', code: 'success' }, null],
  ])('keeps %s beside any status', (_name, more, error) => {
    for (const status of ['queued', 'in_progress', 'completed', 'warp_9']) {
      expect(readVideoTask({ task_id: 't', status, ...more })?.error, status).toEqual(error);
    }
  });

  it('finds the address where wrapped and older gateways put it', () => {
    const wrapped = (data: object) => readVideoTask({ code: 'success', data })?.addresses;
    expect(wrapped({ status: 'SUCCESS', result_url: 'https://a/v.mp4' })).toEqual([
      'https://a/v.mp4',
    ]);
    expect(wrapped({ status: 'SUCCESS', fail_reason: 'https://b/v.mp4' })).toEqual([
      'https://b/v.mp4',
    ]);
    expect(wrapped({ status: 'SUCCESS', data: { video_url: '/v/1.mp4' } })).toEqual(['/v/1.mp4']);
    expect(wrapped({ status: 'IN_PROGRESS', fail_reason: 'https://b/v.mp4' })).toEqual([]);
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
    const shown = (progress: unknown, status = 'x') =>
      readVideoTask({ task_id: 't', status, progress })?.progress;
    expect(shown(0.5)).toBe('50%');
    expect(shown('0.5')).toBe('50%');
    expect(shown(45)).toBe('45%');
    expect(shown('45')).toBe('45%');
    expect(shown(1, 'queued')).toBe('1%');
    expect(shown(1, 'completed')).toBe('100%');
  });

  it('reads a list of one', () => {
    expect(readVideoTask([{ task_id: 't1', status: 'queued' }])).toMatchObject({ taskId: 't1' });
  });

  it.each([[null], ['text'], [[]], [{}], [{ error: { message: 'no' } }]])(
    'says nothing about %j',
    (reply) => {
      expect(readVideoTask(reply)).toBeNull();
    },
  );
});
