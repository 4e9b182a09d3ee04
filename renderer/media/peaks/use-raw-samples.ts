import { useEffect, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import type { WavShape } from '../../../shared/wav.ts';

/** Sound without a header: the page has to give it one, and to outline it. */
export interface RawSamples {
  shape: WavShape;
  /** Null until they have been fetched. */
  bytes: Blob | null;
  failed: boolean;
}

/** Fetched once for playing, drawing and saving. Null where the medium is to be taken as it is. */
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
  if (!reply.ok) throw new Error(`The samples answered ${reply.status}.`);
  return reply.blob();
}
