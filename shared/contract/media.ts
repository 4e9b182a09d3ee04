/** The media library. Bytes travel by `/media/<id>`, never here. */
import { z } from 'zod';
import { libraryItemSchema, mediaQuerySchema, mediaSchema } from '../media.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const mediaContract = {
  /** Null if it was removed. */
  get: procedure.input(byId).output(mediaSchema.nullable()),
  list: procedure
    .input(mediaQuerySchema)
    .output(z.object({ media: z.array(libraryItemSchema), more: z.boolean() })),
  /** Returns it under the new name, which keeps its extension. */
  rename: procedure
    .input(z.object({ id: z.string(), name: z.string().trim().min(1).max(200) }))
    .output(mediaSchema),
  /** Runs and messages that name it keep the name only. */
  remove: procedure.input(byId).output(deletedSchema),
  /** Fetches an image that an answer points at: http(s), at most 20 MB, without key or cookies. */
  fetchRemote: procedure.input(z.object({ url: z.string().max(8192) })).output(mediaSchema),
};
