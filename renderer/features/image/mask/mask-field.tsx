import { useState } from 'react';
import type { Media } from '../../../../shared/media.ts';
import { MediaChip } from '../../../media/players/media-chip.tsx';
import { useMedia } from '../../../media/players/use-media.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyDialog } from '../../../ui/lazy-component.tsx';

const MaskDialog = lazyDialog('Mask', async () => (await import('./mask-dialog.tsx')).MaskDialog);

interface MaskFieldProps {
  /** The media ID of the image that is edited. */
  imageId: string;
  maskId: string | null;
  onMask: (mask: Media) => void;
  onRemove: () => void;
}

/** Draws, shows and removes the mask of the first image. */
export function MaskField({ imageId, maskId, onMask, onRemove }: MaskFieldProps) {
  const { media: image } = useMedia(imageId);
  const { media: mask } = useMedia(maskId);
  const [isOpen, setIsOpen] = useState(false);
  if (image === null) return null;
  return (
    <>
      {mask !== null && (
        <MediaChip
          media={mask}
          title="Mask"
          detail="Only its transparent area changes"
          onRemove={onRemove}
        />
      )}
      <Button onClick={() => setIsOpen(true)}>{mask === null ? 'Draw mask' : 'Edit mask'}</Button>
      {isOpen && (
        <MaskDialog
          image={image}
          maskId={mask?.id ?? null}
          onUse={onMask}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
