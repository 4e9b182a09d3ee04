/** A stored medium as the file of a form. */
import { AppFailure, appError } from '../../shared/errors.ts';
import type { Media } from '../../shared/media.ts';
import { referencedMedia } from '../../shared/media-reference.ts';
import type { MultipartFile } from '../gateway/multipart.ts';
import { nameByContent } from '../media/media-name.ts';
import type { MediaStore } from '../media/media-store.ts';
import { requireMedia, wireType } from './inline-media.ts';

/** Throws an `AppFailure` of kind `file` where the medium cannot be sent. */
export function multipartFile(
  store: Pick<MediaStore, 'get' | 'path' | 'isOutput'>,
  reference: string,
  { name, filename }: { name: string; filename: string | null },
): MultipartFile {
  const id = referencedMedia(reference);
  if (id === null) throw new AppFailure(notAReference);
  const media = requireMedia(store, id);
  const type = wireType(media);
  return {
    name,
    filename: filename ?? nameFor(media, store.isOutput(id), type),
    type,
    path: store.path(id),
    sizeBytes: media.sizeBytes,
  };
}

/** Gateways detect an audio format by the file extension. An output's own name holds the prompt, which is not theirs. */
function nameFor({ name, kind }: Media, isOutput: boolean, type: string): string {
  return isOutput || name === null ? nameByContent(kind, new Uint8Array(), type) : name;
}

const notAReference = appError(
  'file',
  'The request has no stored file.',
  'Choose a file and run again.',
  {},
);
