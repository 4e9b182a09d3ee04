import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { formatName } from './describe-media.ts';
import styles from './media-failed.module.css';
import { useIsDeleted } from './use-media.ts';

export interface MediaFailedProps {
  media: Media;
  what: 'audio' | 'video' | 'image';
}

/** For bytes that the browser cannot show, or that are no longer stored. */
export function MediaFailed({ media, what }: MediaFailedProps) {
  if (useIsDeleted(media, true)) {
    return <p className={styles.deleted}>This {what} was deleted from the library.</p>;
  }
  const verb = what === 'image' ? 'shown' : 'played';
  const error: AppError = {
    kind: 'file',
    message: `This ${what} (${formatName(media.type)}) cannot be ${verb}.`,
    nextStep:
      'It may be damaged or in an unsupported format. Download it to open it in another app.',
    gateway: null,
    detail: null,
  };
  return <ErrorAlert error={error} compact />;
}
