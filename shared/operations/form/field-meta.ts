/** Defines labels, help text and controls for schema fields. */
import { z } from 'zod';
import type { JsonValue } from '../../json.ts';

export const controlSchema = z.enum([
  'slider',
  'number',
  'text',
  'multiline',
  'switch',
  'choice',
  'choices',
  'lines',
  'map',
  'object',
  'json',
]);
export type FieldControl = z.infer<typeof controlSchema>;

/** A field of an `object`, or the key or value label of a `map`. */
export const fieldPartSchema = z.object({
  name: z.string(),
  title: z.string(),
  control: z.enum(['text', 'number', 'switch']),
  suggestions: z.array(z.string()),
});
export type FieldPart = z.infer<typeof fieldPartSchema>;

export type ParameterGroup =
  | 'Sampling'
  | 'Length'
  | 'Output'
  | 'Tools'
  | 'Audio'
  | 'Image'
  | 'Video'
  | 'Other';

/** Zod copies these values into the JSON Schema. */
export interface FieldMeta {
  title: string;
  description: string;
  group: ParameterGroup;
  /** True if most users never set the field, so the form shows it under More. */
  more?: true;
  control: FieldControl;
  step?: number;
  /** The gateway's default, if the API documents one. */
  gatewayDefault?: JsonValue;
  /**
   * The initial value when the user sets the field; defaults to `gatewayDefault` or the minimum.
   */
  startValue?: JsonValue;
  parts?: FieldPart[];
  suggestions?: (string | { value: string; name: string })[];
}

/** Returns the field as an optional parameter with a control. */
export function parameter<Schema extends z.ZodType>(
  schema: Schema,
  meta: FieldMeta,
): z.ZodOptional<Schema> {
  return schema.optional().meta({ ...meta });
}
