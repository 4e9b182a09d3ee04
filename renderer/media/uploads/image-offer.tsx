import { useLayoutEffect, useRef, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatBytes } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { formatPixels } from '../players/describe-media.ts';
import { getExceeded, getImageChange } from './image-limits.ts';
import { getOriginal } from './originals.ts';
import { prepareImage } from './prepare-image.ts';

/** Describes the converted image, or why the gateway may reject the original. */
export function getImageNotes(media: Media): string[] {
  const original = getOriginal(media);
  if (original !== null) {
    const size = formatBytes(original.sizeBytes);
    return [`original: ${[formatPixels(original), size].filter(Boolean).join(', ')}`];
  }
  const exceeded = getExceeded(media);
  return exceeded === null ? [] : [exceeded];
}

interface ImageOfferProps {
  media: Media;
  onReplace: (media: Media) => void;
}

/** Offers to convert or scale an image before it is sent, and to go back. */
export function ImageOffer({ media, onReplace }: ImageOfferProps) {
  const [problem, setProblem] = useState<AppError | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const original = getOriginal(media);
  const change = getImageChange(media);
  // Don't replace an image that was removed or changed in the meantime.
  const shownId = useRef<string | null>(null);
  useLayoutEffect(() => {
    shownId.current = media.id;
    return () => {
      shownId.current = null;
    };
  }, [media.id]);
  if (original === null && change === null) return null;

  async function replace(): Promise<void> {
    setProblem(null);
    if (original !== null) return onReplace(original);
    if (change === null) return;
    setIsBusy(true);
    try {
      const prepared = await prepareImage(media, change);
      if (shownId.current === media.id) onReplace(prepared);
    } catch (cause) {
      setProblem(toAppError(cause));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <>
      {/* Use one button for both actions, so that it keeps focus. */}
      <Button size="small" variant="quiet" busy={isBusy} onClick={() => void replace()}>
        {original === null ? change?.label : 'Use original'}
      </Button>
      {problem !== null && (
        <ErrorAlert compact error={problem} onDismiss={() => setProblem(null)} />
      )}
    </>
  );
}
