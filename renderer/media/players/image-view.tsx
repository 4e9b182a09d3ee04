import { type CSSProperties, type ReactNode, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import { classNames } from '../../ui/class-names.ts';
import { ImageDialog } from './image-dialog.tsx';
import styles from './image-view.module.css';
import { MediaFailed } from './media-failed.tsx';

export interface ImageViewProps {
  media: Media;
  title: string;
  size?: 'thumbnail' | 'large';
  /** Buttons in the full view's row. */
  actions?: ReactNode;
}

/** A picture that opens in a full view with zoom. */
export function ImageView({ media, title, size, actions }: ImageViewProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <ImageButton media={media} title={title} size={size} onOpen={() => setOpen(true)} />
      <ImageDialog
        media={media}
        title={title}
        open={open}
        onClose={() => setOpen(false)}
        actions={actions}
      />
    </>
  );
}

type SizedStyle = CSSProperties & Record<'--width' | '--ratio', string>;

/** In pixels. Reserves its place before it has loaded. */
function reservePlace(width: number, height: number) {
  const style: SizedStyle = { '--width': `${width}px`, '--ratio': String(width / height) };
  return { width, height, className: classNames(styles.picture, styles.sized), style };
}

interface ImageButtonProps extends Pick<ImageViewProps, 'media' | 'title'> {
  size?: ImageViewProps['size'] | undefined;
  onOpen: () => void;
}

/** A picture whose full view is somebody else's. */
export function ImageButton({ media, title, size = 'large', onOpen }: ImageButtonProps) {
  const [failedId, setFailedId] = useState<string | null>(null);
  // A photo that is stored turned, and was measured as it is stored.
  const [turnedId, setTurnedId] = useState<string | null>(null);
  const { width, height } = media;
  if (failedId === media.id) return <MediaFailed media={media} what="image" />;
  return (
    <button
      type="button"
      aria-label={`Open ${title}`}
      aria-haspopup="dialog"
      className={classNames(styles.button, styles[size])}
      onClick={onOpen}
    >
      <img
        src={mediaUrl(media.id)}
        alt={title}
        {...(width !== null && height !== null && turnedId !== media.id
          ? reservePlace(width, height)
          : { className: styles.picture })}
        loading="lazy"
        decoding="async"
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth } }) => {
          if (width !== null && naturalWidth !== width) setTurnedId(media.id);
        }}
        onError={() => setFailedId(media.id)}
      />
    </button>
  );
}
