import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import { VideoIcon } from '../../ui/icons/panels.tsx';
import styles from './task-list.module.css';

/** An early frame of the video, or a sign for one that is not there yet. */
export function TaskThumbnail({ media }: { media: Media | null }) {
  return (
    <span className={styles.thumbnail} aria-hidden="true">
      {media?.complete && media.kind === 'video' ? (
        <video
          src={`${mediaUrl(media.id)}#t=0.1`}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
        />
      ) : (
        <VideoIcon size={16} />
      )}
    </span>
  );
}
