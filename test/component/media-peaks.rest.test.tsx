import { Mp4OutputFormat, OggOutputFormat, WebMOutputFormat } from 'mediabunny';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PageError } from '../../renderer/lib/page-failure.ts';
import { loadMediaPeaks, outlineAudio } from '../../renderer/media/peaks/use-peaks.ts';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { toMediaPeaks } from '../../shared/media-peaks.ts';
import { opusFile, tone } from './media-fixtures.ts';

function urlOf(bytes: BlobPart): string {
  const url = URL.createObjectURL(new Blob([bytes]));
  onTestFinished(() => URL.revokeObjectURL(url));
  return url;
}

test.each([
  ['webm', new WebMOutputFormat()],
  ['ogg', new OggOutputFormat()],
  ['mp4', new Mp4OutputFormat()],
])('computes the waveform of Opus in %s', async (_name, format) => {
  const table = await outlineAudio(urlOf(await opusFile(format)));
  expect(table.durationSeconds).toBeCloseTo(2, 1);
  const { max, min } = toMediaPeaks(table, 10);
  expect(Math.max(...max.slice(0, 4))).toBeLessThan(0.05);
  expect(Math.min(...max.slice(6))).toBeGreaterThan(0.4);
  expect(Math.max(...min.slice(6))).toBeLessThan(-0.4);
});

test('computes the waveform of raw samples at their rate, and requests no stored one', async () => {
  const sampleRate = 44_100;
  const file = new File([tone(2, sampleRate)], 'speech.pcm', { type: 'audio/pcm' });
  const stored = await uploadMedia(file);
  const fetching = vi.spyOn(globalThis, 'fetch');
  const raw = { ...stored, type: 'audio/pcm', sampleRate, channels: 1 };
  const { durationSeconds, max } = await loadMediaPeaks(raw, { points: 10 });
  expect(durationSeconds).toBeCloseTo(2, 3);
  expect(Math.min(...max)).toBeGreaterThan(0.4);
  expect(fetching.mock.calls.map(([url]) => url)).toEqual([`/media/${stored.id}`]);
});

test('reports damaged audio and stops its worker on abort', async () => {
  const failed = outlineAudio(urlOf('no sound at all'));
  await expect(failed).rejects.toThrow(PageError);
  await expect(failed).rejects.toMatchObject({ error: { kind: 'file' } });
  const abort = new AbortController();
  const decoding = outlineAudio(urlOf(new ArrayBuffer(1_000_000)), {
    signal: abort.signal,
  });
  abort.abort(new Error('gone'));
  await expect(decoding).rejects.toThrow('gone');
});
