/** Turns an operation's request schema into the plain data that the parameter form is drawn from. */
import { z } from 'zod';
import type { JsonValue } from '../../json.ts';
import { jsonValueSchema } from '../../json-schema.ts';
import { type OperationName, operationNameSchema } from '../operation-name.ts';
import { operations } from '../operations.ts';
import { requestSchemas } from '../request-schemas.ts';
import {
  type FieldDescription,
  fieldDescriptionSchema,
  type OperationDescription,
  objectShapeSchema,
} from './description.ts';

/** The schemas do not change while Gatehouse runs, so they are described once. The console has no form. */
let descriptions: OperationDescription[] | null = null;

export function operationDescriptions(): OperationDescription[] {
  descriptions ??= operationNameSchema.options
    .filter((name) => name !== 'console')
    .map(describeOperation);
  return descriptions;
}

/**
 * Fields without a control (`model`, `messages`, `prompt`, …) belong to the panel and are left out;
 * those that can be renamed need a title all the same.
 */
function describeOperation(name: OperationName): OperationDescription {
  const { draft, renamable, needs = {} } = operations[name];
  const { properties } = requestJsonSchema.parse(
    z.toJSONSchema(requestSchemas[name], { io: 'input', unrepresentable: 'any' }),
  );
  const fields = Object.entries(properties).flatMap(([wireName, property]) => {
    const described = describedPropertySchema.safeParse(property);
    return described.success
      ? [describeField(wireName, described.data, needs[wireName] ?? null)]
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

/** A property of the JSON Schema together with what `meta(…)` put beside it. */
const describedPropertySchema = z.object({
  ...fieldDescriptionSchema.pick({ title: true, description: true, group: true, control: true })
    .shape,
  type: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.int().optional(),
  enum: words,
  items: z.object({ enum: words }).optional(),
  step: z.number().optional(),
  parts: fieldDescriptionSchema.shape.parts.optional(),
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
  needs: string | null,
): FieldDescription {
  const { title, description, group, control, gatewayDefault, startValue } = property;
  const minimum = getLimit(property.minimum);
  return {
    name,
    title,
    description,
    group,
    control,
    orText: property.anyOf?.some(({ type }) => type === 'string') ?? false,
    parts: property.parts ?? [],
    needs,
    integer: property.type === 'integer',
    minimum,
    maximum: getLimit(property.maximum),
    maxLength: property.maxLength ?? null,
    step: property.step ?? null,
    options: property.enum ?? property.items?.enum ?? [],
    suggestions: (property.suggestions ?? []).map((word) =>
      typeof word === 'string' ? { value: word, name: null } : word,
    ),
    gatewayDefault: gatewayDefault ?? null,
    startValue: startValue ?? gatewayDefault ?? minimum ?? emptyValue(property),
  };
}

/** An integer without limits of its own carries JavaScript's, which mean nothing to the user. */
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
  }
}
