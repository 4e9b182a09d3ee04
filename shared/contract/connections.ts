/** Defines the procedures for connections and API keys; no procedure returns a key. */
import { z } from 'zod';
import {
  connectionActivitySchema,
  connectionInputSchema,
  connectionSchema,
  connectionTestSchema,
  keyKeepingSchema,
} from '../connection.ts';
import { byId, procedure } from './procedure.ts';

export const connectionsContract = {
  list: procedure.output(z.array(connectionSchema)),
  create: procedure.input(connectionInputSchema).output(connectionSchema),
  update: procedure
    .input(connectionInputSchema.extend({ id: z.string() }))
    .output(connectionSchema),
  activity: procedure.input(byId).output(connectionActivitySchema),
  remove: procedure.input(byId).output(z.void()),
  setKey: procedure
    .input(
      z.object({
        id: z.string(),
        key: z.string().trim().min(1, 'Enter a key.').max(8192),
        keeping: keyKeepingSchema,
      }),
    )
    .output(connectionSchema),
  removeKey: procedure.input(byId).output(connectionSchema),
  test: procedure.input(byId).output(connectionTestSchema),
};
