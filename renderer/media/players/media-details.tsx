import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { differences, formatName, getFacts, type RequestedMedia } from './describe-media.ts';
import styles from './media-details.module.css';
import { useIsDeleted } from './use-media.ts';

export interface MediaFactsProps {
  media: Media;
  /** The facts show requested values that differ from the result. */
  requested?: RequestedMedia;
}

export function MediaFacts({ media, requested }: MediaFactsProps) {
  const otherwise = requested === undefined ? [] : differences(media, requested);
  return (
    <p className={styles.facts}>
      <span className="tabular">{getFacts(media).join(' · ')}</span>
      {otherwise.length > 0 && (
        <span className={styles.warning}>
          <WarningIcon size={14} />
          requested {otherwise.join(', ')}
        </span>
      )}
    </p>
  );
}

export interface MediaFailedProps {
  media: Media;
  what: 'audio' | 'video' | 'image';
}

/** Explains media that the browser can't show or that the user deleted. */
export function MediaFailed({ media, what }: MediaFailedProps) {
  if (useIsDeleted(media, true)) {
    return <p className={styles.deleted}>This {what} was deleted from the library.</p>;
  }
  const verb = what === 'image' ? 'shown' : 'played';
  const error: AppError = {
    kind: 'file',
    message: `This ${what} (${formatName(media.type)}) can’t be ${verb}.`,
    nextStep: 'It may be damaged or unsupported. Download it to open it in another app.',
    gateway: null,
    detail: null,
  };
  return <ErrorAlert error={error} compact />;
}
