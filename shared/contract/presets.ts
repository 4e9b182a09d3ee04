/** Defines the procedures for presets, which are saved panel settings. */

import { z } from 'zod';
import { presetSchema } from '../saved-items.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const presetsContract = {
  list: procedure.output(z.array(presetSchema)),
  save: procedure.input(presetSchema.omit({ id: true })).output(presetSchema),
  remove: procedure.input(byId).output(deletedSchema),
};
