import type { Media } from '../../../shared/media.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { PageFailure } from '../../lib/page-failure.ts';
import { fileError } from '../uploads/media-filter.ts';
import { uploadMedia } from '../uploads/upload-media.ts';

/** Stores the frame that the player shows as a PNG. Rejects with a `PageFailure`. */
export async function captureFrame(player: HTMLVideoElement, title: string): Promise<Media> {
  const { videoWidth, videoHeight, currentTime } = player;
  if (videoWidth === 0 || player.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
    throw new PageFailure(
      fileError('The video has no frame to show yet.', 'Play it for a moment, then try again.'),
    );
  }
  const canvas = new OffscreenCanvas(videoWidth, videoHeight);
  canvas.getContext('2d')?.drawImage(player, 0, 0);
  const png = await canvas.convertToBlob({ type: 'image/png' });
  const stem = title.replace(/\.[^.]+$/, '');
  return uploadMedia(png, {
    name: `${stem} at ${formatTime(currentTime)}.png`.replaceAll(':', '.'),
  });
}
