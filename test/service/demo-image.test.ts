import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readJson, shareClient } from './demo-gateway-client.ts';

const client = await shareClient();

const pathOf = (model: string) => `/v1beta/models/${model}:generateContent`;
const IMAGE = pathOf('demo-image');
const prompt = (text: string) => ({ role: 'user', parts: [{ text }] });
const draw = async (text: string, generationConfig = {}, model = 'demo-image') =>
  readJson(await client.post(pathOf(model), { contents: [prompt(text)], generationConfig }));

interface Part {
  text?: string;
  inlineData?: { mimeType: string; data: string };
}

function readPng({ candidates }: { candidates: { content: { parts: Part[] } }[] }) {
  const data = candidates[0]?.content.parts.find((part) => part.inlineData)?.inlineData?.data ?? '';
  const png = Buffer.from(data, 'base64');
  const start = png.indexOf('IDAT') + 4;
  return {
    signature: png.toString('latin1', 1, 4),
    size: [png.readUInt32BE(16), png.readUInt32BE(20)],
    pixels: inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8))),
    data,
  };
}

it('returns text and a PNG of the requested size', async () => {
  const body = await draw('A gate', {
    responseModalities: ['TEXT', 'IMAGE'],
    imageConfig: { aspectRatio: '4:1', imageSize: '1K' },
  });
  const [candidate] = body.candidates;
  expect(candidate).toMatchObject({ finishReason: 'STOP', content: { role: 'model' } });
  expect(candidate.safetyRatings[0]).toMatchObject({ probability: 'NEGLIGIBLE' });
  expect(candidate.content.parts[0].text).toContain('A simulated 2048 × 512 image');
  const { signature, size, pixels } = readPng(body);
  expect([signature, ...size]).toEqual(['PNG', 2048, 512]);
  expect(pixels.length).toBe((2048 * 3 + 1) * 512);
  expect(body.usageMetadata.totalTokenCount).toBe(
    body.usageMetadata.promptTokenCount + body.usageMetadata.candidatesTokenCount,
  );
});

it('returns the same image for the same prompt and seed, and varies it otherwise', async () => {
  const imageConfig = { imageSize: '512' };
  const bodies = await Promise.all([
    draw('A harbour', { imageConfig, seed: 1 }),
    draw('A harbour', { imageConfig, seed: 1 }),
    draw('A harbour', { imageConfig, seed: 2 }),
    draw('A forest', { imageConfig, seed: 1 }),
  ]);
  const [first, again, otherSeed, otherWords] = bodies.map((body) => readPng(body).data);
  expect(again).toBe(first);
  expect(new Set([first, otherSeed, otherWords]).size).toBe(3);
});

it('returns only the requested responseModalities', async () => {
  const [words, picture] = await Promise.all([
    draw('A gate', { responseModalities: ['TEXT'] }),
    draw('A gate', { responseModalities: ['image'], imageConfig: { imageSize: '512' } }),
  ]);
  expect(words.candidates[0].content.parts).toEqual([{ text: expect.any(String) }]);
  expect(picture.candidates[0].content.parts).toEqual([
    { inlineData: { mimeType: 'image/png', data: expect.any(String) } },
  ]);
});

it.each([
  ['inlineData', (data: string) => ({ inlineData: { mimeType: 'image/png', data } })],
  ['inline_data', (data: string) => ({ inline_data: { mime_type: 'image/png', data } })],
])('describes an image received as %s', async (_spelling, part) => {
  const { data } = readPng(
    await draw('Input', { imageConfig: { imageSize: '512', aspectRatio: '4:1' } }),
  );
  const body = await readJson(
    await client.post(IMAGE, {
      contents: [{ role: 'user', parts: [{ text: 'Make it blue' }, part(data)] }],
      generationConfig: { responseModalities: ['TEXT'] },
    }),
  );
  const bytes = Buffer.byteLength(data, 'base64').toLocaleString('en-US');
  expect(body.candidates[0].content.parts[0].text).toContain(
    `Input image 1: image/png, ${bytes} bytes, 1024 × 256 pixels.`,
  );
});

it('blocks a prompt that asks for it, and returns no candidates', async () => {
  const body = await draw('This is to be BLOCKED');
  expect(body).not.toHaveProperty('candidates');
  expect(body.promptFeedback.blockReason).toBe('SAFETY');
  expect(body.usageMetadata.candidatesTokenCount).toBe(0);
});

const contents = [prompt('A gate')];
it.each([
  ['contents', {}],
  [
    'generationConfig.responseModalities',
    { contents, generationConfig: { responseModalities: ['SOUND'] } },
  ],
  [
    'generationConfig.imageConfig.aspectRatio',
    { contents, generationConfig: { imageConfig: { aspectRatio: 'wide' } } },
  ],
  [
    'generationConfig.imageConfig.imageSize',
    { contents, generationConfig: { imageConfig: { imageSize: '9K' } } },
  ],
])('answers 400 and names %s', async (param, body) => {
  const response = await client.post(IMAGE, body);
  expect([response.status, (await readJson(response)).error.param]).toEqual([400, param]);
});
