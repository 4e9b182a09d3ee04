/** Describes a media item as a file of a multipart form. */
import { appError, UserFacingError } from '../../shared/errors.ts';
import { findReferencedMedia } from '../../shared/media.ts';
import { getWireType } from '../../shared/media-placeholder.ts';
import type { MultipartFile } from '../gateway/multipart.ts';
import type { MediaStore } from '../media/media-store.ts';
import { getSentFileName, requireMedia } from './inline-media.ts';

/** Throws a `UserFacingError` of kind `file` if the media item can't be sent. */
export function createFormFile(
  store: Pick<MediaStore, 'get' | 'path' | 'isOutput'>,
  reference: string,
  { name, filename }: { name: string; filename?: string | null | undefined },
): MultipartFile {
  const id = findReferencedMedia(reference);
  if (id === null) throw new UserFacingError(noFile);
  const media = requireMedia(store, id);
  return {
    name,
    filename: filename ?? getSentFileName(media, store),
    type: getWireType(media),
    path: store.path(id),
    sizeBytes: media.sizeBytes,
    reference,
    ...(media.durationSeconds !== null && { durationSeconds: media.durationSeconds }),
  };
}

const noFile = appError('file', 'No file is attached.', 'Choose a file and retry.');
