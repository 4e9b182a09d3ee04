/** Labels, help and control of a field, kept with its schema. */
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

/** A field of an `object`, or the labels of a `map`'s keys and values. */
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

/** The argument of `field.meta(…)`, which zod copies into the JSON Schema. */
export interface FieldMeta {
  title: string;
  /** One or two plain sentences. */
  description: string;
  group: ParameterGroup;
  control: FieldControl;
  /** Slider and stepper step. */
  step?: number;
  /** The gateway's default, if the interface names it. */
  gatewayDefault?: JsonValue;
  /** The value right after the user sets the field; `gatewayDefault` or the minimum by default. */
  startValue?: JsonValue;
  /** The fields of an `object`, or the key and value of a `map`. */
  parts?: FieldPart[];
  /** Suggestions of a text field, which accepts any other text too. */
  suggestions?: (string | { value: string; name: string })[];
}

export function meta(fieldMeta: FieldMeta): FieldMeta & Record<string, unknown> {
  return { ...fieldMeta };
}
