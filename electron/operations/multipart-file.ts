/** A stored medium as the file of a form. */
import { AppFailure, appError } from '../../shared/errors.ts';
import { referencedMedia } from '../../shared/media-reference.ts';
import type { MultipartFile } from '../gateway/multipart.ts';
import { nameByContent } from '../media/media-name.ts';
import type { MediaStore } from '../media/media-store.ts';
import { requireMedia, wireType } from './inline-media.ts';

/** Throws an `AppFailure` of kind `file` where the medium cannot be sent. */
export function multipartFile(
  store: Pick<MediaStore, 'get' | 'path'>,
  reference: string,
  { name, filename }: { name: string; filename: string | null },
): MultipartFile {
  const id = referencedMedia(reference);
  if (id === null) throw new AppFailure(notAReference);
  const media = requireMedia(store, id);
  const type = wireType(media);
  return {
    name,
    // Gateways detect an audio format by the file extension.
    filename: filename ?? media.name ?? nameByContent(name, new Uint8Array(), type),
    type,
    path: store.path(id),
    sizeBytes: media.sizeBytes,
  };
}

const notAReference = appError(
  'file',
  'The request has no stored file.',
  'Choose a file and run again.',
  {},
);
