import {
  AudioBufferSource,
  BufferTarget,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { expect, onTestFinished, test } from 'vitest';
import { PageError } from '../../renderer/lib/page-failure.ts';
import { outlineAudio } from '../../renderer/media/peaks/use-peaks.ts';
import { toMediaPeaks } from '../../shared/media-peaks.ts';

const RATE = 48_000;

/** Two seconds: silence, then a tone of half volume. */
async function opus(format: OutputFormat): Promise<string> {
  const buffer = new AudioBuffer({ length: 2 * RATE, numberOfChannels: 2, sampleRate: RATE });
  const samples = Float32Array.from({ length: 2 * RATE }, (_, index) =>
    index < RATE ? 0 : 0.5 * Math.sin((2 * Math.PI * 440 * index) / RATE),
  );
  buffer.copyToChannel(samples, 0);
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new AudioBufferSource({ codec: 'opus', bitrate: 96_000 });
  output.addAudioTrack(source);
  await output.start();
  await source.add(buffer);
  await output.finalize();
  return urlOf(target.buffer ?? new ArrayBuffer());
}

function urlOf(bytes: ArrayBuffer | string): string {
  const url = URL.createObjectURL(new Blob([bytes]));
  onTestFinished(() => URL.revokeObjectURL(url));
  return url;
}

test.each([
  ['webm', new WebMOutputFormat()],
  ['ogg', new OggOutputFormat()],
  ['mp4', new Mp4OutputFormat()],
])('outlines Opus in %s', async (_name, format) => {
  const table = await outlineAudio(await opus(format));
  expect(table.durationSeconds).toBeCloseTo(2, 1);
  const { max, min } = toMediaPeaks(table, 10);
  expect(Math.max(...max.slice(0, 4))).toBeLessThan(0.05);
  expect(Math.min(...max.slice(6))).toBeGreaterThan(0.4);
  expect(Math.max(...min.slice(6))).toBeLessThan(-0.4);
});

test('reports damaged audio', async () => {
  const failed = outlineAudio(urlOf('no sound at all'));
  await expect(failed).rejects.toThrow(PageError);
  await expect(failed).rejects.toMatchObject({ error: { kind: 'file' } });
});

test('ends its worker when it is aborted', async () => {
  const abort = new AbortController();
  const decoding = outlineAudio(urlOf(new ArrayBuffer(1_000_000)), {
    signal: abort.signal,
  });
  abort.abort(new Error('gone'));
  await expect(decoding).rejects.toThrow('gone');
});
