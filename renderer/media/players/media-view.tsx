import type { ReactNode } from 'react';
import type { Media } from '../../../shared/media.ts';
import { canShowImage } from '../uploads/image-limits.ts';
import { AudioPlayer } from './audio-player.tsx';
import { DownloadButton } from './download-button.tsx';
import { ImageView } from './image-view.tsx';
import { MediaChip } from './media-chip.tsx';
import { VideoPlayer } from './video-player.tsx';

export interface MediaViewProps {
  media: Media;
  title: string;
  /** Replaces the Send to buttons next to Download. */
  actions?: ReactNode;
}

export function MediaView({ media, title, actions }: MediaViewProps) {
  // Show a chip if the browser can't show the image.
  const kind = canShowImage(media) ? media.kind : 'file';
  switch (kind) {
    case 'image':
      return <ImageView media={media} title={title} actions={actions} />;
    case 'audio':
      return <AudioPlayer media={media} title={title} actions={actions} />;
    case 'video':
      return <VideoPlayer media={media} title={title} actions={actions} />;
    case 'file':
      return (
        <MediaChip media={media} title={title}>
          {actions}
          <DownloadButton media={media} />
        </MediaChip>
      );
  }
}
