import type { Media, MediaKind } from '../../../shared/media.ts';

const kindNames: Record<MediaKind, string> = {
  image: 'Image',
  audio: 'Audio',
  video: 'Video',
  file: 'File',
};

/** Its name, or what it is. */
export function mediaTitle(media: Pick<Media, 'name' | 'kind'>): string {
  return media.name !== null && media.name !== '' ? media.name : kindNames[media.kind];
}

const formatNames: Readonly<Record<string, string>> = {
  'audio/mpeg': 'MP3',
  'audio/mp4': 'M4A',
  'audio/x-matroska': 'Matroska',
  'audio/l16': 'PCM',
  'audio/raw': 'PCM',
  'audio/x-pcm': 'PCM',
  'video/x-msvideo': 'AVI',
  'video/quicktime': 'QuickTime',
  'video/x-matroska': 'Matroska',
  'image/svg+xml': 'SVG',
  'text/plain': 'Text',
  'application/octet-stream': 'Unknown format',
};

/** `audio/mpeg` → `MP3`, `image/png` → `PNG`. */
export function formatName(type: string): string {
  const plain = type.split(';')[0]?.trim().toLowerCase() ?? '';
  return formatNames[plain] ?? plain.replace(/^.*\/(x-)?/, '').toUpperCase();
}
