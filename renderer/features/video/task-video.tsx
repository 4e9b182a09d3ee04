import type { VideoState } from '../../../shared/operations/video/state.ts';
import { MediaView } from '../../media/players/media-view.tsx';
import { VideoPlayer } from '../../media/players/video-player.tsx';
import styles from './task.module.css';

interface TaskVideoProps {
  state: Pick<VideoState, 'media'>;
  live: boolean;
  title: string;
}

/** The video once it is whole, or whatever came in its place. */
export function TaskVideo({ state, live, title }: TaskVideoProps) {
  const media = state.media.findLast(({ complete }) => complete);
  // What a broken download left is only told when nothing more comes.
  if (media === undefined || live) return null;
  const name = title.length > 80 ? `${title.slice(0, 79)}…` : title;
  return (
    <div className={styles.video}>
      {media.kind === 'video' ? (
        <VideoPlayer media={media} title={name} />
      ) : (
        <MediaView media={media} title="What came in place of a video" />
      )}
    </div>
  );
}
