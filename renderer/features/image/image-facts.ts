import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Media } from '../../../shared/media.ts';
import type { RunInput } from '../../../shared/run.ts';
import { formatBytes } from '../../lib/format-quantity.ts';
import { formatName, listDifferences } from '../../media/players/describe-media.ts';
import { readSettings } from './image-settings-values.ts';
import { readTurns, type Turn } from './turns.ts';

export interface ImageFact {
  name: string;
  /** Null if the request doesn't set the value. */
  requested: string | null;
  received: string | null;
  differs: boolean;
}

export function listImageFacts(
  { aspectRatio, imageSize }: Pick<RequestedImage, 'aspectRatio' | 'imageSize'>,
  media: Media,
): ImageFact[] {
  const { width, height } = media;
  const size = width === null || height === null ? null : { width, height };
  return [
    {
      name: 'Aspect ratio',
      requested: aspectRatio,
      received: size === null ? null : formatRatio(size),
      differs: aspectRatio !== null && listDifferences(media, { aspectRatio }).length > 0,
    },
    {
      name: 'Size',
      requested: imageSize,
      received: size === null ? null : `${size.width} × ${size.height}`,
      differs: imageSize !== null && size !== null && isOtherSize(size, imageSize),
    },
    { name: 'Format', requested: null, received: formatName(media.type), differs: false },
    { name: 'File', requested: null, received: formatBytes(media.sizeBytes), differs: false },
  ];
}

interface Pixels {
  width: number;
  height: number;
}

/** Ratios from https://ai.google.dev/gemini-api/docs/image-generation, plus wider ones. */
const namedRatios = '1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9 9:21 1:2 2:1'.split(' ');

/** Returns a ratio such as `16:9`, even if the model rounded to whole blocks of pixels. */
function formatRatio({ width, height }: Pixels): string {
  const ratio = width / height;
  const near = namedRatios
    .map((name) => {
      const [across = 1, down = 1] = name.split(':').map(Number);
      return { name, error: Math.abs(Math.log(ratio / (across / down))) };
    })
    .toSorted((one, other) => one.error - other.error)[0];
  return near !== undefined && near.error < 0.04 ? near.name : `${Number(ratio.toFixed(2))}:1`;
}

/** A size name means a square with as many pixels: 2K at 16:9 is 2752 × 1536. */
function isOtherSize({ width, height }: Pixels, requested: string): boolean {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\s*(k|px)?$/i.exec(requested) ?? [];
  if (count !== undefined) {
    const side = Number(count) * (unit?.toLowerCase() === 'k' ? 1024 : 1);
    return Math.abs(Math.log(Math.sqrt(width * height) / side)) > 0.2;
  }
  const [, across, down] = /^(\d+)\s*[x×]\s*(\d+)$/i.exec(requested) ?? [];
  return across !== undefined && (Number(across) !== width || Number(down) !== height);
}

/** Describes the shown run's request, because the form may have changed since. */
export interface RequestedImage {
  turns: Turn[];
  aspectRatio: string | null;
  imageSize: string | null;
  seed: string | null;
}

/** Extra JSON overrides the request's fields, as in the body that was sent. */
export function getRequestedImage({
  request,
  extraBody,
}: Pick<RunInput, 'request' | 'extraBody'>): RequestedImage {
  const sent: JsonObject = { ...request, ...extraBody };
  const isDefault = sent.format === undefined;
  const config = isDefault && isJsonObject(sent.generationConfig) ? sent.generationConfig : {};
  const { aspectRatio, imageSize } = readSettings(config);
  const size = isDefault ? '' : readSize(sent.size);
  const seed = isDefault ? config.seed : sent.seed;
  return {
    turns: readTurns(sent.contents),
    aspectRatio: aspectRatio === '' ? null : aspectRatio,
    imageSize: imageSize || size || null,
    seed: seed == null ? null : String(seed),
  };
}

/** Returns an empty string for `auto`, which doesn't request a specific size. */
function readSize(size: JsonValue | undefined): string {
  return typeof size === 'string' && size !== 'auto' ? size : '';
}

/** Returns text such as `16:9 · 2K · seed 7`, or an empty string if the request sets none. */
export function describeRequested({ aspectRatio, imageSize, seed }: RequestedImage): string {
  return [aspectRatio, imageSize, seed === null ? null : `seed ${seed}`]
    .filter((word) => word !== null)
    .join(' · ');
}

/** Returns the text of the last turn that the user sent. */
export function getPrompt({ turns }: Pick<RequestedImage, 'turns'>): string {
  const parts = turns.findLast(({ role }) => role === 'user')?.parts ?? [];
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
}
