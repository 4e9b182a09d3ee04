import { useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { sendToPanel } from '../../media/hand-over/hand-over.ts';
import { saveMedia } from '../../media/players/download-button.tsx';
import { clipboardImage, ImageDialog } from '../../media/players/image-view.tsx';
import { MediaView } from '../../media/players/media-view.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { DownloadIcon, FitIcon, PaperclipIcon } from '../../ui/icons/media.tsx';
import styles from './result.module.css';

interface ResultImageProps {
  media: Media;
  title: string;
}

/** Shows an image with actions that appear on hover and focus, and always on touch screens. */
export function ResultImage({ media, title }: ResultImageProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.framed}>
      <MediaView media={media} title={title} />
      {media.complete && media.kind === 'image' && (
        <div className={styles.tools}>
          <CopyButton label="Copy image" content={() => clipboardImage(media)} />
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
            onClick={() => setOpen(true)}
          />
          <ImageDialog media={media} title={title} open={open} onClose={() => setOpen(false)} />
        </div>
      )}
    </div>
  );
}
