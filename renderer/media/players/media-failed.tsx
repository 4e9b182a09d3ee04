import type { AppError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { formatName } from './describe-media.ts';

export interface MediaFailedProps {
  media: Media;
  what: 'sound' | 'video' | 'image';
}

/** For bytes that are stored but that the browser cannot show. */
export function MediaFailed({ media, what }: MediaFailedProps) {
  const verb = what === 'image' ? 'shown' : 'played';
  const error: AppError = {
    kind: 'file',
    message: `This ${what} (${formatName(media.type)}) cannot be ${verb} here.`,
    nextStep: 'It may be damaged or in a format unknown here: download it to try another program.',
    gateway: null,
    detail: null,
  };
  return <ErrorAlert error={error} compact />;
}
