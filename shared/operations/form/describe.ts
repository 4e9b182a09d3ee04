/** Derives the fields, limits and labels of a parameter form from the request schema. */
import { z } from 'zod';
import { assertNever } from '../../assert-never.ts';
import type { JsonObject, JsonValue } from '../../json.ts';
import { jsonValueSchema } from '../../json-schema.ts';
import type { OperationName } from '../operation-name.ts';
import { operations, requestSchemas } from '../operations.ts';
import { controlSchema, type FieldControl, type FieldPart, fieldPartSchema } from './field-meta.ts';

export interface FieldDescription {
  name: string;
  title: string;
  description: string;
  group: string;
  /** True if the form shows the field under More. */
  more: boolean;
  control: FieldControl;
  /** Validates a value with the same messages as `findFieldErrors`. */
  schema: z.ZodType;
  /** True if a `lines` field also accepts a single string. */
  orText: boolean;
  parts: FieldPart[];
  needs: string | null;
  integer: boolean;
  minimum: number | null;
  maximum: number | null;
  step: number | null;
  options: string[];
  /** `name` explains a cryptic value. */
  suggestions: { value: string; name: string | null }[];
  gatewayDefault: JsonValue;
  startValue: JsonValue;
}

/** The types of nested values; anything that the schema doesn't describe is allowed. */
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

export interface RenamableField {
  name: string;
  title: string;
  otherNames: string[];
}

export interface OperationDescription {
  name: OperationName;
  /** Fields with a control, in form order; excludes fields that panels own, such as `model`. */
  fields: FieldDescription[];
  /** Types of objects that a panel edits itself, such as `generationConfig`, by API name. */
  objects: Record<string, z.infer<typeof objectShapeSchema>>;
  renamable: RenamableField[];
  draft: JsonObject;
}

const descriptions = new Map<OperationName, OperationDescription>();

/** Returns the same object on every call. */
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

const describedPropertySchema = z.object({
  title: z.string(),
  description: z.string(),
  group: z.string(),
  more: z.boolean().optional(),
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
    more: property.more ?? false,
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

/** Zod adds JavaScript's safe integer limits, which mean nothing to the user. */
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
