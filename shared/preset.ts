/** Settings of a panel that the user keeps under a name, to apply them again. */
import { z } from 'zod';
import { jsonValueSchema } from './json-schema.ts';
import { operationNameSchema } from './operations/operation-name.ts';
import { savedNameSchema } from './saved-name.ts';

const presetSettingsSchema = z.object({
  /** Set parameters by wire name. */
  parameters: z.record(z.string(), jsonValueSchema),
  /** Parameters that a new form has set and the user has cleared. */
  cleared: z.record(z.string(), z.literal(true)),
  /** The text in a parameter's control, where it differs from the value. */
  typed: z.record(z.string(), z.string()),
  /** What a field is called on the wire, where that is not its own name. */
  wireNames: z.record(z.string(), z.string()),
  /** JSON as typed. */
  extraBody: z.string(),
});
export type PresetSettings = z.infer<typeof presetSettingsSchema>;

export const presetSchema = z.object({
  id: z.string(),
  operation: operationNameSchema,
  name: savedNameSchema,
  settings: presetSettingsSchema,
});
export type ParameterPreset = z.infer<typeof presetSchema>;
