import { Mp4OutputFormat, OggOutputFormat, WebMOutputFormat } from 'mediabunny';
import { expect, onTestFinished, test } from 'vitest';
import { PageError } from '../../renderer/lib/page-failure.ts';
import { outlineAudio } from '../../renderer/media/peaks/use-peaks.ts';
import { toMediaPeaks } from '../../shared/media-peaks.ts';
import { opusFile } from './media-fixtures.ts';

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
