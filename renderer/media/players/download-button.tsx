import type { Media } from '../../../shared/media.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { saveMedia } from './save-media.ts';

export function DownloadButton({ media }: { media: Media }) {
  return (
    <Button
      variant="quiet"
      size="small"
      icon={<DownloadIcon size={14} />}
      disabledReason={media.complete ? null : 'It is still arriving.'}
      onClick={() => saveMedia(media)}
    >
      Download
    </Button>
  );
}
