/** Defines the procedures for settings. */
import { settingsSchema } from '../settings.ts';
import { procedure } from './procedure.ts';

export const settingsContract = {
  get: procedure.output(settingsSchema),
  update: procedure.input(settingsSchema.partial()).output(settingsSchema),
};
