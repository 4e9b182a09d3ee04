import type { Media } from '../../shared/media.ts';
import type { MediaPeaks } from '../../shared/media-peaks.ts';

/** For wavesurfer: `peaks: [max, min]`, `duration`. Made by main or, for what only Chromium decodes, in a worker here. */
export declare function loadMediaPeaks(
  media: Pick<Media, 'id'>,
  options?: { points?: number; signal?: AbortSignal },
): Promise<MediaPeaks>;
