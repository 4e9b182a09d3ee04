/** Defines the procedures for forms and saved Console requests. */
import { z } from 'zod';
import { formChangeSchema, formQuerySchema, formUpdateSchema } from '../form.ts';
import { savedRequestSchema } from '../saved-items.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const formsContract = {
  get: procedure.input(formQuerySchema).output(formUpdateSchema),
  change: procedure.input(formChangeSchema).output(formUpdateSchema),
  remove: procedure.input(byId).output(z.void()),
};

export const savedRequestsContract = {
  list: procedure.output(z.array(savedRequestSchema)),
  save: procedure.input(savedRequestSchema.omit({ id: true })).output(savedRequestSchema),
  remove: procedure.input(byId).output(deletedSchema),
};
