import { useState } from 'react';
import type { LibraryItem, Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import { formatClock, formatLength } from '../../lib/format-quantity.ts';
import { FileIcon } from '../../ui/icons/media.tsx';
import { ImageIcon, SpeechIcon, VideoIcon } from '../../ui/icons/panels.tsx';
import { getFacts, mediaTitle } from '../players/describe-media.ts';
import { originLabel } from './describe-origin.ts';
import styles from './media-grid.module.css';

interface MediaTileProps {
  item: LibraryItem;
  verb: string;
  current: boolean;
  tabIndex: 0 | -1;
  now: number;
  onChoose: () => void;
}

/** A medium by its picture, its name and where it came from. */
export function MediaTile({ item, verb, current, tabIndex, now, onChoose }: MediaTileProps) {
  const name = mediaTitle(item);
  const about = item.run?.preview || getFacts(item).join(' · ');
  return (
    <div className={styles.tile}>
      <button
        type="button"
        className={styles.press}
        aria-label={`${verb} ${name}`}
        aria-description={[originLabel(item), item.run?.preview, ...getFacts(item)]
          .filter(Boolean)
          .join(', ')}
        aria-current={current || undefined}
        tabIndex={tabIndex}
        onClick={onChoose}
      >
        <span className={styles.thumbnail}>
          <Thumbnail media={item} />
        </span>
      </button>
      {item.durationSeconds !== null && (
        <span className={styles.duration}>{formatLength(item.durationSeconds)}</span>
      )}
      <span className={styles.name} title={name}>
        {name}
      </span>
      <span className={styles.origin}>{about}</span>
      <span className={styles.origin}>
        {originLabel(item)} · {formatClock(item.createdAt, now)}
      </span>
    </div>
  );
}

function Thumbnail({ media }: { media: Media }) {
  const [failed, setFailed] = useState(false);
  const url = mediaUrl(media.id);
  if (media.kind === 'image' && !failed) {
    return <img src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(true)} />;
  }
  if (media.kind === 'video' && !failed) {
    return (
      <video
        src={`${url}#t=0.1`}
        muted
        playsInline
        preload="metadata"
        tabIndex={-1}
        aria-hidden="true"
        onError={() => setFailed(true)}
      />
    );
  }
  const Icon = icons[media.kind];
  return <Icon size={28} />;
}

const icons = { image: ImageIcon, video: VideoIcon, audio: SpeechIcon, file: FileIcon };
