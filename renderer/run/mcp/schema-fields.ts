import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { jsonValueSchema } from '../../../shared/json-schema.ts';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import { getParam, isSet, type Params } from '../../../shared/param.ts';
import { findFieldProblem } from '../form/validate-form.ts';

export interface SchemaField extends FieldDescription {
  required: boolean;
}

const words = z.array(z.string()).optional().catch(undefined);
const titled = z
  .array(z.object({ const: z.string(), title: z.string().optional().catch(undefined) }))
  .optional()
  .catch(undefined);
const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);

const propertySchema = z.object({
  type: text,
  title: text,
  description: text,
  enum: words,
  enumNames: words,
  oneOf: titled,
  minimum: number,
  maximum: number,
  maxLength: number,
  format: text,
  default: jsonValueSchema.optional(),
  items: z
    .object({ type: text, enum: words, anyOf: titled, oneOf: titled })
    .optional()
    .catch(undefined),
});
type Property = z.infer<typeof propertySchema>;

const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()).catch({}),
  required: z.array(z.string()).catch([]),
});

/** Describes a field for each property of a JSON Schema; what no control fits is edited as JSON. */
export function listSchemaFields(schema: JsonObject): SchemaField[] {
  const { properties, required } = objectSchema.parse({ properties: {}, required: [], ...schema });
  return Object.entries(properties).map(([name, property]) =>
    describeField(
      name,
      propertySchema.parse(isJsonObject(property) ? property : {}),
      required.includes(name),
    ),
  );
}

type Choice = Pick<FieldDescription, 'control' | 'schema'> &
  Partial<Pick<FieldDescription, 'options' | 'suggestions' | 'integer' | 'startValue'>>;

function describeField(name: string, property: Property, required: boolean): SchemaField {
  return {
    name,
    title: property.title?.trim() || name,
    description: property.description ?? '',
    group: '',
    more: false,
    orText: false,
    parts: [],
    needs: null,
    integer: false,
    minimum: property.minimum ?? null,
    maximum: property.maximum ?? null,
    step: null,
    options: [],
    suggestions: [],
    gatewayDefault: property.default ?? null,
    startValue: property.default ?? {},
    required,
    ...chooseControl(property),
  };
}

function chooseControl(property: Property): Choice {
  const { type, items } = property;
  const choices = property.oneOf ?? nameChoices(property);
  if (choices !== undefined) {
    const options = choices.map((choice) => choice.const);
    const schema = z.enum(options, { error: 'Choose one of the options.' });
    return { control: 'choice', schema, options, suggestions: choices.map(toSuggestion) };
  }
  switch (type) {
    case 'boolean':
      return { control: 'switch', schema: z.boolean() };
    case 'integer':
      return { control: 'number', schema: limit(z.int(), property), integer: true };
    case 'number':
      return { control: 'number', schema: limit(z.number(), property) };
    case 'string': {
      const isShort = property.format !== undefined || (property.maxLength ?? 1000) <= 200;
      return { control: isShort ? 'text' : 'multiline', schema: z.string() };
    }
    case 'array': {
      const choices = items?.anyOf ?? items?.oneOf ?? [];
      const options = items?.enum ?? choices.map((choice) => choice.const);
      const suggestions = choices.map(toSuggestion);
      const schema = z.array(z.string());
      if (options.length > 0)
        return { control: 'choices', schema, options, suggestions, startValue: [] };
      if (items?.type === 'string') return { control: 'lines', schema, startValue: [] };
      return { control: 'json', schema: z.array(z.unknown()), startValue: [] };
    }
    default:
      return { control: 'json', schema: z.unknown() };
  }
}

/** The older spelling of titled choices. */
function nameChoices({ enum: values, enumNames }: Property) {
  return values?.map((value, index) => ({ const: value, title: enumNames?.[index] }));
}

function toSuggestion({ const: value, title }: { const: string; title?: string | undefined }) {
  return { value, name: title ?? null };
}

function limit(schema: z.ZodNumber, { minimum, maximum }: Property): z.ZodNumber {
  const above = minimum === undefined ? schema : schema.min(minimum);
  return maximum === undefined ? above : above.max(maximum);
}

/** Returns the default of each property that has one. */
export function getDefaults(fields: readonly SchemaField[]): Params {
  const preset = fields.filter(({ gatewayDefault }) => gatewayDefault !== null);
  return toParams(
    Object.fromEntries(preset.map(({ name, gatewayDefault }) => [name, gatewayDefault])),
  );
}

/** Returns false for each required switch, because it looks the same unset and off. */
export function createOffSwitches(fields: readonly SchemaField[]): Params {
  const switches = fields.filter(({ control, required }) => control === 'switch' && required);
  return toParams(Object.fromEntries(switches.map(({ name }) => [name, false])));
}

/** Returns what the user must correct first; null if the values can be sent. */
export function findSchemaProblem(fields: readonly SchemaField[], params: Params): string | null {
  for (const field of fields) {
    const problem = findFieldProblem(field, { params });
    if (problem !== null) return `${field.title}: ${problem}`;
    if (field.required && !isSet(getParam(params, field.name))) return `Enter ${field.title}.`;
  }
  return null;
}

/** Includes values that the schema doesn't describe, which the JSON view may add. */
export function toParams(value: JsonObject): Params {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]): [string, { value: JsonValue }] => [
      name,
      { value: item },
    ]),
  );
}
