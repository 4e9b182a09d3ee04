/** Describes the fields of a request body, from the request schema, for completion and help. */
import { z } from 'zod';
import { jsonValueSchema } from '../../../shared/json-schema.ts';
import {
  type AnyFieldTable,
  findPlace,
  listBodyFields,
  listWritten,
} from '../../../shared/operations/field-table.ts';
import { getFormat } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { operations, requestSchemas } from '../../../shared/operations/operations.ts';
import { type JsonHint, noHint } from '../../ui/json-editor/json-hints.ts';

const known = new Map<string, JsonHint>();

/** `format` is empty for the operation's default format. */
export function getBodyHint(name: OperationName, format: string): JsonHint {
  const key = `${name} ${format}`;
  const hint = known.get(key) ?? readBody(name, format);
  known.set(key, hint);
  return hint;
}

function readBody(name: OperationName, format: string): JsonHint {
  const schema = z.toJSONSchema(requestSchemas[name], { io: 'input', unrepresentable: 'any' });
  const { properties } = readSchema(schemaNode.parse(schema));
  const { fields: table } = getFormat(name, format);
  const sent =
    table === undefined ? listUnchanged(name, properties) : listPlaced(table, properties);
  return sent.reduce((all, { path, hint }) => addHint(all, path, hint), noHint);
}

interface PlacedHint {
  path: readonly string[];
  hint: JsonHint;
}

function listUnchanged(name: OperationName, properties: JsonHint['properties']): PlacedHint[] {
  const sent = Object.entries(properties).filter(([field]) => !operations[name].local?.has(field));
  return sent.map(([field, hint]) => ({ path: [field], hint }));
}

/** Includes body fields without a counterpart in the form, which have no help. */
function listPlaced(table: AnyFieldTable, properties: JsonHint['properties']): PlacedHint[] {
  const places = Object.entries(properties).flatMap(([field, hint]): PlacedHint[] => {
    const { title, description } = hint;
    const place = findPlace(table, field);
    // A converted value has other parts than the form's.
    const help = { ...noHint, title, description };
    if (place !== null) {
      return [{ path: place.path, hint: place.rule.decode === undefined ? hint : help }];
    }
    return listWritten(table, field).includes(field) ? [{ path: [field], hint: help }] : [];
  });
  const others = listBodyFields(table).map((name): PlacedHint => ({ path: [name], hint: noHint }));
  return [...places, ...others];
}

function addHint(body: JsonHint, [name, ...inner]: readonly string[], hint: JsonHint): JsonHint {
  if (name === undefined) return mergeHints(body, hint);
  const inside = body.properties[name] ?? noHint;
  return { ...body, properties: { ...body.properties, [name]: addHint(inside, inner, hint) } };
}

const schemaNode = z.object({
  title: z.string().catch(''),
  description: z.string().catch(''),
  type: z.string().optional().catch(undefined),
  enum: z.array(jsonValueSchema).catch([]),
  const: jsonValueSchema.optional(),
  suggestions: z
    .array(z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]))
    .catch([]),
  get properties() {
    return z.record(z.string(), schemaNode).optional();
  },
  get items() {
    return schemaNode.optional();
  },
  get anyOf() {
    return z.array(schemaNode).optional();
  },
  get oneOf() {
    return z.array(schemaNode).optional();
  },
});
type SchemaNode = z.infer<typeof schemaNode>;

/** Merges the hints of all alternatives that the schema allows. */
function readSchema(node: SchemaNode): JsonHint {
  const { title, description, type, suggestions } = node;
  const alternatives = [...(node.anyOf ?? []), ...(node.oneOf ?? [])].map(readSchema);
  const own = Object.entries(node.properties ?? {}).map(([name, property]): [string, JsonHint] => [
    name,
    readSchema(property),
  ]);
  const values = [
    ...node.enum,
    ...(node.const === undefined ? [] : [node.const]),
    ...suggestions,
    ...(type === 'boolean' ? [true, false] : []),
    ...alternatives.flatMap((hint) => hint.values),
  ];
  const items = [
    ...(node.items === undefined ? [] : [readSchema(node.items)]),
    ...alternatives.flatMap((hint) => hint.items ?? []),
  ];
  return {
    title,
    description,
    values,
    properties: Object.fromEntries(
      [...alternatives.flatMap((hint) => Object.entries(hint.properties)), ...own].reduce(
        (all, [name, hint]) => all.set(name, mergeHints(all.get(name) ?? null, hint)),
        new Map<string, JsonHint>(),
      ),
    ),
    items: items.reduce<JsonHint | null>(mergeHints, null),
  };
}

function mergeHints(one: JsonHint | null, other: JsonHint): JsonHint {
  if (one === null) return other;
  return {
    title: one.title || other.title,
    description: one.description || other.description,
    values: [...one.values, ...other.values],
    properties: { ...one.properties, ...other.properties },
    items: one.items ?? other.items,
  };
}
