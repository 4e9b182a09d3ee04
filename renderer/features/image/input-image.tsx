import { MediaChip } from '../../media/players/media-chip.tsx';
import { useMedia } from '../../media/players/use-media.ts';
import { Button } from '../../ui/button.tsx';
import styles from './image.module.css';

interface InputImageProps {
  mediaId: string;
  onRemove: () => void;
}

export function InputImage({ mediaId, onRemove }: InputImageProps) {
  const { media, isPending } = useMedia(mediaId);
  if (media !== null) return <MediaChip media={media} onRemove={onRemove} />;
  if (isPending) return null;
  return (
    <span className={styles.gone}>
      This image is no longer stored in Gatehouse.
      <Button size="small" variant="quiet" onClick={onRemove}>
        Remove image
      </Button>
    </span>
  );
}
