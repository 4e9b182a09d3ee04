import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { getVideoRequestSchema } from '../../shared/operations/video/request.ts';
import { readVideoTask } from '../../shared/operations/video/task-response.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';
import { toFormRequest, toHttp } from '../../shared/operations/write-request.ts';
import { parseJson } from '../../shared/parse-json.ts';

function send(fields: JsonObject, extraBody: JsonObject = {}, wireNames = {}) {
  const request = { model: 'm', format: 'videos', ...fields };
  const { path, body } = toHttp(videoOperation, { request, extraBody, wireNames });
  const { model, ...rest } = body;
  return { path, model, rest };
}

const part = (url: string) => ({ type: 'image_url', image_url: { url } });

describe('a request in the Videos format', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['the prompt', { prompt: 'A boat' }, { prompt: 'A boat' }],
    ['the duration as text', { duration: 8 }, { seconds: '8' }],
    ['width and height as size', { width: 1280, height: 720 }, { size: '1280x720' }],
    ['the frame rate', { fps: 24 }, { fps: 24 }],
    ['the seed', { seed: 7 }, { seed: 7 }],
    ['the user', { user: 'u' }, { user: 'u' }],
    ['extra parameters', { metadata: { style: 'ink' } }, { metadata: { style: 'ink' } }],
    ['the first frame', { image: 'a' }, { input_reference: { image_url: 'a' } }],
    [
      'both frames',
      { image: 'a', last_frame: 'z' },
      {
        frame_images: [
          { ...part('a'), frame_type: 'first_frame' },
          { ...part('z'), frame_type: 'last_frame' },
        ],
      },
    ],
    ['references', { images: ['a', 'b'] }, { input_references: [part('a'), part('b')] }],
    ['no variants', { variants: ['thumbnail'] }, {}],
  ])('sends %s', (_name, fields, rest) => {
    expect(send(fields)).toEqual({ path: '/v1/videos', model: 'm', rest });
  });

  it('sends images under the names that the user chose, with extra fields last', () => {
    const { rest } = send(
      { image: 'a', last_frame: 'z', duration: 4 },
      { seconds: '6' },
      { image: 'first_frame_image', last_frame: 'last_frame_image' },
    );
    expect(rest).toEqual({ first_frame_image: 'a', last_frame_image: 'z', seconds: '6' });
  });

  it('uploads a first frame from the library, and sends other fields in the form', () => {
    const file = 'media:Ab3_-Ab3_-Ab3_-Ab3_-Ab';
    const fields = { prompt: 'A', duration: 4, width: 64, height: 48, metadata: { a: 1 } };
    const form = (more: JsonObject, wireNames = {}) => {
      const request = { model: 'm', format: 'videos', ...fields, variants: ['thumbnail'], ...more };
      return toFormRequest(videoOperation, { request, extraBody: { style: 'ink' }, wireNames });
    };
    const { fields: parts = [], ...sent } = form({ image: file }) ?? expect.fail();
    const names = 'model=m prompt=A metadata={"a":1} seconds=4 size=64x48 style=ink';
    expect(parts.map((field) => field.join('=')).join(' ')).toBe(names);
    expect(sent).toEqual({
      method: 'POST',
      path: '/v1/videos',
      files: [{ name: 'input_reference', reference: file }],
    });
    expect(form({ image: file }, { image: 'first_frame_image' })).toBeNull();
    const others = [
      { last_frame: file },
      { images: [file] },
      { remix_video_id: 'v' },
      { format: '' },
    ];
    for (const more of [...others, { image: 'https://a.b/c.png' }]) {
      expect(form({ image: file, ...more })).toBeNull();
    }
  });

  it('sends a remix with only the prompt, to the URL of its video', () => {
    const remixed = { prompt: 'At night', remix_video_id: 'video/1', duration: 8, image: 'a' };
    expect(send(remixed)).toEqual({
      path: '/v1/videos/video%2F1/remix',
      model: undefined,
      rest: { prompt: 'At night' },
    });
    expect(send({ prompt: 'A boat', remix_video_id: ' ' }).path).toBe('/v1/videos');
  });

  it('needs a prompt for a remix', () => {
    const check = (prompt: string, format: string) =>
      getVideoRequestSchema().safeParse({
        model: 'm',
        prompt,
        image: 'https://a.b/c.png',
        format,
        remix_video_id: 'v',
      }).error?.issues;
    expect(check('', 'videos')).toMatchObject([
      { path: ['prompt'], message: 'Enter a prompt for the remix.' },
    ]);
    expect(check('At night', 'videos')).toBeUndefined();
  });

  it('omits fields of the Videos format from the default format', () => {
    const request = { model: 'm', prompt: 'A', remix_video_id: 'v', variants: ['thumbnail'] };
    expect(toHttp(videoOperation, { request, extraBody: {}, wireNames: {} })).toEqual({
      method: 'POST',
      path: '/v1/video/generations',
      body: { model: 'm', prompt: 'A' },
    });
  });

  it('requires width and height together', () => {
    const issues = (fields: object) =>
      getVideoRequestSchema()
        .safeParse({ model: 'm', prompt: 'A', ...fields })
        .error?.issues.map(({ path }) => path);
    expect(issues({ format: 'videos', width: 1280 })).toEqual([['height']]);
    expect(issues({ format: 'videos', height: 720 })).toEqual([['width']]);
    expect(issues({ format: 'videos', width: 1280, height: 720 })).toBeUndefined();
    expect(issues({ width: 1280 })).toBeUndefined();
  });
});

const video = {
  id: 'video_1',
  object: 'video',
  model: 'sora-2',
  created_at: 1_760_000_000,
  completed_at: null,
  expires_at: null,
  error: null,
  prompt: 'See https://a.b/c.mp4',
  remixed_from_video_id: null,
  seconds: '8',
  size: '1280x720',
  progress: 0,
};

describe('a response in the Videos format', () => {
  it.each([
    ['queued', { status: 'queued' }, { status: 'queued', progress: '0%' }],
    [
      'running',
      { status: 'in_progress', progress: 45 },
      { status: 'in_progress', progress: '45%' },
    ],
    [
      'completed',
      { status: 'completed', progress: 100 },
      { status: 'completed', progress: '100%' },
    ],
    [
      'failed',
      { status: 'failed', error: { code: 'moderation_blocked', message: 'No faces.' } },
      { status: 'failed', error: { code: 'moderation_blocked', message: 'No faces.' } },
    ],
    // https://openrouter.ai/docs/api_reference/videos
    ['pending', { status: 'pending' }, { status: 'queued' }],
    ['cancelled', { status: 'cancelled' }, { status: 'failed' }],
    ['expired', { status: 'expired', error: 'Took too long' }, { status: 'failed' }],
    ['unknown', { status: 'dreaming' }, { status: 'unknown', word: 'dreaming' }],
  ])('reads a task that is %s', (_name, fields, expected) => {
    expect(readVideoTask({ ...video, ...fields })).toMatchObject({
      taskId: 'video_1',
      addresses: [],
      metadata: { duration: 8, width: 1280, height: 720 },
      ...expected,
    });
  });

  it('reads a polling URL and links', () => {
    const polling_url = '/api/v1/videos/job-1';
    const pending = readVideoTask({ id: 'job-1', polling_url, status: 'pending' });
    expect(pending).toMatchObject({ taskId: 'job-1', pollingUrl: polling_url, status: 'queued' });
    const url = 'https://openrouter.ai/api/v1/videos/job-1/content?index=0';
    const done = { id: 'job-1', polling_url, status: 'completed', unsigned_urls: [url] };
    expect(readVideoTask(done)?.addresses).toEqual([url]);
  });

  it.each(['', '<html>', '[]', '{"object":"list","data":[]}', 'null', '{"seconds":"x","size":1}'])(
    'rejects a task that is %j',
    (text) => {
      expect(readVideoTask(parseJson(text))).toBeNull();
    },
  );
});
