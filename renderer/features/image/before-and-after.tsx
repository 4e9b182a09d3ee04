import { useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import type { SheetImage } from './contact-sheet.ts';
import { ImageSliderDialog } from './image-slider-dialog.tsx';

interface BeforeAndAfterProps {
  before: Media;
  after: readonly Media[];
  runId: string;
  onClose: () => void;
}

/** Compares the edited image with the run's images. */
export function BeforeAndAfter({ before, after, runId, onClose }: BeforeAndAfterProps) {
  const images = [before, ...after].map((media, index): SheetImage => {
    const title = after.length > 1 ? `After ${index}` : 'After';
    return { id: media.id, runId, title: index === 0 ? 'Before' : title, column: index, media };
  });
  const [ids, setIds] = useState([before.id, after[0]?.id ?? before.id]);
  const [left, right] = ids.map((id) => images.find((image) => image.id === id));
  if (left === undefined || right === undefined) return null;
  return (
    <ImageSliderDialog
      title="Before and after"
      images={images}
      left={left}
      right={right}
      onChoose={(leftId, rightId) => setIds([leftId, rightId])}
      onClose={onClose}
    />
  );
}
