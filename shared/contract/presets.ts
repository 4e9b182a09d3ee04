/** Defines the procedures for presets, which are saved panel settings. */

import { z } from 'zod';
import { presetSchema } from '../saved-items.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const presetsContract = {
  /** Returns the presets of all operations in the order of saving. */
  list: procedure.output(z.array(presetSchema)),
  /** Replaces a preset that has the same operation and name. */
  save: procedure.input(presetSchema.omit({ id: true })).output(presetSchema),
  remove: procedure.input(byId).output(deletedSchema),
};
