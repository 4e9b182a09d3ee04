import { describe, expect, it } from 'vitest';
import { readVideoTask } from '../../shared/operations/video/task-response.ts';

const url = 'https://a/1.mp4';
const other = 'https://a/2.mp4';
const noReason = 'The gateway gave no reason.';

describe('readVideoTask', () => {
  it('reads the documented format', () => {
    const metadata = { duration: 5, fps: 24, width: 1280, height: 720, seed: 7 };
    const task = { task_id: 't1', status: 'completed', url, format: 'mp4', metadata };
    expect(readVideoTask(task)).toMatchObject({
      taskId: 't1',
      status: 'completed',
      word: 'completed',
      addresses: [url],
      format: 'mp4',
      metadata: { duration: 5, seed: 7 },
      error: null,
    });
  });

  it.each([
    ['queued', 'NOT_START, SUBMITTED, QUEUED, Pending, in-queue, created'],
    ['in_progress', 'IN_PROGRESS, processing, generating, RUNNING, In Progress'],
    ['completed', 'SUCCESS, succeeded, complete, succeed, done, FINISHED, ready'],
    ['completed', 'TASK_STATUS_SUCCEED'],
    ['failed', 'FAILURE, error, cancelled, Canceled, expired, timeout, timed out, rejected'],
    ['failed', 'moderated, content_moderated, Request Moderated, policy_violation, TASK_FAILED'],
    ['unknown', 'UNKNOWN, rendering_pass_2, error_retry, cancelling, post_processing'],
  ])('recognizes %s by the status words of real gateways: %s', (status, words) => {
    for (const word of words.split(', ')) {
      const data = { task_id: 't1', status: word };
      for (const reply of [data, { code: 'success', message: '', data }]) {
        expect(readVideoTask(reply), word).toMatchObject({ taskId: 't1', status, word });
      }
    }
  });

  const queued = { taskId: 't1', status: 'queued' };
  const running = { taskId: 't1', status: 'in_progress' };
  const completed = { taskId: 't1', status: 'completed', addresses: [url] };
  const klingData = {
    task_id: 't1',
    task_status: 'succeed',
    task_result: { videos: [{ id: 'v1', url, duration: '5' }] },
  };
  const aliOutput = { task_id: 't1', task_status: 'SUCCEEDED', video_url: url };
  const nested = { task_id: 't1', status: 'IN_PROGRESS', data: { id: 'x', status: 'done' } };
  const twoVideos = [{ status: 'success', url }, { status: 'processing' }];

  it.each<[string, object, object]>([
    ['task_result', { code: 0, message: 'SUCCEED', request_id: 'r', data: klingData }, completed],
    ['output.task_id', { request_id: 'r-1', output: aliOutput }, completed],
    ['taskId', { taskId: 't1', state: 'waiting' }, queued],
    ['only a request_id', { request_id: 't1', status: 'IN_QUEUE' }, queued],
    ['the ID as data', { code: 200, msg: 'success', data: 't1' }, { taskId: 't1', word: '' }],
    ['a number as ID', { data: { id: 4711 } }, { taskId: '4711', word: '' }],
    ['the status above the address', { id: 't1', status: 'completed', data: { url } }, completed],
    ['the response of another gateway inside', { code: 'success', data: nested }, running],
    [
      'content.video_url',
      { id: 't1', status: 'succeeded', content: { video_url: url } },
      completed,
    ],
    ['another status', { status: 'success', data: { id: 't1', state: 'processing' } }, running],
    ['a list of videos, one done', { id: 't1', status: 'processing', data: twoVideos }, running],
    ['a list of assets', { id: 't1', status: 'queued', data: [{ id: 'asset-1' }] }, queued],
    ['assets in data', { data: { id: 't1', status: 'queued', data: [{ task_id: 'a' }] } }, queued],
    [
      'status in result',
      { id: 't1', status: 'running', result: { id: 'v', status: 'done' } },
      running,
    ],
    ['another ID around it', { id: 'log-1', data: { id: 't1', status: 'queued' } }, queued],
    ['nothing around its list', { code: 0, data: [{ task_id: 't1', status: 'queued' }] }, queued],
    ['an HTTP status around it', { status: 200, data: { id: 't1', status: 'running' } }, running],
  ])('reads a task with %s', (_name, reply, expected) => {
    expect(readVideoTask(reply)).toMatchObject(expected);
    expect(readVideoTask([reply])).toMatchObject(expected);
  });

  const media = `media:${'A'.repeat(22)}`;
  it.each<[string, object, string[]]>([
    ['a list', { url: [url] }, [url]],
    ['a list of two', { url: [url, other] }, [url, other]],
    ['an object', { video: { url } }, [url]],
    ['videos', { videos: [{ url }, { url: other }] }, [url, other]],
    ['a path without a slash', { url: 'files/out/1.mp4?sig=a/b' }, ['files/out/1.mp4?sig=a/b']],
    ['a file name', { result_url: 'film.mp4' }, ['film.mp4']],
    ['a stored medium', { data: [{ b64_json: media }] }, [media]],
    ['a field of the metadata', { metadata: { fps: 24, url } }, [url]],
    ['a list of outputs', { output: [url] }, [url]],
    ['result_url', { result_url: url }, [url]],
    ['fail_reason, as older gateways send it', { fail_reason: url }, [url]],
    ['data.video_url', { data: { video_url: '/v/1.mp4' } }, ['/v/1.mp4']],
  ])('finds the URL as %s', (_name, more, addresses) => {
    const data = { task_id: 't1', status: 'completed', ...more };
    expect(readVideoTask(data)).toMatchObject({ addresses });
    expect(readVideoTask({ code: 'success', data })).toMatchObject({ addresses });
  });

  const unknown = { addresses: [], status: 'unknown' };
  it.each<[object, object]>([
    [
      { code: 0, data: 'job:123' },
      { ...unknown, taskId: 'job:123' },
    ],
    [{ task_id: 't', status: 'enqueued', video_url: 'pending' }, unknown],
    [{ task_id: 't', status: 'completed', video_url: 'film' }, { addresses: ['film'] }],
    [{ task_id: 't', status: 'archived', video_url: 'out/film' }, { addresses: ['out/film'] }],
    [{ task_id: 't', status: 'completed', url: 's3://a/1.mp4' }, { addresses: ['s3://a/1.mp4'] }],
    [{ task_id: 't', status: 'archived', data: 'all of it' }, { addresses: [] }],
    [{ task_id: 't', status: 'IN_PROGRESS', fail_reason: url }, { addresses: [] }],
  ])('distinguishes a link from a word in %j', (reply, expected) => {
    expect(readVideoTask(reply)).toMatchObject(expected);
  });

  it.each([
    ['archived', 'completed'],
    [undefined, 'completed'],
    ['running', 'in_progress'],
    ['failed', 'failed'],
  ])('treats a link with status %j as %s', (status, expected) => {
    expect(readVideoTask({ task_id: 't', url, ...(status && { status }) })?.status).toBe(expected);
  });

  const taskUrl = 'https://a/tasks/t';
  const followed = { taskId: 't', status: 'unknown', addresses: [], pollingUrl: taskUrl };
  const found = { status: 'completed', addresses: [taskUrl] };
  it.each<[object, object]>([
    [{ id: 't', url: taskUrl }, followed],
    [{ code: 0, data: { id: 't', uri: taskUrl } }, followed],
    [{ id: 't', data: { url: taskUrl } }, followed],
    [
      { id: 't', url: '/tasks/t' },
      { ...followed, pollingUrl: '/tasks/t' },
    ],
    [
      { id: 't', url: taskUrl, polling_url: '/p/t' },
      { ...followed, pollingUrl: '/p/t' },
    ],
    [
      { id: 't', url: taskUrl, status: 'queued' },
      { taskId: 't', status: 'queued' },
    ],
    [{ id: 't', url: taskUrl, status: 'completed' }, found],
    [{ id: 't', video_url: taskUrl }, found],
    [{ id: 't', video: { url: taskUrl } }, found],
    [{ id: 't', data: [{ url: taskUrl }] }, found],
    [{ id: 't', url: `${taskUrl}/content` }, { status: 'completed' }],
    [{ url: taskUrl }, { taskId: null, ...found }],
  ])('distinguishes a task URL from a video URL in %j', (reply, expected) => {
    expect(readVideoTask(reply)).toMatchObject(expected);
  });

  it.each<[string, object, object | null]>([
    ['an error', { error: { code: 17, message: 'Low' } }, { code: '17', message: 'Low' }],
    ['an error in words', { error: 'Low' }, { code: null, message: 'Low' }],
    ['only a code', { error: { code: 5, message: '' } }, { code: '5', message: noReason }],
    ['an empty error', { error: { code: 0, message: '' } }, null],
    ['no error', { error: null, message: 'ok', code: 'success' }, null],
  ])('keeps %s with any status', (_name, more, error) => {
    for (const status of ['queued', 'in_progress', 'completed', 'warp_9']) {
      expect(readVideoTask({ task_id: 't', status, ...more })?.error, status).toEqual(error);
    }
  });

  it.each([
    ['30%', 'x', '30%'],
    [0.5, 'x', '50%'],
    ['0.5', 'x', '50%'],
    [45, 'x', '45%'],
    ['45', 'x', '45%'],
    [1, 'queued', '1%'],
    [1, 'completed', '100%'],
  ])('shows progress %j of a task that is %s as %s', (progress, status, shown) => {
    expect(readVideoTask({ task_id: 't', status, progress })?.progress).toBe(shown);
    expect(readVideoTask({ data: { task_id: 't', status, progress } })?.progress).toBe(shown);
  });

  it.each([[null], ['text'], [[]], [{}], [{ error: { message: 'no' } }]])(
    'returns null for %j',
    (reply) => {
      expect(readVideoTask(reply)).toBeNull();
    },
  );
});
