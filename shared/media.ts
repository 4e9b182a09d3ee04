/** A media item: a file in the store, referenced as `media:<id>` everywhere. */
import { z } from 'zod';
import { operationNameSchema } from './operations/operation-name.ts';
import type { WavShape } from './wav.ts';

export const mediaKindSchema = z.enum(['image', 'audio', 'video', 'file']);
export type MediaKind = z.infer<typeof mediaKindSchema>;

/** Measured facts of a stored file; null if one doesn't apply or is unknown. */
export const mediaSchema = z.object({
  /** Random, 128 bits: whoever does not hold it cannot guess it. */
  id: z.string(),
  /** By the bytes; `file` for whatever is none of the others, such as text or SVG. */
  kind: mediaKindSchema,
  /** MIME type as the bytes say; `application/octet-stream` where they say nothing. */
  type: z.string(),
  /** MIME type as the sender declared it. */
  declaredType: z.string().nullable(),
  name: z.string().nullable(),
  sizeBytes: z.int().nonnegative(),
  /** False while bytes still arrive. */
  complete: z.boolean(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  durationSeconds: z.number().nullable(),
  sampleRate: z.int().nullable(),
  channels: z.int().nullable(),
  frameRate: z.number().nullable(),
  /** Its header promises more than there is; known when it was just measured. */
  isCut: z.boolean().optional(),
  createdAt: z.number(),
});
export type Media = z.infer<typeof mediaSchema>;

export const mediaRoleSchema = z.enum(['upload', 'recording', 'output']);
/** Its origin: a file, the microphone, or a run. */
export type MediaRole = z.infer<typeof mediaRoleSchema>;

/** A medium as the library lists it, with its origin. */
export const libraryItemSchema = mediaSchema.extend({
  role: mediaRoleSchema,
  /** The run that brought it; null for others, and where that run was deleted. */
  run: z.object({ id: z.string(), operation: operationNameSchema, preview: z.string() }).nullable(),
});
export type LibraryItem = z.infer<typeof libraryItemSchema>;

/** Newest first, complete ones only; `before` is the `createdAt` and id of the last one already seen. */
export const mediaQuerySchema = z.object({
  kind: mediaKindSchema.nullable(),
  /** Any unless given. */
  role: mediaRoleSchema.nullable().optional(),
  /** Words of the name or of the run's prompt; all of them must match. */
  text: z.string().max(500).optional(),
  before: z.object({ createdAt: z.number(), id: z.string() }).nullable(),
  limit: z.int().min(1).max(200),
});
export type MediaQuery = z.infer<typeof mediaQuerySchema>;

/** Where a page reads a medium, in both hosts. */
export function mediaUrl(id: string): string {
  return `/media/${id}`;
}

/** Samples without a header, with the one of WAV before them: they can be played while they arrive. */
export function rawAudioUrl(id: string, { sampleRate, channels }: WavShape): string {
  return `${mediaUrl(id)}?wav=${sampleRate}x${channels}`;
}

/** The shape in the value of `wav`; null if it is none. */
export function getWavShape(value: string): WavShape | null {
  const [, sampleRate, channels] = /^(\d{4,6})x([12])$/.exec(value) ?? [];
  if (sampleRate === undefined || channels === undefined) return null;
  return { sampleRate: Number(sampleRate), channels: Number(channels) };
}

/** The same as a file to save under its name. */
export function mediaDownloadUrl(id: string): string {
  return `/media/${id}?download`;
}

/** Main puts base64 or a data URL there while it builds the body; page and ledger hold neither. */
export function mediaReference(id: string): string {
  return `media:${id}`;
}

/** The id, or null if the text is not a reference. */
export function referencedMedia(text: string): string | null {
  return REFERENCE.exec(text)?.[1] ?? null;
}

const REFERENCE = /^media:([A-Za-z0-9_-]{16,64})$/;

export const MAX_REFERENCE_CHARS = 1_000_000;
