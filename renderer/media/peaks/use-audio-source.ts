import { useEffect, useState } from 'react';
import { getMediaUrl, getRawAudioUrl, type Media } from '../../../shared/media.ts';
import { createWavHeader, type WavShape } from '../../../shared/wav.ts';

/** Returns null if there's no URL; each item needs its own component (`key={media.id}`). */
export function useAudioSource(media: Media, raw: RawSamples | null): string | null {
  const [grew] = useState(!media.complete);
  const wrapped = useWrappedSamples(raw);
  if (raw !== null) return wrapped ?? (grew ? getRawAudioUrl(media.id, raw.shape) : null);
  const url = getMediaUrl(media.id);
  // Chromium treats a growing file's URL as a stream that can't seek.
  return grew && media.complete ? `${url}?whole` : url;
}

function useWrappedSamples(raw: RawSamples | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  const bytes = raw?.bytes ?? null;
  const { sampleRate, channels } = raw?.shape ?? { sampleRate: 0, channels: 0 };

  useEffect(() => {
    if (bytes === null) return;
    const made = URL.createObjectURL(createWavBlob(bytes, { sampleRate, channels }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, sampleRate, channels]);

  return url;
}

/** For audio without a header, the page adds one. */
export interface RawSamples {
  shape: WavShape;
  /** `bytes` is null until the samples have been fetched. */
  bytes: Blob | null;
  failed: boolean;
}

/** Fetches the samples once for all uses; returns null if the item needs no header. */
export function useRawSamples(
  { id, complete }: Media,
  shape: WavShape | undefined,
): RawSamples | null {
  const [state, setState] = useState<Omit<RawSamples, 'shape'>>({ bytes: null, failed: false });
  const wanted = complete && shape !== undefined;

  useEffect(() => {
    if (!wanted) return;
    const controller = new AbortController();
    const { signal } = controller;
    fetchSamples(id, signal).then(
      (bytes) => {
        if (!signal.aborted) setState({ bytes, failed: false });
      },
      () => {
        if (!signal.aborted) setState({ bytes: null, failed: true });
      },
    );
    return () => controller.abort();
  }, [id, wanted]);

  return shape === undefined ? null : { shape, ...state };
}

async function fetchSamples(id: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(getMediaUrl(id), { signal });
  if (!response.ok) throw new Error(`The audio couldn’t be loaded (status ${response.status}).`);
  return response.blob();
}

export function createWavBlob(samples: Blob | Uint8Array<ArrayBuffer>, shape: WavShape): Blob {
  const sizeBytes = samples instanceof Blob ? samples.size : samples.byteLength;
  return new Blob([createWavHeader(shape, sizeBytes), samples], { type: 'audio/wav' });
}

/** Converts samples from -1 to 1 to 16-bit integers, clipping louder ones. */
export function toInt16(sample: number): number {
  const clipped = Math.max(-1, Math.min(1, sample));
  return Math.round(clipped < 0 ? clipped * 32_768 : clipped * 32_767);
}
