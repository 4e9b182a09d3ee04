import { useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { SendToButtons } from '../../media/hand-over/send-to.tsx';
import type { FlipDirection } from '../../media/players/image-stage.tsx';
import { ImageDialog } from '../../media/players/image-view.tsx';
import { UseSettings } from '../../run/frame/use-settings.tsx';
import { getPrompt, type RequestedImage } from './image-facts.ts';
import { ImageFactTable } from './image-facts-view.tsx';
import styles from './result.module.css';

interface ImageViewerProps {
  run: Pick<RunSummary, 'id' | 'operation' | 'conversationId'>;
  /** The run's images, in the order of the result. */
  images: readonly Media[];
  firstId: string;
  requested: RequestedImage;
  onClose: () => void;
}

/** Shows one of a run's images large, with the prompt and settings that made it. */
export function ImageViewer({ run, images, firstId, requested, onClose }: ImageViewerProps) {
  const [shownId, setShownId] = useState(firstId);
  const at = images.findIndex(({ id }) => id === shownId);
  const image = images[at];
  if (image === undefined) return null;
  const neighbors: [FlipDirection, Media | undefined][] = [
    ['left', images[at - 1]],
    ['right', images[at + 1]],
  ];
  const prompt = getPrompt(requested);
  const { seed } = requested;
  const flip = {
    onFlip(direction: FlipDirection) {
      const next = neighbors.find(([one]) => one === direction)?.[1];
      if (next !== undefined) setShownId(next.id);
    },
    directions: new Set(neighbors.flatMap(([one, media]) => (media === undefined ? [] : one))),
    across: 'image',
    down: 'row',
  };
  return (
    <ImageDialog
      open
      media={image}
      title={images.length > 1 ? `Image ${at + 1} of ${images.length}` : 'Image'}
      flip={images.length > 1 ? flip : undefined}
      onClose={onClose}
      facts={
        <>
          {prompt !== '' && (
            <p className={styles.viewedPrompt} dir="auto">
              {prompt}
            </p>
          )}
          <ImageFactTable media={image} requested={requested} />
          {seed !== null && <p className="hint">Seed {seed}</p>}
        </>
      }
      actions={
        <>
          <UseSettings run={run} onUsed={onClose} />
          <SendToButtons media={image} onSend={onClose} />
        </>
      }
    />
  );
}
