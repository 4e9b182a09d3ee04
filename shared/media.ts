/** Images, audio, video and files: stored once by main, everywhere else a small reference. */
import { z } from 'zod';

export const mediaKindSchema = z.enum(['image', 'audio', 'video', 'file']);
export type MediaKind = z.infer<typeof mediaKindSchema>;

/** What main found out about a stored file; null where it does not apply or could not be told. */
export const mediaSchema = z.object({
  /** Random, 128 bits: whoever does not hold it cannot guess it. */
  id: z.string(),
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
  createdAt: z.number(),
});
export type Media = z.infer<typeof mediaSchema>;

/** Where a page reads a medium, in both hosts. */
export function mediaUrl(id: string): string {
  return `/media/${id}`;
}

/**
 * How a request names a medium where the wire wants its bytes: main puts base64 or a data URL there
 * while it builds the body, so neither the page nor the ledger holds them.
 */
const REFERENCE = /^media:([A-Za-z0-9_-]{16,64})$/;

export function mediaReference(id: string): string {
  return `media:${id}`;
}

/** The id, or null where the text is no reference. */
export function referencedMedia(text: string): string | null {
  return REFERENCE.exec(text)?.[1] ?? null;
}
