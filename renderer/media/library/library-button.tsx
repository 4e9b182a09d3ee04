import { useState } from 'react';
import type { Media, MediaKind } from '../../../shared/media.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/lazy-component.tsx';

const MediaPicker = lazyDialog(
  'From library',
  async () => (await import('./media-picker.tsx')).MediaPicker,
);

interface LibraryButtonProps {
  /** If empty, all kinds are allowed. */
  kinds: readonly MediaKind[];
  title: string;
  onPick: (media: Media) => void;
}

export function LibraryButton({ kinds, title, onPick }: LibraryButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        From library…
      </Button>
      {open && (
        <MediaPicker
          kinds={kinds}
          title={title}
          onPick={(media) => {
            setOpen(false);
            onPick(media);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
