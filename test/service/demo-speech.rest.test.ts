import { describe, expect, it } from 'vitest';
import { createHeldPace } from '../fixtures/held-pace.ts';
import { shareClient, startWithClient } from './demo-gateway-client.ts';

const client = await shareClient();

const TEXT = 'Hello there, and welcome to the gatehouse by the river.';
const speak = (fields: Record<string, unknown>, at = client) =>
  at.post('/v1/audio/speech', { model: 'demo-speech', input: TEXT, ...fields });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const pcmOf = async (fields: Record<string, unknown>) =>
  bytesOf(await speak({ response_format: 'pcm', ...fields }));
const naturalPcm = await pcmOf({});

describe('voices', () => {
  it('offers six distinct voices', async () => {
    const names = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'];
    // Generate them in sequence, so that they share one thread.
    const sounds = new Set<string>();
    for (const voice of names)
      sounds.add((await pcmOf({ voice, input: 'Hello.' })).toString('base64'));
    expect(sounds.size).toBe(names.length);
  });

  it('always maps an unknown voice name to the same voice', async () => {
    const first = await pcmOf({ voice: 'ada' });
    expect((await pcmOf({ voice: 'ada' })).equals(first)).toBe(true);
  });
});

it.each([0.25, 4])('speaks at %s of its natural speed', async (speed) => {
  const changed = await pcmOf({ speed });
  const ratio = naturalPcm.length / changed.length;
  expect(Math.abs(ratio / speed - 1)).toBeLessThan(0.15);
});

describe('demo-speech-phone', () => {
  const model = 'demo-speech-phone';

  it('speaks for as long as demo-speech, but more quietly', async () => {
    const phone = await pcmOf({ model });
    expect(phone.length).toBe(naturalPcm.length);
    expect((await pcmOf({ model })).equals(phone)).toBe(true);
    const quieter = loudnessOf(phone) / loudnessOf(naturalPcm);
    expect(quieter).toBeLessThan(0.6);
    expect(quieter).toBeGreaterThan(0.1);
  });
});

it('hums text that it can’t read', async () => {
  const bytes = await pcmOf({ input: '東京の夜は静かだ。' });
  expect(bytes.length / 48_000).toBeGreaterThan(0.8);
  expect(Math.max(...samplesOf(bytes))).toBeGreaterThan(3000);
});

it.each(['mp3', 'pcm'])('streams long %s while generating it', async (format) => {
  const pace = createHeldPace(2000);
  const paced = await startWithClient({ pace });
  try {
    const response = await speak({ response_format: format, input: `${TEXT} `.repeat(9) }, paced);
    await expect.poll(pace.isHeld).toBe(true);
    const chunks: number[] = [];
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk.length);
      pace.release();
    }
    const total = chunks.reduce((sum, bytes) => sum + bytes, 0);
    expect(chunks[0]).toBeGreaterThan(0);
    expect(chunks[0]).toBeLessThan(total / 3);
    expect(pace.now()).toBeGreaterThan(4000);
  } finally {
    await paced.gateway.close();
  }
});

function samplesOf(pcm: Buffer): Int16Array {
  return new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
}

function loudnessOf(pcm: Buffer): number {
  const samples = samplesOf(pcm);
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
}
