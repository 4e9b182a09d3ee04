import type { Media } from '../../../shared/media.ts';
import { DownloadButton } from '../../media/players/download-button.tsx';
import { handOver } from '../../run/form/hand-over.ts';
import { Button } from '../../ui/button.tsx';
import { useImage } from './image-store.ts';

interface PictureActionsProps {
  media: Media;
  /** Also what the full view has by itself. */
  download?: boolean;
}

/** Where a picture can go from here. */
export function PictureActions({ media, download = false }: PictureActionsProps) {
  const { addImages } = useImage.getState();
  return (
    <>
      {media.kind === 'image' && (
        <>
          <Button
            size="small"
            variant="quiet"
            onClick={() => addImages([{ mediaId: media.id, mimeType: media.type }])}
          >
            Attach to prompt
          </Button>
          <Button size="small" variant="quiet" onClick={() => handOver('chat', [media])}>
            Send to chat
          </Button>
          <Button size="small" variant="quiet" onClick={() => handOver('video', [media])}>
            Send to video
          </Button>
        </>
      )}
      {download && <DownloadButton media={media} />}
    </>
  );
}
