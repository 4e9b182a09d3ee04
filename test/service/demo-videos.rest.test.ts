/** Tests the Videos format of the demo gateway with the official client and with Gatehouse. */
import OpenAI, { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { isRunOf, type RunView } from '../../shared/run-view.ts';
import { store } from '../fixtures/media-service.ts';
import { untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { KEY, readJson, shareClient } from './demo-gateway-client.ts';

const { gateway, post } = await shareClient();
const { videos } = new OpenAI({ apiKey: KEY, baseURL: `${gateway.baseUrl}/v1`, maxRetries: 0 });
const small = { model: 'demo-video', prompt: 'A boat', seconds: '1', size: '64x48', fps: 4 };

async function create(fields = {}): Promise<OpenAI.Videos.Video> {
  return readJson(await post('/v1/videos', { ...small, ...fields }));
}

async function finished(id: string): Promise<OpenAI.Videos.Video> {
  await expect.poll(async () => (await videos.retrieve(id)).status).toMatch(/completed|failed/);
  return videos.retrieve(id);
}

describe('the official client', () => {
  it('creates a video from an image, and gets the reason of a failure', async () => {
    // A task that fails isn't rendered, which would take long at this size.
    const created = await videos.create({
      model: 'demo-video',
      prompt: 'fail, please',
      seconds: '4',
      size: '720x1280',
      input_reference: await toFile(Buffer.from('PNG'), 'first.png', { type: 'image/png' }),
    });
    expect(created).toMatchObject({
      object: 'video',
      model: 'demo-video',
      prompt: 'fail, please',
      seconds: '4',
      size: '720x1280',
      completed_at: null,
      remixed_from_video_id: null,
    });
    const { status, error } = await finished(created.id);
    expect(status).toBe('failed');
    expect(error).toMatchObject({
      code: 'video_generation_failed',
      message: expect.stringContaining('Simulated failure'),
    });
  });

  it('downloads the video, its thumbnail and its spritesheet', async () => {
    const { id } = await create();
    expect(await finished(id)).toMatchObject({ status: 'completed', progress: 100, seconds: '1' });
    for (const [variant, type, start] of [
      [undefined, 'video/mp4', 'ftyp'],
      ['thumbnail', 'image/png', 'PNG'],
      ['spritesheet', 'image/png', 'PNG'],
    ] as const) {
      const response = await videos.downloadContent(id, variant === undefined ? {} : { variant });
      expect(response.headers.get('content-type')).toBe(type);
      expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 8)).toContain(start);
    }
  });

  it('remixes and deletes a finished video', async () => {
    const { id } = await create();
    await finished(id);
    const remix = await videos.remix(id, { prompt: 'At night' });
    expect(remix).toMatchObject({ remixed_from_video_id: id, prompt: 'At night', size: '64x48' });
    expect((await videos.retrieve(remix.id)).remixed_from_video_id).toBe(id);
    expect(await videos.delete(id)).toEqual({ id, object: 'video.deleted', deleted: true });
    await expect(videos.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ['an unknown model', { model: 'sora' }, 'model'],
    ['an invalid size', { size: 'large' }, 'size'],
    ['a missing prompt', { prompt: '' }, 'prompt'],
    ['a length beyond its own', { seconds: '90' }, 'duration'],
  ])('returns an error for %s', async (_name, fields, param) => {
    const { error } = await readJson(await post('/v1/videos', { ...small, ...fields }));
    expect(error).toMatchObject({ type: 'invalid_request_error', param });
  });
});

async function run(request: JsonObject): Promise<RunView<'video'>> {
  const services = await startTestServices({ baseUrl: gateway.baseUrl, key: KEY });
  const runId = await services.engine.start({
    connectionId: 'environment',
    operation: 'video',
    request: { model: 'demo-video', format: 'videos', ...request },
  });
  const view = await untilEnded(services, runId);
  if (!isRunOf(view, 'video')) throw new TypeError(view.operation);
  return view;
}

const tiny = { duration: 1, width: 64, height: 48, fps: 4 };

describe('Gatehouse', () => {
  it('uploads a first frame from the library', async () => {
    const services = await startTestServices({ baseUrl: gateway.baseUrl, key: KEY });
    const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const file = { name: 'first.png', declaredType: 'image/png', role: 'upload' } as const;
    const image = `media:${(await store(services.media, bytes, file)).id}`;
    const request = { model: 'demo-video', format: 'videos', prompt: 'A boat', ...tiny, image };
    const runId = await services.engine.start({
      connectionId: 'environment',
      operation: 'video',
      request,
    });
    expect((await untilEnded(services, runId)).status).toBe('succeeded');
    const only = { after: 0, limit: 10, kinds: ['request' as const] };
    const sent = JSON.stringify(services.ledger.events(runId, only).events[0]);
    expect(sent).toMatch(/multipart\/form-data.*input_reference.*first\.png/);
  });

  it('creates a video with its thumbnail and spritesheet', async () => {
    const view = await run({
      prompt: 'A boat',
      ...tiny,
      variants: ['thumbnail', 'spritesheet'],
    });
    expect(view).toMatchObject({ status: 'succeeded', format: 'videos' });
    expect(view.state).toMatchObject({
      word: 'completed',
      progress: '100%',
      metadata: { duration: 1, width: 64, height: 48 },
    });
    expect(view.media.map(({ kind, complete }) => [kind, complete])).toEqual([
      ['video', true],
      ['image', true],
      ['image', true],
    ]);
  });

  it('remixes a video', async () => {
    const first = await run({ prompt: 'A boat', ...tiny });
    const id = first.state.taskId ?? '';
    const view = await run({ prompt: 'At night', remix_video_id: id, duration: 9 });
    expect(view.status).toBe('succeeded');
    expect(view.state.reply).toMatchObject({ remixed_from_video_id: id, seconds: '1' });
  });

  it('shows why a video failed', async () => {
    const view = await run({ prompt: 'fail', ...tiny });
    expect(view.error?.message).toMatch(/video_generation_failed.*Simulated failure/);
  });
});
