/** The words that the parameter form shows for a field, kept with its schema. */
import type { JsonValue } from '../../json.ts';
import type { FieldDescription, FieldPart } from './description.ts';

export type ParameterGroup =
  | 'Sampling'
  | 'Length'
  | 'Output'
  | 'Tools'
  | 'Audio'
  | 'Image'
  | 'Video'
  | 'Other';

/** `field.meta(…)`: zod carries these into the JSON Schema that describes the operation. */
export interface FieldMeta {
  /** The field's label: the wire name in words. */
  title: string;
  /** One or two plain sentences. */
  description: string;
  group: ParameterGroup;
  control: FieldDescription['control'];
  /** Slider and stepper step. */
  step?: number;
  /** What the gateway assumes when the field is not sent, where the interface says so. */
  gatewayDefault?: JsonValue;
  /** What the control starts from when the user sets the field; default: gatewayDefault or the minimum. */
  startValue?: JsonValue;
  /** The fields of an `object`; the key and the value of a `map`. */
  parts?: FieldPart[];
  /** Suggestions for a text field that accepts any other word too. */
  suggestions?: (string | { value: string; name: string })[];
}

export function meta(fieldMeta: FieldMeta): FieldMeta & Record<string, unknown> {
  return { ...fieldMeta };
}
