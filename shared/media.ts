/** Defines a media item: a stored file that other data references as `media:<id>`. */
import { z } from 'zod';
import { operationNameSchema } from './operations/operation-name.ts';
import type { WavShape } from './wav.ts';

export const mediaKindSchema = z.enum(['image', 'audio', 'video', 'file']);
export type MediaKind = z.infer<typeof mediaKindSchema>;

/** Measured values are null if they are unknown or don't apply. */
export const mediaSchema = z.object({
  /** 128 random bits, so the ID can't be guessed. */
  id: z.string(),
  /** Detected from the bytes; `file` for any unrecognized type, including text and SVG. */
  kind: mediaKindSchema,
  /** MIME type detected from the bytes; `application/octet-stream` if unknown. */
  type: z.string(),
  declaredType: z.string().nullable(),
  name: z.string().nullable(),
  sizeBytes: z.int().nonnegative(),
  complete: z.boolean(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  durationSeconds: z.number().nullable(),
  sampleRate: z.int().nullable(),
  channels: z.int().nullable(),
  frameRate: z.number().nullable(),
  /** True if the file has less data than its header declares. */
  isCut: z.boolean().optional(),
  /** The file has more audio than can be played; undefined unless the file was just measured. */
  hasMore: z.boolean().optional(),
  createdAt: z.number(),
});
export type Media = z.infer<typeof mediaSchema>;

/** A `check` sends its own files, which no list has. */
export const mediaRoleSchema = z.enum(['upload', 'recording', 'output', 'check']);
export type MediaRole = z.infer<typeof mediaRoleSchema>;

export const libraryItemSchema = mediaSchema.extend({
  role: mediaRoleSchema,
  /** The run that produced the item; null if none did, or if the run was deleted. */
  run: z.object({ id: z.string(), operation: operationNameSchema, preview: z.string() }).nullable(),
});
export type LibraryItem = z.infer<typeof libraryItemSchema>;

export const mediaSortSchema = z.enum(['newest', 'oldest', 'largest', 'kind']);
export type MediaSort = z.infer<typeof mediaSortSchema>;

/** Lists complete items; `after` is the ID of the last item seen. */
export const mediaQuerySchema = z.object({
  kind: mediaKindSchema.nullable(),
  role: mediaRoleSchema.nullable().optional(),
  /** Words that must all appear in the name or the run's prompt. */
  text: z.string().max(500).optional(),
  sort: mediaSortSchema.optional(),
  after: z.string().nullable(),
  limit: z.int().min(1).max(200),
});
export type MediaQuery = z.infer<typeof mediaQuerySchema>;

/** The path of a media item's bytes, both in the desktop app and in the browser. */
export function getMediaUrl(id: string): string {
  return `/media/${id}`;
}

/** Prepends a WAV header to raw samples, so that they can play while streaming. */
export function getRawAudioUrl(id: string, { sampleRate, channels }: WavShape): string {
  return `${getMediaUrl(id)}?wav=${sampleRate}x${channels}`;
}

export function parseWavShape(value: string): WavShape | null {
  const [, sampleRate, channels] = /^(\d{4,6})x([12])$/.exec(value) ?? [];
  if (sampleRate === undefined || channels === undefined) return null;
  return { sampleRate: Number(sampleRate), channels: Number(channels) };
}

/** `name` replaces the media item's own name. */
export function getMediaDownloadUrl(id: string, name = ''): string {
  return `/media/${id}?download${name === '' ? '' : `=${encodeURIComponent(name)}`}`;
}

/** The main process replaces references with base64 or a data URL in the request body. */
export function createMediaReference(id: string): string {
  return `media:${id}`;
}

/** Returns true for samples without a header, whose rate and channels the file doesn't say. */
export function isRawAudio(type: string): boolean {
  return /^audio\/(?:pcm|x-pcm|raw|l16)\b/i.test(type);
}

/** Gateways conventionally send 24 kHz, 16-bit mono samples. */
const defaultSamples = { sampleRate: 24_000, channels: 1 };

/** Returns the format of raw samples: what the user said, or else the convention. */
export function getRawShape({
  sampleRate,
  channels,
}: Pick<Media, 'sampleRate' | 'channels'>): WavShape {
  return {
    sampleRate: sampleRate ?? defaultSamples.sampleRate,
    channels: channels ?? defaultSamples.channels,
  };
}

export function findReferencedMedia(text: string): string | null {
  return REFERENCE.exec(text)?.[1] ?? null;
}

const REFERENCE = /^media:([A-Za-z0-9_-]{16,64})$/;

/** Returns the references anywhere in a text, in order. */
export function findMediaReferences(
  text: string,
): { mediaId: string; at: number; length: number }[] {
  const found = text.matchAll(/media:([A-Za-z0-9_-]{16,64})/g);
  return Array.from(found, ({ 0: whole, 1: mediaId = '', index: at }) => ({
    mediaId,
    at,
    length: whole.length,
  }));
}

export const MAX_REFERENCE_CHARS = 1_000_000;
