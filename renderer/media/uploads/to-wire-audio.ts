import { getMediaUrl, type Media } from '../../../shared/media.ts';
import { PageError } from '../../lib/page-failure.ts';
import { createWavBlob, toInt16 } from '../peaks/use-audio-source.ts';
import { createMediaError } from './media-filter.ts';
import { uploadMedia } from './upload-media.ts';

/** Limits in-memory decoding, because an hour of audio would need gigabytes. */
const MAX_SECONDS = 30 * 60;
const MAX_BYTES = 300_000_000;
const DEFAULT_SAMPLE_RATE = 48_000;

/** Returns null if the audio must be converted. */
export function getWireAudioFormat(media: Pick<Media, 'type'>): 'wav' | 'mp3' | null {
  if (/^audio\/(x-|vnd\.)?wave?$/.test(media.type)) return 'wav';
  return /^audio\/(mpeg|mp3)$/.test(media.type) ? 'mp3' : null;
}

/** Converts audio other than WAV and MP3 to 16-bit mono WAV; rejects with a `PageError`. */
export async function toWireAudio(
  media: Media,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Media> {
  if (getWireAudioFormat(media) !== null) return media;
  const name = media.name ?? 'audio';
  if ((media.durationSeconds ?? 0) > MAX_SECONDS || media.sizeBytes > MAX_BYTES) {
    throw new PageError(
      createMediaError(
        `“${name}” is too long to convert to WAV.`,
        'Attach a shorter clip, or a WAV or MP3 file.',
      ),
    );
  }
  const decoded = await decode(media, name, signal);
  signal?.throwIfAborted();
  const wav = createWavBlob(mixToMono(decoded), { sampleRate: decoded.sampleRate, channels: 1 });
  return uploadMedia(wav, {
    name: `${name.replace(/\.[^.]+$/, '')}.wav`,
    ...(signal && { signal }),
  });
}

async function decode(
  media: Media,
  name: string,
  signal: AbortSignal | undefined,
): Promise<AudioBuffer> {
  const response = await fetch(getMediaUrl(media.id), { ...(signal && { signal }) });
  const bytes = response.ok ? await response.arrayBuffer() : null;
  // Decoding resamples to the context's rate, so use the file's rate if that's allowed.
  const rate = media.sampleRate ?? DEFAULT_SAMPLE_RATE;
  const context = new OfflineAudioContext(
    1,
    1,
    rate >= 8000 && rate <= 96_000 ? rate : DEFAULT_SAMPLE_RATE,
  );
  try {
    if (bytes === null) throw new Error(`The file couldn’t be loaded (status ${response.status}).`);
    return await context.decodeAudioData(bytes);
  } catch (cause) {
    throw new PageError(
      createMediaError(
        `“${name}” couldn’t be decoded.`,
        'Choose another file, or convert it to WAV or MP3 first.',
        String(cause),
      ),
    );
  }
}

/** Writes little-endian samples, like every platform that runs a browser. */
export function mixToMono(
  buffer: Pick<AudioBuffer, 'length' | 'numberOfChannels' | 'getChannelData'>,
): Uint8Array<ArrayBuffer> {
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, channel) =>
    buffer.getChannelData(channel),
  );
  const samples = new Int16Array(buffer.length);
  for (let frame = 0; frame < samples.length; frame += 1) {
    let sum = 0;
    for (const channel of channels) sum += channel[frame] ?? 0;
    samples[frame] = toInt16(sum / channels.length);
  }
  return new Uint8Array(samples.buffer);
}
