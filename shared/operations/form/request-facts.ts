/**
 * Reads what forms show from the request schemas. The page's build runs this and keeps only the
 * results, see electron.vite.config.ts.
 */
import { z } from 'zod';
import { assertNever } from '../../assert-never.ts';
import type { JsonValue } from '../../json.ts';
import { jsonValueSchema } from '../../json-schema.ts';
import type { OperationName } from '../operation-name.ts';
import { requestSchemas } from '../operations.ts';
import { controlSchema, type FieldControl, type FieldPart, fieldPartSchema } from './field-meta.ts';

export interface FieldFacts {
  name: string;
  title: string;
  description: string;
  group: string;
  /** True if the form shows the field under More. */
  more: boolean;
  control: FieldControl;
  /** True if a `lines` field also accepts a single string. */
  orText: boolean;
  parts: FieldPart[];
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
export type ObjectShape = z.infer<typeof objectShapeSchema>;

export interface RequestFacts {
  /** Fields with a control, in form order. */
  fields: FieldFacts[];
  /** Types of objects that a panel edits itself, by API name. */
  objects: Record<string, ObjectShape>;
  /** Titles of all fields that have one, by API name. */
  titles: Record<string, string>;
}

/** Describes the properties of an operation's request. The result contains only JSON. */
export function readRequestFacts(name: OperationName): RequestFacts {
  const { properties } = requestJsonSchema.parse(
    z.toJSONSchema(requestSchemas[name], { io: 'input', unrepresentable: 'any' }),
  );
  const facts: RequestFacts = { fields: [], objects: {}, titles: {} };
  for (const [wireName, property] of Object.entries(properties)) {
    const described = describedPropertySchema.safeParse(property);
    const shape = objectShapeSchema.safeParse(property);
    const titled = titledPropertySchema.safeParse(property);
    if (described.success) facts.fields.push(describeField(wireName, described.data));
    else if (shape.success) facts.objects[wireName] = shape.data;
    if (titled.success) facts.titles[wireName] = titled.data.title;
  }
  return facts;
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

function describeField(name: string, property: DescribedProperty): FieldFacts {
  const { title, description, group, control, gatewayDefault, startValue } = property;
  const minimum = getLimit(property.minimum);
  return {
    name,
    title,
    description,
    group,
    more: property.more ?? false,
    control,
    orText: property.anyOf?.some(({ type }) => type === 'string') ?? false,
    parts: property.parts ?? [],
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
