import type { Media, MediaKind } from '../../../shared/media.ts';
import { formatBytes, formatLength } from '../../lib/format-quantity.ts';

const kindNames: Record<MediaKind, string> = {
  image: 'Image',
  audio: 'Audio',
  video: 'Video',
  file: 'File',
};

/** Returns the item's name, or else its kind. */
export function getMediaTitle(media: Pick<Media, 'name' | 'kind'>): string {
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

/** Converts `audio/mpeg` to `MP3`. */
export function formatName(type: string): string {
  const plain = type.split(';')[0]?.trim().toLowerCase() ?? '';
  return formatNames[plain] ?? plain.replace(/^.*\/(x-)?/, '').toUpperCase();
}

/** A property is null or missing if the request didn't set it. */
export interface RequestedMedia {
  /** As written in the request: `mp3`, `png` or `opus`. */
  format?: string | null;
  width?: number | null;
  height?: number | null;
  /** An aspect ratio, such as `16:9`. */
  aspectRatio?: string | null;
  durationSeconds?: number | null;
  sampleRate?: number | null;
  frameRate?: number | null;
}

/** Codecs pad the audio, so decoding can yield this much more or less than the file declares. */
const PADDING_SECONDS = 0.25;

/** Returns one duration for the player and the facts; null if none is known. */
export function pickDuration(
  { complete, durationSeconds }: Pick<Media, 'complete' | 'durationSeconds'>,
  decodedSeconds: number | null,
): number | null {
  if (decodedSeconds === null || durationSeconds === null) return decodedSeconds ?? durationSeconds;
  const isPadding = complete && Math.abs(decodedSeconds - durationSeconds) < PADDING_SECONDS;
  return isPadding ? durationSeconds : decodedSeconds;
}

/** Lists the most useful facts first and omits unknown ones. */
export function getFacts(media: Media): string[] {
  const { durationSeconds, sampleRate, channels, frameRate } = media;
  return [
    media.type === 'application/octet-stream' && media.kind === 'file' && !media.complete
      ? null
      : formatName(media.type),
    formatPixels(media),
    durationSeconds !== null ? formatLength(durationSeconds) : null,
    frameRate !== null ? `${round(frameRate)} fps` : null,
    sampleRate !== null ? `${round(sampleRate / 1000)} kHz` : null,
    channels !== null ? getChannelName(channels) : null,
    media.sizeBytes > 0 || media.complete ? formatBytes(media.sizeBytes) : null,
    media.isCut === true ? 'incomplete' : null,
  ].filter((fact) => fact !== null);
}

export function formatPixels({ width, height }: Pick<Media, 'width' | 'height'>): string | null {
  return width !== null && height !== null ? `${width} × ${height}` : null;
}

/** Lists requested properties that the result doesn't have, such as `512 × 512`. */
export function listDifferences(media: Media, requested: RequestedMedia): string[] {
  if (!media.complete) return [];
  const { width, height } = media;
  const found: (string | null)[] = [
    requested.format && !isFormat(media.type, requested.format) ? requested.format : null,
    width !== null && height !== null ? describePixelDifference(width, height, requested) : null,
    isDifferent(media.durationSeconds, requested.durationSeconds, 0.5)
      ? formatLength(requested.durationSeconds ?? 0)
      : null,
    isDifferent(media.frameRate, requested.frameRate, 0.1) ? `${requested.frameRate} fps` : null,
    isDifferent(media.sampleRate, requested.sampleRate, 0) ? `${requested.sampleRate} Hz` : null,
  ];
  return found.filter((item) => item !== null);
}

/** Maps the API's formats to matching media types. */
const formatTypes: Readonly<Record<string, RegExp>> = {
  mp3: /^audio\/(mpeg|mp3)$/,
  opus: /^audio\/(ogg|opus|webm)$/,
  aac: /^audio\/(aac|mp4)$/,
  flac: /^audio\/(x-)?flac$/,
  wav: /^audio\/(x-)?wav$/,
  pcm: /^(audio\/(pcm|x-pcm|raw|l16)|application\/octet-stream)$/,
  jpg: /^image\/jpeg$/,
};

function isFormat(type: string, requested: string): boolean {
  const word = requested.toLowerCase();
  const pattern = formatTypes[word];
  return pattern ? pattern.test(type) : type.endsWith(`/${word}`) || type === word;
}

function describePixelDifference(
  width: number,
  height: number,
  requested: RequestedMedia,
): string | null {
  const { width: requestedWidth, height: requestedHeight, aspectRatio } = requested;
  if (
    (requestedWidth && requestedWidth !== width) ||
    (requestedHeight && requestedHeight !== height)
  ) {
    return `${requestedWidth ?? '…'} × ${requestedHeight ?? '…'}`;
  }
  const [, across, down] =
    /^(\d+(?:\.\d+)?)\s*[:x/]\s*(\d+(?:\.\d+)?)$/.exec(aspectRatio ?? '') ?? [];
  if (across === undefined || down === undefined) return null;
  // Tolerate 4%, because models round sizes to whole blocks of pixels.
  const error = width / height / (Number(across) / Number(down));
  return error > 1.04 || error < 0.96 ? `${aspectRatio}` : null;
}

function isDifferent(came: number | null, requested: number | null | undefined, tolerance: number) {
  return came !== null && requested != null && Math.abs(came - requested) > tolerance;
}

function getChannelName(channels: number): string {
  if (channels === 1) return 'mono';
  return channels === 2 ? 'stereo' : `${channels} channels`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
