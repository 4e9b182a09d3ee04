import { describe, expect, it } from 'vitest';
import { formatRecordingName } from '../../renderer/media/capture/recording.ts';
import { samplePeaks } from '../../renderer/media/peaks/sample-peaks.ts';
import { createWavBlob, toInt16 } from '../../renderer/media/peaks/use-audio-source.ts';
import {
  getFacts,
  listDifferences,
  pickDuration,
  type RequestedMedia,
} from '../../renderer/media/players/describe-media.ts';
import { clampPan, fitView, zoomView } from '../../renderer/media/players/image-stage.tsx';
import { mixToMono } from '../../renderer/media/uploads/to-wire-audio.ts';
import { createWavHeader, WAV_HEADER_BYTES } from '../../shared/wav.ts';
import { medium } from '../fixtures/medium.ts';

const picture = medium({
  kind: 'image',
  type: 'image/png',
  width: 1024,
  height: 576,
  sizeBytes: 1_200_000,
});
const speech = medium({
  kind: 'audio',
  type: 'audio/mpeg',
  durationSeconds: 12.34,
  sampleRate: 24_000,
  channels: 1,
});

describe('the received media', () => {
  it('describes it in one line, without unknown facts', () => {
    expect(getFacts(picture)).toEqual(['PNG', '1024 × 576', '1.2 MB']);
    expect(getFacts(speech)).toEqual(['MP3', '0:12.3', '24 kHz', 'mono', '0 B']);
    expect(getFacts(medium({ complete: false }))).toEqual([]);
  });

  it.each<[string, typeof picture, RequestedMedia, string[]]>([
    ['image', picture, { format: 'png', width: 1024, height: 576, aspectRatio: '16:9' }, []],
    ['image', picture, {}, []],
    ['image', picture, { width: 512, height: 512 }, ['512 × 512']],
    ['image', picture, { aspectRatio: '1:1' }, ['1:1']],
    ['image', picture, { format: 'webp' }, ['webp']],
    ['image', picture, { aspectRatio: 'auto' }, []],
    ['audio', speech, { format: 'mp3' }, []],
    ['audio', speech, { format: 'opus' }, ['opus']],
    ['audio', speech, { durationSeconds: 12 }, []],
    ['audio', speech, { durationSeconds: 5 }, ['0:05.0']],
    ['audio', speech, { sampleRate: 16_000 }, ['16000 Hz']],
  ])('compares it with the requested %s', (_kind, media, requested, expected) => {
    expect(listDifferences(media, requested)).toEqual(expected);
  });
});

describe('raw samples', () => {
  it('adds a WAV header', async () => {
    const wav = await createWavBlob(new Uint8Array(8), {
      sampleRate: 24_000,
      channels: 2,
    }).arrayBuffer();
    const fields = [4, 24, 28, 40].map((at) => new DataView(wav).getUint32(at, true));
    expect(wav.byteLength).toBe(WAV_HEADER_BYTES + 8);
    expect(fields).toEqual([wav.byteLength - 8, 24_000, 96_000, 8]);
    const unknown = createWavHeader({ sampleRate: 48_000, channels: 1 }, null);
    expect(new DataView(unknown.buffer).getUint32(40, true)).toBe(0xffff_ffff);
  });

  it('draws the outline of all channels', () => {
    const samples = new Int16Array([0, 16_384, -32_768, 0, 0, 0, 8192, 0]);
    const peaks = samplePeaks(samples.buffer, { sampleRate: 4, channels: 2 }, 10);
    expect(peaks).toEqual({ durationSeconds: 1, max: [0.5], min: [-1] });
  });

  it('mixes down to one channel and clips', () => {
    const channels = [new Float32Array([1, 0.5, -1]), new Float32Array([1, -0.5, -1])];
    const mixed = mixToMono({
      length: 3,
      numberOfChannels: 2,
      getChannelData: (channel) => channels[channel] ?? new Float32Array(),
    });
    expect([...new Int16Array(mixed.buffer)]).toEqual([32_767, 0, -32_768]);
    expect([2, -2].map(toInt16)).toEqual([32_767, -32_768]);
  });
});

it('names a recording by its time', () => {
  expect(formatRecordingName(new Date(2026, 0, 2, 3, 4, 5))).toBe(
    'Recording 2026-01-02 03.04.05.wav',
  );
});

describe('the view of an image', () => {
  const size = { width: 2000, height: 1000 };
  const frame = { width: 500, height: 500 };

  it('fits the whole image and never enlarges it', () => {
    expect(fitView(size, frame).scale).toBe(0.25);
    expect(fitView({ width: 100, height: 50 }, frame).scale).toBe(1);
    expect(fitView({ width: 0, height: 0 }, frame).scale).toBe(1);
  });

  it('keeps the point under the pointer in place while zooming', () => {
    const before = { scale: 0.5, x: 10, y: -20 };
    const about = { x: 100, y: 40 };
    const after = zoomView(before, 1, about, size, frame);
    expect((about.x - after.x) / after.scale).toBeCloseTo((about.x - before.x) / before.scale);
    expect((about.y - after.y) / after.scale).toBeCloseTo((about.y - before.y) / before.scale);
  });

  it('limits panning and zooming', () => {
    expect(clampPan({ scale: 1, x: 9999, y: -9999 }, size, frame)).toEqual({
      scale: 1,
      x: 875,
      y: -375,
    });
    expect(zoomView({ scale: 1, x: 0, y: 0 }, 1000, { x: 0, y: 0 }, size, frame).scale).toBe(32);
  });
});

it.each([
  ['ignores the padding of a codec', true, 9.97, 9.9],
  ['trusts decoding over a wrong header', true, 4, 4],
  ['follows audio that is still arriving', false, 9.97, 9.97],
  ['uses the file before it is decoded', true, null, 9.9],
])('picks a duration: %s', (_name, complete, decoded, expected) => {
  expect(pickDuration({ complete, durationSeconds: 9.9 }, decoded)).toBe(expected);
});
