import { type CSSProperties, type ReactNode, useRef, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import { classNames } from '../../ui/class-names.ts';
import { FrameMenu } from '../hand-over/frame-menu.tsx';
import { SendToMenu } from '../hand-over/send-to.tsx';
import { DownloadButton } from './download-button.tsx';
import { MediaFailed } from './media-failed.tsx';
import { useIsDeleted } from './use-media.ts';
import styles from './video-player.module.css';

export interface VideoPlayerProps {
  media: Media;
  title: string;
  poster?: string;
  autoPlay?: boolean;
  /** Buttons beside Download, in place of the panels that it can be sent to. */
  actions?: ReactNode;
  /** What is known of it, below its actions: at the right of the picture where there is room. */
  details?: ReactNode;
}

function getFrame(width: number, height: number): CSSProperties & Record<'--ratio', number> {
  return { '--ratio': width / height };
}

/** The platform's own player in a frame that neither jumps nor outgrows its place. */
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
        src={mediaUrl(media.id)}
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
          <div className={styles.actions}>
            <FrameMenu player={player} media={media} />
            {actions === undefined ? <SendToMenu media={media} /> : actions}
            <DownloadButton media={media} />
          </div>
        )}
        {failedId === media.id && <MediaFailed media={media} what="video" />}
        {details}
      </div>
    </div>
  );
}
