import { useEffect, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import { type WavShape, wavBlob } from './wav.ts';

export interface AudioSource {
  /** Null while there is nothing that could be played. */
  url: string | null;
  failed: boolean;
}

/** What the `<audio>` element plays. Keep it for one medium only: `key={media.id}`. */
export function useAudioSource(media: Media, pcm: WavShape | undefined): AudioSource {
  const [grew] = useState(!media.complete);
  const wrapped = useWrappedSamples(media, pcm);
  if (pcm !== undefined) return wrapped;
  const url = mediaUrl(media.id);
  // Another address than the growing one, which the browser holds for a stream without seeking.
  return { url: grew && media.complete ? `${url}?whole` : url, failed: false };
}

/** Raw samples have no header: they are given one in the page. */
function useWrappedSamples({ id, complete }: Media, pcm: WavShape | undefined): AudioSource {
  const [source, setSource] = useState<AudioSource>({ url: null, failed: false });
  const { sampleRate, channels } = pcm ?? { sampleRate: 0, channels: 0 };

  useEffect(() => {
    if (!complete || sampleRate === 0) return;
    const controller = new AbortController();
    let url: string | null = null;
    fetchSamples(id, controller.signal).then(
      (samples) => {
        url = URL.createObjectURL(wavBlob(samples, { sampleRate, channels }));
        setSource({ url, failed: false });
      },
      () => {
        if (!controller.signal.aborted) setSource({ url: null, failed: true });
      },
    );
    return () => {
      controller.abort();
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [id, complete, sampleRate, channels]);

  return source;
}

export async function fetchSamples(id: string, signal?: AbortSignal): Promise<Blob> {
  const reply = await fetch(mediaUrl(id), { ...(signal && { signal }) });
  if (!reply.ok) throw new Error(`The samples answered ${reply.status}.`);
  return reply.blob();
}
