import type { AppError } from '../../../shared/errors.ts';
import type { Media, MediaKind } from '../../../shared/media.ts';
import { formatBytes } from '../../lib/format-quantity.ts';
import { formatName } from '../players/describe-media.ts';

/** What a place takes. */
export interface MediaFilter {
  /** Empty: everything. */
  kinds: MediaKind[];
  /** `an image`, `an audio file`. */
  words: string;
  /** Offered in the file chooser beside the kinds' own types, with the dot. */
  extensions: string[];
  maxBytes: number | null;
}

export const images: MediaFilter = {
  kinds: ['image'],
  words: 'an image',
  extensions: ['.png', '.jpg', '.jpeg', '.webp', '.gif', '.bmp', '.avif'],
  maxBytes: null,
};

export const audio: MediaFilter = {
  kinds: ['audio'],
  words: 'an audio file',
  extensions: ['.wav', '.mp3', '.m4a', '.aac', '.flac', '.ogg', '.oga', '.opus', '.weba'],
  maxBytes: null,
};

export const anything: MediaFilter = { kinds: [], words: 'a file', extensions: [], maxBytes: null };

/** For `<input accept>`. */
export function acceptAttribute({ kinds, extensions }: MediaFilter): string {
  if (kinds.length === 0 || kinds.includes('file')) return '';
  return [...kinds.map((kind) => `${kind}/*`), ...extensions].join(',');
}

/** Before anything is read: what name, declared type and size already rule out. */
export function checkFile(
  file: Pick<File, 'name' | 'type' | 'size'>,
  filter: MediaFilter,
): AppError | null {
  if (file.size === 0) {
    return fileError(`“${file.name}” is empty.`, 'Choose a file with something in it.');
  }
  if (filter.maxBytes !== null && file.size > filter.maxBytes) {
    return fileError(
      `“${file.name}” has ${formatBytes(file.size)}; at most ${formatBytes(filter.maxBytes)} can be sent here.`,
      'Choose a smaller file.',
    );
  }
  if (filter.kinds.length === 0 || filter.kinds.includes('file')) return null;
  const extension = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase() ?? '';
  const [declared = ''] = file.type.split('/');
  // A type or a name that says nothing is left to the look at the bytes.
  const isOpen = (file.type === '' || file.type === 'application/octet-stream') && extension === '';
  const fits =
    isOpen ||
    filter.extensions.includes(extension) ||
    filter.kinds.some((kind) => kind === declared);
  return fits ? null : wrongKind(file.name, filter, file.type === '' ? null : file.type);
}

/** Afterwards: what the bytes are, whatever they were called. */
export function checkMedia(media: Media, filter: MediaFilter): AppError | null {
  if (filter.kinds.length === 0 || filter.kinds.includes(media.kind)) return null;
  return wrongKind(media.name ?? 'This file', filter, media.type);
}

function wrongKind(name: string, filter: MediaFilter, type: string | null): AppError {
  const found =
    type === null || type === 'application/octet-stream' ? '' : ` but ${formatName(type)}`;
  return fileError(`“${name}” is not ${filter.words}${found}.`, `Choose ${filter.words}.`);
}

/** A failure with a file, told where the user acted. */
export function fileError(
  message: string,
  nextStep: string,
  detail: string | null = null,
): AppError {
  return { kind: 'file', message, nextStep, gateway: null, detail };
}
