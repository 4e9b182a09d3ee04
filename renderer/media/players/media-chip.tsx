import { type ReactNode, useRef } from 'react';
import { getMediaUrl, type Media } from '../../../shared/media.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon, PlayIcon } from '../../ui/icons/actions.tsx';
import { FileIcon, PauseIcon } from '../../ui/icons/media.tsx';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useAudioSource } from '../peaks/use-audio-source.ts';
import { canShowImage } from '../uploads/image-limits.ts';
import { getImageNotes, ImageOffer } from '../uploads/image-offer.tsx';
import { getFacts, getMediaTitle } from './describe-media.ts';
import { ImageView } from './image-view.tsx';
import styles from './media-chip.module.css';
import { usePlayback } from './playback.ts';
import { useMedia } from './use-media.ts';

interface MediaChipProps {
  media: Media;
  title?: string;
  /** Replaces the format, size and duration. */
  detail?: string;
  onRemove?: () => void;
  /** Additional controls inside the chip. */
  children?: ReactNode;
}

export function MediaChip({ media, title, detail, ...rest }: MediaChipProps) {
  const name = title ?? getMediaTitle(media);
  return (
    <AttachmentChip
      {...rest}
      name={name}
      icon={<ChipIcon media={media} name={name} />}
      detail={detail ?? getFacts(media).join(' · ')}
      warning={media.isCut === true ? 'The file ends too early. It may be damaged.' : null}
    />
  );
}

interface AttachmentChipProps extends Pick<MediaChipProps, 'onRemove' | 'children'> {
  name: string;
  icon: ReactNode;
  detail: string;
  warning?: string | null;
}

/** Renders a chip for any attachment, even one that isn't in the library. */
export function AttachmentChip(props: AttachmentChipProps) {
  const { name, icon, detail, warning = null, onRemove, children } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-label={name} className={styles.chip}>
      {icon}
      <span className={styles.words}>
        <span className={styles.name} title={name}>
          {name}
        </span>
        {detail !== '' && <span className={styles.detail}>{detail}</span>}
      </span>
      {warning !== null && (
        <Tooltip text={warning}>
          <span className={styles.warning}>
            <WarningIcon size={14} />
            <span className="visually-hidden">{warning}</span>
          </span>
        </Tooltip>
      )}
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

interface ImageChipProps {
  mediaId: string;
  onRemove?: () => void;
  /** Called with a converted or scaled copy, or with the original. */
  onReplace?: (media: Media) => void;
}

/** Shows an image from the library, or a note that it was deleted. */
export function ImageChip({ mediaId, onRemove, onReplace }: ImageChipProps) {
  const { media, isPending } = useMedia(mediaId);
  if (media !== null && onReplace !== undefined) {
    return (
      <MediaChip
        media={media}
        detail={[...getFacts(media), ...getImageNotes(media)].join(' · ')}
        {...(onRemove && { onRemove })}
      >
        <ImageOffer media={media} onReplace={onReplace} />
      </MediaChip>
    );
  }
  if (media !== null) return <MediaChip media={media} {...(onRemove && { onRemove })} />;
  if (isPending) return null;
  return (
    <span className={classNames(styles.deleted, 'row-4 caption')}>
      This image is no longer in the library.
      {onRemove && (
        <Button size="small" variant="quiet" onClick={onRemove}>
          Remove image
        </Button>
      )}
    </span>
  );
}

/** Shows the image, a player for audio, or a file icon if there is nothing to show. */
export function ChipIcon({ media, name }: { media: Media | null; name: string }) {
  switch (media?.kind) {
    case 'image':
      return canShowImage(media) ? (
        <ImageView media={media} title={name} size="thumbnail" />
      ) : (
        <span className={styles.icon}>
          <FileIcon />
        </span>
      );
    case 'audio':
      return <ChipAudio media={media} title={name} />;
    case 'video':
      return <video className={styles.still} src={getMediaUrl(media.id)} aria-label={name} muted />;
    default:
      return (
        <span className={styles.icon}>
          <FileIcon />
        </span>
      );
  }
}

function ChipAudio({ media, title }: { media: Media; title: string }) {
  const slot = useRef<HTMLSpanElement>(null);
  const url = useAudioSource(media, null);
  const playback = usePlayback(slot, { title, url, preload: 'none' });
  const verb = playback.playing ? 'Pause' : 'Play';
  return (
    <>
      <span ref={slot} hidden />
      <IconButton
        label={playback.failed ? `${title} can’t be played` : `${verb} ${title}`}
        icon={playback.playing ? <PauseIcon /> : <PlayIcon />}
        disabled={playback.failed}
        onClick={playback.toggle}
      />
    </>
  );
}
