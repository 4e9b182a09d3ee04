import { useEffect, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import type { RawSamples } from './use-raw-samples.ts';
import { wavBlob } from './wav.ts';

/**
 * What the `<audio>` element plays; null while there is nothing that could be played. Keep it for one
 * medium only: `key={media.id}`.
 */
export function useAudioSource(media: Media, raw: RawSamples | null): string | null {
  const [grew] = useState(!media.complete);
  const wrapped = useWrappedSamples(raw);
  if (raw !== null) return wrapped;
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
