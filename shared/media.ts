/** Images, audio, video and files: stored once by main, everywhere else a small reference. */
import { z } from 'zod';
import { operationNameSchema } from './operations/operation-name.ts';

export const mediaKindSchema = z.enum(['image', 'audio', 'video', 'file']);
export type MediaKind = z.infer<typeof mediaKindSchema>;

/** What main found out about a stored file; null if it does not apply or is unknown. */
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
