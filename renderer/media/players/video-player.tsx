import { type CSSProperties, type ReactNode, type RefObject, useRef, useState } from 'react';
import { getMediaUrl, type Media } from '../../../shared/media.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { PageError } from '../../lib/page-failure.ts';
import { useRoute } from '../../lib/route.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { showInlineNote } from '../../ui/inline-note.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { type ReceivingPanel, sendToPanel } from '../hand-over/hand-over.ts';
import { listTargetPanels, SendToMenu, sendTargets } from '../hand-over/send-to.tsx';
import { createMediaError } from '../uploads/media-filter.ts';
import { uploadMedia } from '../uploads/upload-media.ts';
import { getMediaTitle } from './describe-media.ts';
import { DownloadButton } from './download-button.tsx';
import { FrameControls } from './frame-controls.tsx';
import { MediaFailed } from './media-details.tsx';
import { useIsDeleted } from './use-media.ts';
import styles from './video-player.module.css';

export interface VideoPlayerProps {
  media: Media;
  title: string;
  poster?: string;
  autoPlay?: boolean;
  /** Replaces the Send to buttons next to Download. */
  actions?: ReactNode;
  /** Details below the actions, or next to the video if there's room. */
  details?: ReactNode;
}

function getFrame(width: number, height: number): CSSProperties & Record<'--ratio', number> {
  return { '--ratio': width / height };
}

/** Shows the browser's video player in a fixed-size frame. */
export function VideoPlayer(props: VideoPlayerProps) {
  const { media, title, poster, autoPlay = false, actions, details } = props;
  const [failedId, setFailedId] = useState<string | null>(null);
  const player = useRef<HTMLVideoElement>(null);
  const { width, height } = media;
  const isDeleted = useIsDeleted(media, failedId === media.id);
  const sized = width !== null && height !== null;
  return (
    <div
      className={classNames(styles.player, details !== undefined && styles.detailed)}
      style={sized ? getFrame(width, height) : undefined}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: what a gateway sends has no captions. */}
      <video
        ref={player}
        key={`${media.id}${media.complete}`}
        className={classNames(styles.video, sized && styles.sized)}
        aria-label={title}
        src={getMediaUrl(media.id)}
        poster={poster}
        controls
        playsInline
        preload="metadata"
        autoPlay={autoPlay}
        onError={() => setFailedId(media.id)}
        onLoadedMetadata={() => setFailedId(null)}
      />
      <div className={styles.side}>
        {!isDeleted && (
          <div className="wrap-12">
            {media.complete && <FrameControls player={player} media={media} />}
            <ActionBar>
              <FrameMenu player={player} media={media} />
              {actions === undefined ? <SendToMenu media={media} /> : actions}
              <DownloadButton media={media} />
            </ActionBar>
          </div>
        )}
        {failedId === media.id && <MediaFailed media={media} what="video" />}
        {details}
      </div>
    </div>
  );
}

interface FrameMenuProps {
  player: RefObject<HTMLVideoElement | null>;
  media: Media;
}

/** Sends the current frame to a panel that accepts images. */
export function FrameMenu({ player, media }: FrameMenuProps) {
  const { panel: from } = useRoute();
  const { busy, error, attempt } = useAttempt();

  const trigger = useRef<HTMLButtonElement>(null);

  function capture(use: (frame: Media) => void): void {
    const element = player.current;
    if (element === null || busy) return;
    void attempt(async () => use(await captureFrame(element, getMediaTitle(media))));
  }

  const send = (panel: ReceivingPanel, slot?: 'lastFrame' | 'references') =>
    capture((frame) =>
      sendToPanel(panel, { kind: 'media', media: frame, ...(slot !== undefined && { slot }) }),
    );
  const targets = sendTargets(listTargetPanels({ kind: 'image' }), from).map(
    ({ panel, label }): MenuItem => ({ id: panel, label, onSelect: () => send(panel) }),
  );
  const items: MenuItem[] = [
    ...targets,
    ...(from === 'video'
      ? [
          { id: 'last', label: 'Use as last frame', onSelect: () => send('video', 'lastFrame') },
          {
            id: 'reference',
            label: 'Add as reference',
            onSelect: () => send('video', 'references'),
          },
        ]
      : []),
    {
      id: 'library',
      label: 'Save to library',
      onSelect: () =>
        capture(() => trigger.current && showInlineNote(trigger.current, 'Saved to the library')),
    },
  ];
  return (
    <>
      <Menu
        triggerRef={trigger}
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

/** Longer than a player needs to show its first frame. */
const frameMs = 3000;

/** Uploads the current frame as a PNG; rejects with a `PageError`. */
async function captureFrame(player: HTMLVideoElement, title: string): Promise<Media> {
  const isOnItsWay =
    player.error === null && player.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;
  if (isOnItsWay) await waitForFrame(player);
  const { videoWidth, videoHeight, currentTime } = player;
  if (!showsFrame(player)) {
    throw new PageError(
      createMediaError('No video frame is available yet.', 'Play it for a moment, then try again.'),
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

/** Resolves once a frame is ready, on an error, or after `frameMs`. */
function waitForFrame(player: HTMLVideoElement): Promise<void> {
  const signal = AbortSignal.timeout(frameMs);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
    for (const event of ['loadeddata', 'seeked', 'error']) {
      player.addEventListener(event, () => resolve(), { once: true, signal });
    }
  });
}
