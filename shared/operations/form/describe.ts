/** Reads what a parameter form shows from an operation's request schema: fields, limits and labels. */
import { z } from 'zod';
import { assertNever } from '../../assert-never.ts';
import type { JsonObject, JsonValue } from '../../json.ts';
import { jsonValueSchema } from '../../json-schema.ts';
import type { OperationName } from '../operation-name.ts';
import { operations, requestSchemas } from '../operations.ts';
import { controlSchema, type FieldControl, type FieldPart, fieldPartSchema } from './field-meta.ts';

export interface FieldDescription {
  /** The wire name: `top_p`. */
  name: string;
  title: string;
  description: string;
  group: string;
  control: FieldControl;
  /** Checks a value of the field; messages are those of `findFieldErrors`. */
  schema: z.ZodType;
  /** `lines` may also be sent as one string. */
  orText: boolean;
  parts: FieldPart[];
  /** The field that must be set and on for this one to be sent. */
  needs: string | null;
  integer: boolean;
  minimum: number | null;
  maximum: number | null;
  step: number | null;
  /** The values of a `choice` or `choices`. */
  options: string[];
  /** `name` explains a bare code. */
  suggestions: { value: string; name: string | null }[];
  gatewayDefault: JsonValue;
  /** The value right after the user sets the field. */
  startValue: JsonValue;
}

/** The types inside a value, as its schema has them. Anything it doesn't name is allowed. */
const valueShapeSchema = z.object({
  /** Undefined if several types are allowed. */
  type: z.enum(['string', 'number', 'boolean', 'array', 'object']).optional().catch(undefined),
  get items() {
    return valueShapeSchema.optional();
  },
  get properties() {
    return z.record(z.string(), valueShapeSchema).optional();
  },
});
export type ValueShape = z.infer<typeof valueShapeSchema>;

export const objectShapeSchema = valueShapeSchema.required({ properties: true });

/** A field that may be sent under another name. */
export interface RenamableField {
  /** The field, and the name it is sent under unless it is renamed. */
  name: string;
  title: string;
  /** Other names in use. */
  otherNames: string[];
}

export interface OperationDescription {
  name: OperationName;
  /** Fields with a control, in form order. Panels own `model`, `messages`, `prompt` and the like. */
  fields: FieldDescription[];
  /** By wire name: the types of objects that a panel edits itself, such as `generationConfig`. */
  objects: Record<string, z.infer<typeof objectShapeSchema>>;
  renamable: RenamableField[];
  draft: JsonObject;
}

const descriptions = new Map<OperationName, OperationDescription>();

/** Returns the same object each time. */
export function describeOperation(name: OperationName): OperationDescription {
  const known = descriptions.get(name);
  if (known !== undefined) return known;
  const description = readSchema(name);
  descriptions.set(name, description);
  return description;
}

function readSchema(name: OperationName): OperationDescription {
  const { draft, renamable, needs = {} } = operations[name];
  const requestSchema = requestSchemas[name];
  const { properties } = requestJsonSchema.parse(
    z.toJSONSchema(requestSchema, { io: 'input', unrepresentable: 'any' }),
  );
  const fields = Object.entries(requestSchema.shape).flatMap(([wireName, schema]) => {
    const described = describedPropertySchema.safeParse(properties[wireName]);
    return described.success
      ? [describeField(wireName, described.data, { schema, needs: needs[wireName] ?? null })]
      : [];
  });
  const objects = Object.entries(properties).flatMap(([wireName, property]) => {
    const isField = fields.some((field) => field.name === wireName);
    const shape = objectShapeSchema.safeParse(property);
    return shape.success && !isField ? [[wireName, shape.data] as const] : [];
  });
  return {
    name,
    fields,
    objects: Object.fromEntries(objects),
    renamable: Object.entries(renamable).map(([field, otherNames]) => ({
      name: field,
      title: titledPropertySchema.parse(properties[field]).title,
      otherNames: [...otherNames],
    })),
    draft,
  };
}

const requestJsonSchema = z.object({ properties: z.record(z.string(), z.unknown()) });

const titledPropertySchema = z.object({ title: z.string() });

const words = z.array(z.string()).optional();

/** A property of the JSON Schema with its `meta(…)`. */
const describedPropertySchema = z.object({
  title: z.string(),
  description: z.string(),
  group: z.string(),
  control: controlSchema,
  type: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: words,
  items: z.object({ enum: words }).optional(),
  step: z.number().optional(),
  parts: z.array(fieldPartSchema).optional(),
  anyOf: z.array(z.object({ type: z.string().optional() })).optional(),
  suggestions: z
    .array(z.union([z.string(), z.object({ value: z.string(), name: z.string() })]))
    .optional(),
  gatewayDefault: jsonValueSchema.optional(),
  startValue: jsonValueSchema.optional(),
});
type DescribedProperty = z.infer<typeof describedPropertySchema>;

function describeField(
  name: string,
  property: DescribedProperty,
  { schema, needs }: Pick<FieldDescription, 'schema' | 'needs'>,
): FieldDescription {
  const { title, description, group, control, gatewayDefault, startValue } = property;
  const minimum = getLimit(property.minimum);
  return {
    name,
    title,
    description,
    group,
    control,
    schema,
    orText: property.anyOf?.some(({ type }) => type === 'string') ?? false,
    parts: property.parts ?? [],
    needs,
    integer: property.type === 'integer',
    minimum,
    maximum: getLimit(property.maximum),
    step: property.step ?? null,
    options: property.enum ?? property.items?.enum ?? [],
    suggestions: (property.suggestions ?? []).map((word) =>
      typeof word === 'string' ? { value: word, name: null } : word,
    ),
    gatewayDefault: gatewayDefault ?? null,
    startValue: startValue ?? gatewayDefault ?? minimum ?? emptyValue(property),
  };
}

/** An integer without limits has JavaScript's in the JSON Schema, which mean nothing to the user. */
function getLimit(bound: number | undefined): number | null {
  return bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? null : bound;
}

function emptyValue({ control, enum: options }: DescribedProperty): JsonValue {
  switch (control) {
    case 'slider':
    case 'number':
      return 0;
    case 'switch':
      return false;
    case 'choice':
      return options?.[0] ?? '';
    case 'choices':
    case 'lines':
      return [];
    case 'map':
    case 'object':
    case 'json':
      return {};
    case 'text':
    case 'multiline':
      return '';
    default:
      return assertNever(control);
  }
}
