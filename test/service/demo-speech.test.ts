import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { shareClient, startWithClient } from './demo-gateway-client.ts';

const client = await shareClient();

const TEXT = 'Hello there, and welcome to the gatehouse by the river.';
const SECONDS = 3;
const speak = (fields: Record<string, unknown>, at = client) =>
  at.post('/v1/audio/speech', { model: 'demo-speech', input: TEXT, ...fields });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const pcmOf = async (fields: Record<string, unknown>) =>
  bytesOf(await speak({ response_format: 'pcm', ...fields }));
const naturalPcm = await pcmOf({});

describe('formats', () => {
  it.each([
    ['mp3', 'audio/mpeg', 'mp3'],
    ['opus', 'audio/ogg', 'opus'],
    ['aac', 'audio/aac', 'aac'],
    ['flac', 'audio/flac', 'flac'],
    ['wav', 'audio/wav', 'pcm-s16'],
  ])('encodes %s as declared', async (format, type, codec) => {
    const response = await speak({ response_format: format });
    expect(response.headers.get('content-type')).toBe(type);
    const bytes = await bytesOf(response);
    const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
    const track = await input.getPrimaryAudioTrack();
    expect(track?.codec).toBe(codec);
    expect(await track?.getNumberOfChannels()).toBe(1);
    expect(await input.computeDuration()).toBeGreaterThan(SECONDS - 0.5);
    expect(await input.computeDuration()).toBeLessThan(SECONDS + 1.5);
    input.dispose();
  });

  it('returns pcm as audible 16-bit mono at 24 kHz', async () => {
    const response = await speak({ response_format: 'pcm' });
    expect(response.headers.get('content-type')).toBe('audio/pcm; rate=24000');
    const bytes = await bytesOf(response);
    expect(bytes.equals(naturalPcm)).toBe(true);
    const wav = await bytesOf(await speak({ response_format: 'wav' }));
    expect(wav.subarray(44).equals(bytes)).toBe(true);
    expect(wav.readUInt32LE(24)).toBe(24_000);
    expect(wav.readUInt32LE(40)).toBe(bytes.length);
    expect(Math.max(...samplesOf(bytes))).toBeGreaterThan(5000);
  });
});

it('stops if the client disconnects', async () => {
  const events: string[] = [];
  const paced = await startWithClient({ speed: 1, onEvent: ({ kind }) => events.push(kind) });
  try {
    const response = await speak({ input: `${TEXT} `.repeat(40) }, paced);
    await response.body?.cancel();
    await expect.poll(() => events).toContain('closed-by-client');
  } finally {
    await paced.gateway.close();
  }
});

it.each([
  ['input', { input: 'x'.repeat(4097) }],
  ['input', { input: '' }],
  ['speed', { speed: 5 }],
  ['response_format', { response_format: 'ogg' }],
])('answers 400 and names %s', async (param, fields) => {
  const response = await speak(fields);
  const { error } = JSON.parse(await response.text());
  expect([response.status, error.param]).toEqual([400, param]);
});

function samplesOf(pcm: Buffer): Int16Array {
  return new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
}
