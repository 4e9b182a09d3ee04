import type { AppError } from '../../../shared/errors.ts';
import type { Media, MediaKind } from '../../../shared/media.ts';
import { formatBytes } from '../../lib/format-quantity.ts';
import { formatName } from '../players/describe-media.ts';

export interface MediaFilter {
  /** If empty, all kinds are allowed. */
  kinds: MediaKind[];
  /** How messages name a matching file, such as `an image` or `an audio file`. */
  words: string;
  /** How messages name a matching file's contents, such as `an image` or `audio`. */
  contents: string;
  /** Extensions for the file chooser, including the dot. */
  extensions: string[];
  maxBytes: number | null;
  /** If true, videos must have an audio track. */
  needsAudio?: boolean;
}

export const images: MediaFilter = {
  kinds: ['image'],
  words: 'an image',
  contents: 'an image',
  extensions: ['.png', '.jpg', '.jpeg', '.webp', '.gif', '.bmp', '.avif'],
  maxBytes: null,
};

/** Includes videos, because their audio can be used. */
export const audio: MediaFilter = {
  kinds: ['audio', 'video'],
  words: 'an audio or video file',
  contents: 'audio',
  extensions: [
    ...['.wav', '.mp3', '.m4a', '.aac', '.flac', '.ogg', '.oga', '.opus', '.weba'],
    ...['.mp4', '.m4v', '.webm', '.mov', '.mkv'],
  ],
  maxBytes: null,
  needsAudio: true,
};

export const anything: MediaFilter = {
  kinds: [],
  words: 'a file',
  contents: 'a file',
  extensions: [],
  maxBytes: null,
};

/** Returns a value for `<input accept>`. */
export function getAcceptAttribute({ kinds, extensions }: MediaFilter): string {
  if (kinds.length === 0 || kinds.includes('file')) return '';
  return [...kinds.map((kind) => `${kind}/*`), ...extensions].join(',');
}

/** Checks name, declared type and size before the upload. */
export function checkFile(
  file: Pick<File, 'name' | 'type' | 'size'>,
  filter: MediaFilter,
): AppError | null {
  if (file.size === 0) {
    return createMediaError(`“${file.name}” is empty.`, 'Choose another file.');
  }
  if (filter.maxBytes !== null && file.size > filter.maxBytes) {
    return createMediaError(
      `“${file.name}” is ${formatBytes(file.size)}. The limit is ${formatBytes(filter.maxBytes)}.`,
      'Choose a smaller file.',
    );
  }
  if (filter.kinds.length === 0 || filter.kinds.includes('file')) return null;
  const extension = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase() ?? '';
  const [declared = ''] = file.type.split('/');
  // Without a type or extension, the content is checked after the upload.
  const isOpen = (file.type === '' || file.type === 'application/octet-stream') && extension === '';
  const fits =
    isOpen ||
    filter.extensions.includes(extension) ||
    filter.kinds.some((kind) => kind === declared);
  return fits ? null : createKindError(file.name, filter, file.type === '' ? null : file.type);
}

/** Checks the content after the upload. */
export function checkMedia(media: Media, filter: MediaFilter): AppError | null {
  if (filter.needsAudio && media.kind === 'video' && media.channels === null) {
    return createMediaError(
      `“${media.name ?? 'This video'}” has no audio track.`,
      `Choose ${filter.words}.`,
    );
  }
  if (filter.kinds.length === 0 || filter.kinds.includes(media.kind)) return null;
  return createKindError(media.name ?? 'This file', filter, media.type);
}

function createKindError(name: string, filter: MediaFilter, type: string | null): AppError {
  const choose = `Choose ${filter.words}.`;
  if (type === null || type === 'application/octet-stream') {
    return createMediaError(`“${name}” isn’t ${filter.words}.`, choose);
  }
  const format = formatName(type);
  const kind = filter.kinds.find((wanted) => type.startsWith(`${wanted}/`));
  if (kind !== undefined) {
    return createMediaError(`“${name}”: ${format} isn’t supported.`, `Use another ${kind} format.`);
  }
  return createMediaError(
    type.startsWith('text/')
      ? `“${name}” contains text, not ${filter.contents}.`
      : `“${name}” contains ${format}, not ${filter.contents}.`,
    choose,
  );
}

export function createMediaError(
  message: string,
  nextStep: string,
  detail: string | null = null,
): AppError {
  return { kind: 'file', message, nextStep, gateway: null, detail };
}
