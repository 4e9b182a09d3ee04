/** Derives a JSON Schema from an example of the JSON. */
import { isWholeNumber } from './compare-numbers.ts';
import { isJsonNumber } from './exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

type Scalar = 'null' | 'boolean' | 'integer' | 'number' | 'string';

/** The values seen at one position. */
interface Shape {
  scalars: Set<Scalar>;
  /** The number of objects seen, and each field's shape with the number of objects that have it. */
  objects: { count: number; fields: Map<string, { count: number; shape: Shape }> } | null;
  items: Shape | null;
}

/**
 * Returns a schema that matches the value and that strict modes accept: objects list all their
 * fields and allow no others. A field that some items of a list lack isn't required.
 */
export function createSchemaFromJson(value: JsonValue): JsonObject {
  const shape = emptyShape();
  add(shape, value);
  return toSchema(shape);
}

function emptyShape(): Shape {
  return { scalars: new Set(), objects: null, items: null };
}

function add(shape: Shape, value: JsonValue): void {
  if (Array.isArray(value)) {
    shape.items ??= emptyShape();
    for (const item of value) add(shape.items, item);
  } else if (isJsonObject(value)) {
    shape.objects ??= { count: 0, fields: new Map() };
    shape.objects.count += 1;
    for (const [name, field] of Object.entries(value)) {
      const known = shape.objects.fields.get(name) ?? { count: 0, shape: emptyShape() };
      shape.objects.fields.set(name, known);
      known.count += 1;
      add(known.shape, field);
    }
  } else {
    shape.scalars.add(getType(value));
  }
}

function getType(value: Exclude<JsonValue, JsonValue[] | JsonObject>): Scalar {
  if (isJsonNumber(value)) return isWholeNumber(value) ? 'integer' : 'number';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

function toSchema({ scalars, objects, items }: Shape): JsonObject {
  const types: string[] = [...scalars].filter(
    (type) => type !== 'integer' || !scalars.has('number'),
  );
  // Null is written last: ["string", "null"].
  types.sort((one, other) => Number(one === 'null') - Number(other === 'null'));
  if (items !== null) types.unshift('array');
  if (objects !== null) types.unshift('object');
  const [only] = types;
  if (only === undefined) return {};
  return {
    type: types.length === 1 ? only : types,
    ...(objects !== null && {
      properties: Object.fromEntries(
        [...objects.fields].map(([name, { shape }]) => [name, toSchema(shape)]),
      ),
      required: [...objects.fields].flatMap(([name, { count }]) =>
        count === objects.count ? [name] : [],
      ),
      additionalProperties: false,
    }),
    ...(items !== null && { items: toSchema(items) }),
  };
}
