/** Length, rate, channels and pixels of a sound or a video; runs in the worker. */
import { type Measurement, unmeasured } from '../measurement.ts';
import { withFile } from '../read-at.ts';
import { soundAlone } from '../sniff.ts';
import { frameReaders, measureFrames } from './measure-frames.ts';

/** Bare frames are counted, as no header gives their length for sure; containers are opened. */
export function measureFile(path: string, type: string): Promise<Measurement> {
  const read = frameReaders[type];
  return read ? withFile(path, (file) => measureFrames(file, read)) : measureContainer(path, type);
}

/** A frame rate from so many packets is as good as from all. */
const PACKETS_FOR_RATE = 200;

export async function measureContainer(path: string, type: string): Promise<Measurement> {
  const { ALL_FORMATS, FilePathSource, Input } = await import('mediabunny');
  // Without a listener an error while nothing is being read would end the worker.
  const source = new FilePathSource(path, { handleUnhandledError: () => undefined });
  const input = new Input({ source, formats: ALL_FORMATS });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const measured: Measurement = {
      ...unmeasured,
      durationSeconds: finite(await input.computeDuration()),
      sampleRate: audio && (await audio.getSampleRate()),
      channels: audio && (await audio.getNumberOfChannels()),
    };
    if (video === null) {
      const audioType = audio && soundAlone[type];
      return audioType ? { ...measured, kind: 'audio', type: audioType } : measured;
    }
    const { averagePacketRate } = await video.computePacketStats(PACKETS_FOR_RATE);
    return {
      ...measured,
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      frameRate: finite(averagePacketRate),
    };
  } finally {
    input.dispose();
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) && value > 0 ? value : null;
}
