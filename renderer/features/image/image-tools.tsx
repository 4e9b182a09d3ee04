import type { Media } from '../../../shared/media.ts';
import { sendToPanel } from '../../media/hand-over/hand-over.ts';
import { saveMedia } from '../../media/players/download-button.tsx';
import { createClipboardImage, ImageButton } from '../../media/players/image-view.tsx';
import { MediaView } from '../../media/players/media-view.tsx';
import { canShowImage } from '../../media/uploads/image-limits.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { DownloadIcon, FitIcon, PaperclipIcon } from '../../ui/icons/media.tsx';
import styles from './result.module.css';

interface ResultImageProps {
  media: Media;
  title: string;
  /** True for a preview of an image that is still being made. */
  isPartial?: boolean;
  onOpen: () => void;
}

/** Shows an image with actions that appear on hover and focus, and always on touch screens. */
export function ResultImage({ media, title, isPartial = false, onOpen }: ResultImageProps) {
  const isImage = media.complete && media.kind === 'image';
  return (
    <div className={styles.framed}>
      {isImage && canShowImage(media) ? (
        <ImageButton media={media} title={title} onOpen={onOpen} />
      ) : (
        <MediaView media={media} title={title} />
      )}
      {isPartial && <span className={styles.partial}>Partial image</span>}
      {isImage && !isPartial && (
        <div className={styles.tools}>
          <CopyButton label="Copy image" content={() => createClipboardImage(media)} />
          <IconButton
            size="small"
            label="Download"
            icon={<DownloadIcon size={14} />}
            onClick={() => saveMedia(media)}
          />
          <IconButton
            size="small"
            label="Attach to prompt"
            icon={<PaperclipIcon size={14} />}
            onClick={() => sendToPanel('image', { kind: 'media', media })}
          />
          <IconButton
            size="small"
            label="Full view"
            icon={<FitIcon size={14} />}
            onClick={onOpen}
          />
        </div>
      )}
    </div>
  );
}
