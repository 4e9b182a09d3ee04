import type { ReactNode } from 'react';
import type { Media } from '../../../shared/media.ts';
import { mediaUrl } from '../../../shared/media-reference.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon } from '../../ui/icons/close.tsx';
import { FileIcon } from '../../ui/icons/media.tsx';
import { ChipSound } from './chip-sound.tsx';
import { ImageView } from './image-view.tsx';
import { factsOf } from './measured.ts';
import styles from './media-chip.module.css';
import { mediaTitle } from './media-title.ts';

export interface MediaChipProps {
  media: Media;
  title?: string;
  /** In place of format, pixels, length and size. */
  detail?: string;
  onRemove?: () => void;
  /** Controls inside it. */
  children?: ReactNode;
}

/** A medium in one line: to look at, to hear, to take away again. */
export function MediaChip({ media, title, detail, onRemove, children }: MediaChipProps) {
  const name = title ?? mediaTitle(media);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-label={name} className={styles.chip}>
      <ChipPicture media={media} name={name} />
      <span className={styles.words}>
        <span className={styles.name} title={name}>
          {name}
        </span>
        <span className={styles.detail}>{detail ?? factsOf(media).join(' · ')}</span>
      </span>
      {children}
      {onRemove !== undefined && (
        <IconButton
          size="small"
          label={`Remove ${name}`}
          icon={<CloseIcon size={12} />}
          onClick={onRemove}
        />
      )}
    </div>
  );
}

function ChipPicture({ media, name }: { media: Media; name: string }) {
  switch (media.kind) {
    case 'image':
      return <ImageView media={media} title={name} size="thumbnail" />;
    case 'audio':
      return <ChipSound media={media} title={name} />;
    case 'video':
      return <video className={styles.still} src={mediaUrl(media.id)} aria-label={name} muted />;
    case 'file':
      return (
        <span className={styles.icon}>
          <FileIcon />
        </span>
      );
  }
}
