import type { Media } from '../../../shared/media.ts';
import { encodePeaks, type MediaPeaks, toMediaPeaks } from '../../../shared/media-peaks.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import { mediaRequest } from '../uploads/media-request.ts';
import { outlineSound } from './outline-sound.ts';

const DEFAULT_POINTS = 2000;

export interface PeakOptions {
  points?: number;
  signal?: AbortSignal;
}

/**
 * For wavesurfer: `peaks: [max, min]`, `duration`. Made by main, or in a worker here for what only
 * the browser decodes, which main then keeps. Rejects with a `PageFailure`, or the signal's reason.
 */
export async function loadMediaPeaks(
  { id }: Pick<Media, 'id'>,
  { points = DEFAULT_POINTS, signal }: PeakOptions = {},
): Promise<MediaPeaks> {
  const url = `${mediaUrl(id)}/peaks`;
  const response = await mediaRequest(`${url}?points=${points}`, {
    signal: signal ?? null,
    expected: [501],
  });
  if (response.status !== 501) return response.json();

  const table = await outlineSound(new URL(mediaUrl(id), location.href).href, signal);
  await mediaRequest(url, {
    method: 'PUT',
    body: encodePeaks(table).buffer,
    signal: signal ?? null,
  });
  return toMediaPeaks(table, points);
}
