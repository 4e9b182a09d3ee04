/** The browser decodes the audio, and a worker measures the loudness of a few items at a time. */
import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { getMediaUrl, getRawAudioUrl } from '../../../shared/media.ts';
import type { WavShape } from '../../../shared/wav.ts';
import { computeComparison } from '../../run/compare/work/use-computed.ts';

export interface MeasuredAudio {
  /** The loudness in LUFS; null for silence, very short audio and audio that can't be decoded. */
  loudness: number | null;
  channelCount: number;
}

/** BS.1770 defines its filters for this sample rate. */
const RATE = 48_000;
const MAX_AT_ONCE = 2;
const unknown: MeasuredAudio = { loudness: null, channelCount: 1 };

/** Keyed by URL, because the content at a URL never changes. */
const useMeasured = create<Readonly<Record<string, MeasuredAudio>>>(() => ({}));
const wanted = new Set<string>();
const measuring = new Set<string>();

/** Maps media IDs to their loudness; `raw` lists media that are samples without a header. */
export function useLoudness(
  mediaIds: readonly string[],
  raw: ReadonlySet<string>,
  { sampleRate, channels }: WavShape,
): Readonly<Record<string, MeasuredAudio>> {
  const measured = useMeasured();
  const urls = useMemo(
    () =>
      mediaIds.map((id) =>
        raw.has(id) ? getRawAudioUrl(id, { sampleRate, channels }) : getMediaUrl(id),
      ),
    [mediaIds, raw, sampleRate, channels],
  );
  useEffect(() => {
    for (const url of urls) wanted.add(url);
    measureNext();
    return () => {
      for (const url of urls) wanted.delete(url);
    };
  }, [urls]);
  return useMemo(
    () =>
      Object.fromEntries(
        mediaIds.flatMap((id, at) => {
          const audio = measured[urls[at] ?? ''];
          return audio === undefined ? [] : [[id, audio]];
        }),
      ),
    [mediaIds, urls, measured],
  );
}

function measureNext(): void {
  const known = useMeasured.getState();
  for (const url of wanted) {
    if (measuring.size >= MAX_AT_ONCE) return;
    if (url in known || measuring.has(url)) continue;
    measuring.add(url);
    void measure(url)
      .catch(() => unknown)
      .then((audio) => {
        measuring.delete(url);
        useMeasured.setState({ [url]: audio });
        measureNext();
      });
  }
}

async function measure(url: string): Promise<MeasuredAudio> {
  const bytes = await (await fetch(url)).arrayBuffer();
  const audio = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes);
  const channels = Array.from({ length: audio.numberOfChannels }, (_, at) =>
    audio.getChannelData(at),
  );
  const { signal } = new AbortController();
  const loudness = await computeComparison('loudness', { sampleRate: RATE, channels }, signal);
  return { loudness, channelCount: audio.numberOfChannels };
}
