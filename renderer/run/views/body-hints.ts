/** Describes the fields of a request body, from the request schema, for completion and help. */
import { z } from 'zod';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { jsonValueSchema } from '../../../shared/json-schema.ts';
import {
  describeOperation,
  type FieldDescription,
} from '../../../shared/operations/form/describe.ts';
import { FORMAT, findUnsentFields } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { operations, requestSchemas } from '../../../shared/operations/operations.ts';
import { writeBody } from '../../../shared/operations/write-request.ts';
import { type JsonHint, noHint } from '../../ui/json-editor/json-hints.ts';

const known = new Map<string, JsonHint>();

/** `format` is empty for the operation's default format. */
export function getBodyHint(name: OperationName, format: string): JsonHint {
  const key = `${name} ${format}`;
  const hint = known.get(key) ?? (format === '' ? readDefault(name) : readFormat(name, format));
  known.set(key, hint);
  return hint;
}

function readDefault(name: OperationName): JsonHint {
  const { local } = operations[name];
  const { fields: unsent } = findUnsentFields(name, '');
  const hint = readSchema(
    schemaNode.parse(z.toJSONSchema(requestSchemas[name], { io: 'input', unrepresentable: 'any' })),
  );
  const isSent = (field: string) => field !== FORMAT && !unsent.has(field) && !local?.has(field);
  const sent = Object.entries(hint.properties).filter(([field]) => isSent(field));
  return { ...hint, properties: Object.fromEntries(sent) };
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
    ...{ title, description, values },
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

/** Finds the field names of another format by writing each field. */
function readFormat(name: OperationName, format: string): JsonHint {
  const { fields } = describeOperation(name);
  const { fields: unsent } = findUnsentFields(name, format);
  const base: JsonObject = { [FORMAT]: format, model: 'm', ...samples[name] };
  const write = (request: JsonObject) =>
    writeBody(operations[name], { request, extraBody: {}, wireNames: {} });
  const plain = write(base);
  const properties: Record<string, JsonHint> = Object.fromEntries(
    Object.keys(plain).map((field) => [field, noHint]),
  );
  for (const field of fields) {
    if (field.name === FORMAT || unsent.has(field.name)) continue;
    const sample = getSample(field);
    const needed = field.needs === null ? {} : { [field.needs]: true };
    const body = write({ ...base, ...needed, [field.name]: sample });
    const without = write({ ...base, ...needed });
    const changed = Object.keys(body).filter((wire) => !isSameJson(body[wire], without[wire]));
    const [wire] = changed;
    if (changed.length !== 1 || wire === undefined) continue;
    const hint = placeHint(body[wire] ?? null, sample, getFieldHint(field));
    properties[wire] = mergeHints(properties[wire] ?? null, hint);
  }
  return { ...noHint, properties };
}

/** Sample requests that every format can write. */
const samples: Partial<Record<OperationName, JsonObject>> = {
  chat: {
    messages: [
      { role: 'system', content: 'a' },
      { role: 'user', content: 'a' },
    ],
  },
  image: { contents: [{ role: 'user', parts: [{ text: 'a' }] }] },
  video: { prompt: 'a' },
};

function getSample({ options, startValue, suggestions, control }: FieldDescription): JsonValue {
  const [word = startValue] = [...options, ...suggestions.map(({ value }) => value)];
  if (control === 'choices') return [word];
  // Avoid an empty value, because a format may omit it.
  return control === 'switch' ? true : isEmpty(startValue) ? 'a' : startValue;
}

function isEmpty(value: JsonValue): boolean {
  return value === '' || isSameJson(value, []) || isSameJson(value, {});
}

function getFieldHint({ title, description, control, ...field }: FieldDescription): JsonHint {
  const words = [...field.options, ...field.suggestions.map(({ value }) => value)];
  const isList = control === 'choices' || control === 'lines';
  const values = control === 'switch' ? [true, false] : words;
  const hint = { ...noHint, title, description };
  return isList ? { ...hint, items: { ...noHint, values } } : { ...hint, values };
}

/** A format may write the field inside an object, such as `reasoning.effort`. */
function placeHint(written: JsonValue, sample: JsonValue, hint: JsonHint): JsonHint {
  if (isSameJson(written, sample) || !isJsonObject(written)) return hint;
  const [entry, ...others] = Object.entries(written);
  if (entry === undefined || others.length > 0) return hint;
  return { ...noHint, properties: { [entry[0]]: placeHint(entry[1], sample, hint) } };
}
