import type { RefObject } from 'react';
import type { Media } from '../../../shared/media.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { PageError } from '../../lib/page-failure.ts';
import { useRoute } from '../../lib/route.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { mediaTitle } from '../players/describe-media.ts';
import { fileError } from '../uploads/media-filter.ts';
import { uploadMedia } from '../uploads/upload-media.ts';
import { type ReceivingPanel, sendToPanel } from './hand-over.ts';
import { panelsFor, sendTargets } from './send-to.tsx';

interface FrameMenuProps {
  player: RefObject<HTMLVideoElement | null>;
  media: Media;
}

/** The frame that is shown, as a picture for any panel that accepts one. */
export function FrameMenu({ player, media }: FrameMenuProps) {
  const { panel: from } = useRoute();
  const { busy, error, attempt } = useAttempt();

  function send(panel: ReceivingPanel): void {
    const element = player.current;
    if (element === null || busy) return;
    void attempt(async () => {
      const frame = await captureFrame(element, mediaTitle(media));
      sendToPanel(panel, { kind: 'media', media: frame });
    });
  }

  const items = sendTargets(panelsFor({ kind: 'image' }), from).map(
    ({ panel, label }): MenuItem => ({ id: panel, label, onSelect: () => send(panel) }),
  );
  return (
    <>
      <Menu
        label="Use this frame"
        trigger="Use this frame…"
        size="small"
        align="start"
        items={items}
      />
      {error !== null && <ErrorAlert compact error={error} />}
    </>
  );
}

/** Longer than a player needs to show a frame after it was opened or put elsewhere. */
const frameMs = 3000;

/** Stores the frame that the player shows as a PNG. Rejects with a `PageFailure`. */
async function captureFrame(player: HTMLVideoElement, title: string): Promise<Media> {
  const isOnItsWay =
    player.error === null && player.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;
  if (isOnItsWay) await frameOrEnd(player);
  const { videoWidth, videoHeight, currentTime } = player;
  if (!showsFrame(player)) {
    throw new PageError(
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

function showsFrame({ videoWidth, readyState }: HTMLVideoElement): boolean {
  return videoWidth > 0 && readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
}

/** Also ends when the player fails, or nothing comes for `frameMs`. */
function frameOrEnd(player: HTMLVideoElement): Promise<void> {
  const signal = AbortSignal.timeout(frameMs);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
    for (const event of ['loadeddata', 'seeked', 'error']) {
      player.addEventListener(event, () => resolve(), { once: true, signal });
    }
  });
}
