/** Defines the procedures for the media library; bytes are served from `/media/<id>`. */
import { z } from 'zod';
import { libraryItemSchema, mediaQuerySchema, mediaSchema } from '../media.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const mediaContract = {
  get: procedure.input(byId).output(mediaSchema.nullable()),
  list: procedure
    .input(mediaQuerySchema)
    .output(z.object({ media: z.array(libraryItemSchema), more: z.boolean() })),
  rename: procedure
    .input(z.object({ id: z.string(), name: z.string().trim().min(1).max(200) }))
    .output(mediaSchema),
  /** Runs and messages that refer to the item keep only the name. */
  remove: procedure.input(byId).output(deletedSchema),
  /** Fetches an image linked in an answer over HTTP(S) without a key or cookies, up to 20 MB. */
  fetchRemote: procedure.input(z.object({ url: z.string().max(8192) })).output(mediaSchema),
};
