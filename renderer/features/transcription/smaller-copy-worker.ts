/** Encodes a file's audio track as 16 kHz mono MP3, off the main thread. */
import { registerMp3Encoder } from '@mediabunny/mp3-encoder';
import {
  ALL_FORMATS,
  BufferTarget,
  Conversion,
  Input,
  Mp3OutputFormat,
  Output,
  UrlSource,
} from 'mediabunny';

export interface CopyWorkerRequest {
  url: string;
  bitsPerSecond: number;
}

export type CopyWorkerResponse = { progress: number } | { blob: Blob } | { problem: string };

/** Speech models resample to this rate: https://github.com/openai/whisper (`SAMPLE_RATE`). */
const SAMPLE_RATE = 16_000;

async function encode({ url, bitsPerSecond }: CopyWorkerRequest): Promise<Blob> {
  registerMp3Encoder();
  const input = new Input({ source: new UrlSource(url), formats: ALL_FORMATS });
  try {
    const target = new BufferTarget();
    const conversion = await Conversion.init({
      input,
      output: new Output({ format: new Mp3OutputFormat(), target }),
      video: { discard: true },
      audio: (_track, index) =>
        // Other tracks are mostly other languages, and MP3 has one track.
        index > 1
          ? { discard: true }
          : {
              codec: 'mp3',
              bitrate: bitsPerSecond,
              forceTranscode: true,
              numberOfChannels: 1,
              sampleRate: SAMPLE_RATE,
            },
    });
    if (!conversion.isValid) {
      const reasons = conversion.discardedTracks
        .filter(({ track }) => track.type === 'audio')
        .map(({ reason }) => reason.replaceAll('_', ' '));
      throw new Error(reasons.join(', ') || 'This file has no audio.');
    }
    conversion.onProgress = (progress) => answer({ progress });
    await conversion.execute();
    if (target.buffer === null) throw new Error('Nothing was written.');
    return new Blob([target.buffer], { type: 'audio/mpeg' });
  } finally {
    input.dispose();
  }
}

addEventListener('message', ({ data }: MessageEvent<CopyWorkerRequest>) => {
  encode(data).then(
    (blob) => answer({ blob }),
    (cause: unknown) => answer({ problem: String(cause) }),
  );
});

function answer(message: CopyWorkerResponse): void {
  self.postMessage(message);
}
