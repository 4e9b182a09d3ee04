/** Tests the Images format of the demo gateway with the official client and with Gatehouse. */
import OpenAI, { toFile } from 'openai';
import { afterAll, describe, expect, it } from 'vitest';
import { startDemoGateway } from '../../electron/demo/server.ts';
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import type { ImageState } from '../../shared/operations/image/state.ts';
import { makePng, readRgb } from '../fixtures/png.ts';
import { benchOn, serveScript, shareBench, testKey } from '../fixtures/run-operation.ts';
import { shareServices } from '../fixtures/test-services.ts';
import { always, chunk, jsonReply, reply, streamHead, streaming } from '../fixtures/wire-server.ts';
import { KEY, shareClient } from './demo-gateway-client.ts';

const { gateway } = await shareClient();
const serveWith = await shareBench();
const client = new OpenAI({ apiKey: KEY, baseURL: `${gateway.baseUrl}/v1`, maxRetries: 0 });

const GREEN = [0, 200, 0, 255] as const;
const photo = makePng(64, 32, () => GREEN);
/** Allows edits to the left half only. */
const mask = makePng(64, 32, (x) => [0, 0, 0, x < 32 ? 0 : 255]);
const prompt = 'A gate at night';
const request = { model: 'demo-image', prompt, size: '64x32' };

async function readAll<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe('the official client', () => {
  it('generates images, and repeats them for the same request', async () => {
    const [one, again] = await Promise.all([
      client.images.generate({ ...request, n: 2 }),
      client.images.generate({ ...request, n: 2 }),
    ]);
    expect(one.data).toHaveLength(2);
    expect(one.data?.[0]?.revised_prompt).toContain(prompt);
    expect(one.data?.[0]?.b64_json).not.toBe(one.data?.[1]?.b64_json);
    expect(again.data).toEqual(one.data);
    expect(one.usage).toMatchObject({
      output_tokens: 4,
      input_tokens_details: { image_tokens: 0 },
    });
    const png = readRgb(Buffer.from(one.data?.[0]?.b64_json ?? '', 'base64'));
    expect([png.width, png.height]).toEqual([64, 32]);
  });

  it('streams partial images and the same final image as a whole response', async () => {
    const stream = await client.images.generate({ ...request, stream: true, partial_images: 2 });
    const events = await readAll(stream);
    expect(events.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
    expect(new Set(events.map(({ b64_json }) => b64_json)).size).toBe(3);
    const whole = await client.images.generate(request);
    expect(events.at(-1)).toMatchObject({
      b64_json: whole.data?.[0]?.b64_json,
      usage: whole.usage,
    });
  });

  it('edits only where the mask is transparent, including in a stream', async () => {
    const files = {
      image: [await toFile(photo, 'a.png'), await toFile(photo, 'b.png')],
      mask: await toFile(mask, 'mask.png'),
    };
    const edited = await client.images.edit({ ...files, ...request, size: 'auto' });
    const png = Buffer.from(edited.data?.[0]?.b64_json ?? '', 'base64');
    const { at, width, height } = readRgb(png);
    expect([width, height]).toEqual([64, 32]);
    expect(at(40, 10)).toEqual([0, 200, 0]);
    expect(at(10, 10)).not.toEqual([0, 200, 0]);
    expect(edited.usage?.input_tokens_details.image_tokens).toBeGreaterThan(0);
    const stream = await client.images.edit({
      image: await toFile(photo, 'a.png'),
      ...request,
      stream: true,
      partial_images: 1,
    });
    const events = await readAll(stream);
    expect(events.map(({ type }) => type)).toEqual([
      'image_edit.partial_image',
      'image_edit.completed',
    ]);
  });

  it.each<[string, object, string]>([
    ['an unknown model', { model: 'x' }, 'does not support this endpoint'],
    ['an invalid size', { size: '1x1' }, 'size: Use auto'],
    ['too many images', { n: 11 }, 'n: This model makes at most 10 images.'],
    ['another file type', { output_format: 'webp' }, 'output_format: This model makes png files.'],
    ['a blocked prompt', { prompt: 'something blocked' }, 'rejected by the safety system'],
    ['no prompt', { prompt: '' }, 'prompt: Send a prompt.'],
  ])('throws the error of %s', async (_name, odd, message) => {
    const sent = client.images.generate({ ...request, ...odd });
    await expect(sent).rejects.toThrow(message);
  });

  it('throws the error of a mask that doesn’t fit', async () => {
    const image = await toFile(photo, 'a.png');
    const edit = async (bytes: Buffer) =>
      client.images.edit({ ...request, image, mask: await toFile(bytes, 'mask.png') });
    await expect(edit(makePng(16, 16, () => GREEN))).rejects.toThrow('must have the size');
    await expect(edit(Buffer.from('no image'))).rejects.toThrow('mask: Send a PNG');
  });
});

const demo = await startDemoGateway({ port: 0, key: testKey, speed: 1000 });
afterAll(() => demo.close());
const withDemo = await shareServices({ baseUrl: demo.baseUrl, key: testKey });
const startWithDemo = async () => benchOn(await serveScript(always(jsonReply({}))), withDemo);

const user = (...images: string[]) => ({
  role: 'user',
  parts: [
    ...images.map((id) => ({
      inlineData: { mimeType: 'image/png', data: createMediaReference(id) },
    })),
    { text: prompt },
  ],
});
const input = (fields: JsonObject, ...images: string[]): JsonObject => ({
  model: 'demo-image',
  format: 'images',
  contents: [user(...images)],
  size: '64x32',
  ...fields,
});
const shownIds = ({ candidates }: ImageState) =>
  candidates.map(({ parts }) => {
    const part = parts.at(-1);
    return part?.type === 'media' ? part.mediaId : null;
  });

describe('a run in the Images format', () => {
  it('keeps partial images as drafts', async () => {
    const bench = await startWithDemo();
    const run = await bench.run('image', input({ stream: true, partial_images: 2 }));
    expect(run).toMatchObject({ status: 'succeeded', format: 'images' });
    expect(run.media.map(({ id }) => id)).toEqual(shownIds(run.state));
    expect(run.state.media).toHaveLength(3);
    expect(run.media[0]).toMatchObject({ type: 'image/png', width: 64, height: 32 });
    expect(run.figures).toMatchObject({ noResult: null, usage: { output_tokens: 2 } });
  });

  it('edits several images with a mask, sent as files', async () => {
    const bench = await startWithDemo();
    const [one, two, area] = [
      await bench.store('a.png', 'image/png', photo),
      await bench.store('b.png', 'image/png', photo),
      await bench.store('mask.png', 'image/png', mask),
    ];
    const run = await bench.run('image', input({ mask: createMediaReference(area) }, one, two));
    expect(run).toMatchObject({ status: 'succeeded', error: null });
    const { at } = readRgb(await bench.services.media.readBytes(run.media[0]?.id ?? ''));
    expect([at(40, 10), at(10, 10)]).toEqual([[0, 200, 0], expect.not.arrayContaining([200])]);
    const [sent] = bench.events(run.id, 'request');
    expect(new URL(sent?.url ?? '').pathname).toBe('/v1/images/edits');
    const file = { type: 'image/png', sizeBytes: photo.length };
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      fields: [
        ['model', 'demo-image'],
        ['prompt', prompt],
        ['size', '64x32'],
      ],
      files: [
        { ...file, name: 'image[]', filename: 'a.png', reference: createMediaReference(one) },
        { ...file, name: 'image[]', filename: 'b.png', reference: createMediaReference(two) },
        {
          ...file,
          name: 'mask',
          filename: 'mask.png',
          sizeBytes: mask.length,
          reference: createMediaReference(area),
        },
      ],
    });
  });

  it('fails before sending if an attached file is missing', async () => {
    const bench = await startWithDemo();
    const run = await bench.run('image', input({}, 'x'.repeat(22)));
    expect(run).toMatchObject({ status: 'failed', error: { kind: 'file' } });
    expect(bench.events(run.id, 'request')).toEqual([]);
  });

  it('downloads images by URL, and sends the key only to the gateway’s origin', async () => {
    const bench = await startWithDemo();
    const run = await bench.run('image', input({ response_format: 'url', n: 2 }));
    expect(run).toMatchObject({ status: 'succeeded', error: null });
    expect(run.media.map(({ id }) => id)).toEqual(shownIds(run.state));
    expect(run.media).toHaveLength(2);
  });

  it('never sends the key to another origin, and keeps other images if one is missing', async () => {
    const files = await serveScript(({ request: head, send }) =>
      send(
        head.includes('/gone')
          ? reply('404 Not Found', { 'Content-Type': 'text/plain' }, 'gone')
          : reply('200 OK', { 'Content-Type': 'image/png' }, photo),
      ),
    );
    const data = ['/gone.png', '/a.png'].map((path) => ({ url: `${files.url}${path}` }));
    const bench = serveWith(always(jsonReply({ created: 1, data })));
    const run = await bench.run('image', input({ response_format: 'url' }));
    expect(run).toMatchObject({ status: 'failed', error: { message: /^The image is ready, but/ } });
    expect(run.media).toMatchObject([{ kind: 'image', width: 64 }]);
    expect(bench.server.requests[0]).toContain(testKey);
    expect(files.requests.join()).not.toContain(testKey);
  });
});

const partial = {
  type: 'image_generation.partial_image',
  b64_json: photo.toString('base64'),
  partial_image_index: 0,
};
const toEvent = (document: object) => `data: ${JSON.stringify(document)}\n\n`;

describe('a fault in the Images format', () => {
  it('keeps the partial image of a truncated stream', async () => {
    const bench = serveWith(async ({ send, socket }) => {
      await send(streamHead);
      await send(chunk(toEvent(partial)));
      socket.destroy();
    });
    const run = await bench.run('image', input({ stream: true, partial_images: 1 }));
    expect(run).toMatchObject({ status: 'failed', error: { kind: 'stream-cut' } });
    expect(run.media).toMatchObject([{ kind: 'image', width: 64, complete: true }]);
  });

  it('reports the message of an error event after a partial image', async () => {
    const error = { type: 'error', error: { message: 'Out of paint.', code: 'server_error' } };
    const bench = serveWith(streaming(toEvent(partial), `event: error\n${toEvent(error)}`));
    const run = await bench.run('image', input({ stream: true }));
    expect(run.status).toBe('failed');
    expect(JSON.stringify(run.error)).toContain('Out of paint.');
    expect(run.media).toHaveLength(1);
  });

  it('ignores unknown events', async () => {
    const done = { ...partial, type: 'image_generation.completed' };
    const bench = serveWith(streaming(toEvent({ type: 'new' }), toEvent(done)));
    const run = await bench.run('image', input({ stream: true }));
    expect(run).toMatchObject({ status: 'succeeded', state: { other: { new: { type: 'new' } } } });
  });

  it.each<[string, Uint8Array, string]>([
    ['HTML', reply('200 OK', { 'Content-Type': 'text/html' }, '<html>'), 'web page'],
    ['text', reply('200 OK', { 'Content-Type': 'text/plain' }, 'ok'), 'isn’t a valid JSON object'],
    ['an image', reply('200 OK', { 'Content-Type': 'image/png' }, photo), 'isn’t a valid JSON'],
    ['no data', jsonReply({ created: 1, data: [] }), ''],
  ])('explains %s received instead of a response', async (_name, bytes, message) => {
    const bench = serveWith(always(bytes));
    const run = await bench.run('image', input({}));
    if (message === '') expect(run.figures?.noResult).toContain('neither text nor images');
    else expect(run.error?.message).toContain(message);
  });
});
