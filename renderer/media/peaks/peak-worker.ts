import { ALL_FORMATS, AudioSampleSink, Input, UrlSource } from 'mediabunny';
import type { PeakTable } from '../../../shared/media-peaks.ts';
import { createPeakBuilder } from '../../../shared/peak-builder.ts';

export type PeakWorkerAnswer = { table: PeakTable } | { problem: string };

/** Decodes a sound piece by piece, so that an hour of it never lies in memory. */
async function outline(url: string): Promise<PeakTable> {
  const input = new Input({ source: new UrlSource(url), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null) throw new Error('There is no sound in this file.');
    const peaks = createPeakBuilder();
    for await (const sample of new AudioSampleSink(track).samples()) {
      const planes = planesOf(sample);
      sample.close();
      for (let frame = 0; frame < (planes[0]?.length ?? 0); frame += 1) {
        let least = 1;
        let greatest = -1;
        for (const plane of planes) {
          const value = plane[frame] ?? 0;
          if (value < least) least = value;
          if (value > greatest) greatest = value;
        }
        peaks.add(least * 32_767, greatest * 32_767);
      }
    }
    return peaks.finish(await track.getSampleRate());
  } finally {
    input.dispose();
  }
}

interface Sample {
  numberOfFrames: number;
  numberOfChannels: number;
  copyTo(
    destination: Float32Array<ArrayBuffer>,
    options: { planeIndex: number; format: 'f32-planar' },
  ): void;
}

function planesOf(sample: Sample): Float32Array[] {
  return Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const plane = new Float32Array(sample.numberOfFrames);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
}

addEventListener('message', ({ data }: MessageEvent<string>) => {
  outline(data).then(
    (table) => answer({ table }),
    (cause: unknown) => answer({ problem: String(cause) }),
  );
});

function answer(message: PeakWorkerAnswer): void {
  self.postMessage(message);
}
