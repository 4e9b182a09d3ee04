/** Presets: settings of panels that the user keeps. */

import { z } from 'zod';
import { presetSchema } from '../saved-items.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const presetsContract = {
  /** Returns the presets of every operation, in the order they were saved. */
  list: procedure.output(z.array(presetSchema)),
  /** One of the same operation and name is replaced. */
  save: procedure.input(presetSchema.omit({ id: true })).output(presetSchema),
  remove: procedure.input(byId).output(deletedSchema),
};
