/** A stored medium as the file of a form. */
import { appError, UserFacingError } from '../../shared/errors.ts';
import { referencedMedia } from '../../shared/media-reference.ts';
import type { MultipartFile } from '../gateway/multipart.ts';
import type { MediaStore } from '../media/media-store.ts';
import { requireMedia, wireName, wireType } from './inline-media.ts';

/** Throws a `UserFacingError` of kind `file` where the medium cannot be sent. */
export function multipartFile(
  store: Pick<MediaStore, 'get' | 'path' | 'isOutput'>,
  reference: string,
  { name, filename }: { name: string; filename: string | null },
): MultipartFile {
  const id = referencedMedia(reference);
  if (id === null) throw new UserFacingError(notAReference);
  const media = requireMedia(store, id);
  const type = wireType(media);
  return {
    name,
    filename: filename ?? wireName(media, store),
    type,
    path: store.path(id),
    sizeBytes: media.sizeBytes,
    ...(media.durationSeconds !== null && { durationSeconds: media.durationSeconds }),
  };
}

const notAReference = appError(
  'file',
  'The request has no stored file.',
  'Choose a file and run again.',
  {},
);
