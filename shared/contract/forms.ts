/** Procedures of forms and of the console's saved requests. */
import { z } from 'zod';
import { formChangeSchema, formQuerySchema, formUpdateSchema } from '../form.ts';
import { savedRequestSchema } from '../saved-items.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const formsContract = {
  get: procedure.input(formQuerySchema).output(formUpdateSchema),
  /** Every field by itself; returns what others have changed since. */
  change: procedure.input(formChangeSchema).output(formUpdateSchema),
  remove: procedure.input(byId).output(z.void()),
};

export const savedRequestsContract = {
  /** In the order they were saved. */
  list: procedure.output(z.array(savedRequestSchema)),
  /** One of the same name is replaced. */
  save: procedure.input(savedRequestSchema.omit({ id: true })).output(savedRequestSchema),
  remove: procedure.input(byId).output(deletedSchema),
};
