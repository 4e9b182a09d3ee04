import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { formatName } from './describe-media.ts';

export interface MediaFailedProps {
  media: Media;
  what: 'audio' | 'video' | 'image';
}

/** For bytes that are stored but that the browser cannot show. */
export function MediaFailed({ media, what }: MediaFailedProps) {
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
