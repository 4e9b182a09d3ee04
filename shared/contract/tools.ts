/** Defines the procedures for saved tools; each conversation chooses which are on. */
import { z } from 'zod';
import { savedToolSchema, saveToolInputSchema } from '../saved-items.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const toolsContract = {
  list: procedure.output(z.array(savedToolSchema)),
  save: procedure.input(saveToolInputSchema).output(savedToolSchema),
  remove: procedure.input(byId).output(deletedSchema),
};
