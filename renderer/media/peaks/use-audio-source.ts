import { useEffect, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { mediaUrl, rawAudioUrl } from '../../../shared/media-reference.ts';
import { type WavShape, wavHeader } from '../../../shared/wav.ts';

/**
 * What the `<audio>` element plays; null while there is nothing that could be played. Keep it for one
 * medium only: `key={media.id}`.
 */
export function useAudioSource(media: Media, raw: RawSamples | null): string | null {
  const [grew] = useState(!media.complete);
  const wrapped = useWrappedSamples(raw);
  if (raw !== null) return wrapped ?? (grew ? rawAudioUrl(media.id, raw.shape) : null);
  const url = mediaUrl(media.id);
  // Another address than the growing one, which the browser holds for a stream without seeking.
  return grew && media.complete ? `${url}?whole` : url;
}

function useWrappedSamples(raw: RawSamples | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  const bytes = raw?.bytes ?? null;
  const { sampleRate, channels } = raw?.shape ?? { sampleRate: 0, channels: 0 };

  useEffect(() => {
    if (bytes === null) return;
    const made = URL.createObjectURL(wavBlob(bytes, { sampleRate, channels }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, sampleRate, channels]);

  return url;
}

/** Sound without a header: the page has to give it one, and to outline it. */
export interface RawSamples {
  shape: WavShape;
  /** Null until they have been fetched. */
  bytes: Blob | null;
  failed: boolean;
}

/** Fetched once for playing, drawing and saving. Null if the medium is used unchanged. */
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
  const reply = await fetch(mediaUrl(id), { signal });
  if (!reply.ok) throw new Error(`The audio could not be loaded (status ${reply.status}).`);
  return reply.blob();
}

/** Raw 16-bit samples as a file that every player accepts. */
export function wavBlob(samples: Blob | Uint8Array<ArrayBuffer>, shape: WavShape): Blob {
  const sizeBytes = samples instanceof Blob ? samples.size : samples.byteLength;
  return new Blob([wavHeader(shape, sizeBytes), samples], { type: 'audio/wav' });
}

/** -1 to 1 as 16-bit integers; louder is clipped. */
export function toInt16(sample: number): number {
  const clipped = Math.max(-1, Math.min(1, sample));
  return Math.round(clipped < 0 ? clipped * 32_768 : clipped * 32_767);
}
