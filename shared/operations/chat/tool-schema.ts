/** Rewrites the schemas of tools in the dialect that a format accepts. */
import { getNumber } from '../../exact-number.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../json.ts';

type ToolFormat = 'chat-completions' | 'messages' | 'responses';

interface SchemaRule {
  /** For docs/formats.md. */
  title: string;
  source: string;
  apply(schema: JsonObject): JsonObject;
}

const schemaRules = {
  keyword: {
    title: '`$schema` is left out',
    source: 'https://github.com/ahmadrosid/nakama/issues/292',
    apply: (schema) => mapSchemas(schema, ({ $schema: _, ...rest }) => rest),
  },
  references: {
    title: 'A local `$ref` is replaced by what it refers to, unless it refers to itself',
    source: 'https://github.com/Intelligent-Internet/gemini-cli-mcp-openai-bridge/pull/7',
    apply: inlineReferences,
  },
  bounds: {
    title: 'An `exclusiveMinimum` or `exclusiveMaximum` of true becomes the number it excludes',
    source: 'https://json-schema.org/draft/2020-12/release-notes#formerly-boolean-keywords',
    apply: (schema) =>
      mapSchemas(schema, (one) =>
        writeBound(writeBound(one, 'minimum', 'exclusiveMinimum'), 'maximum', 'exclusiveMaximum'),
      ),
  },
  alternatives: {
    title: '`anyOf`, `oneOf` and `allOf` at the top become one object with all their properties',
    source: 'https://github.com/software-mansion/argent/issues/773',
    apply: joinAlternatives,
  },
  properties: {
    title: 'A missing `type` becomes `object`, and missing `properties` become `{}`',
    source: 'https://github.com/langchain-ai/langchain-mcp-adapters/issues/137',
    apply: ({ type, properties, ...rest }) => ({
      type: typeof type === 'string' ? type : 'object',
      properties: isJsonObject(properties) ? properties : {},
      ...rest,
    }),
  },
} satisfies Record<string, SchemaRule>;

type RuleName = keyof typeof schemaRules;

const strict: readonly RuleName[] = [
  ...(['keyword', 'references', 'bounds', 'alternatives', 'properties'] as const),
];

/** Gateways pass the tools of each format to providers of any other, so no format can do less. */
const dialects: Record<ToolFormat, readonly RuleName[]> = {
  'chat-completions': strict,
  messages: strict,
  responses: strict,
};

/** Returns the rules of a format, in the order in which they apply. */
export function listSchemaRules(format: ToolFormat): readonly SchemaRule[] {
  return dialects[format].map((name) => schemaRules[name]);
}

/** An undefined format is chat completions. */
export function readToolFormat(format: JsonValue | undefined): ToolFormat {
  return format === 'messages' || format === 'responses' ? format : 'chat-completions';
}

const none: JsonObject = { type: 'object', properties: {} };

/** Returns the same schema if it already fits. */
export function adaptSchema(schema: JsonValue | undefined, format: ToolFormat): JsonObject {
  if (!isJsonObject(schema)) return none;
  const adapted = listSchemaRules(format).reduce<JsonObject>(
    (rewritten, rule) => rule.apply(rewritten),
    schema,
  );
  return isSameJson(adapted, schema) ? schema : adapted;
}

/** Returns a function that adapts the schemas of the tools in a body of this format. */
export function adaptTools(format: ToolFormat): (body: JsonObject) => JsonObject {
  const adapt = (schema: JsonValue | undefined) => adaptSchema(schema, format);
  const adaptTool = (tool: JsonValue): JsonValue => {
    if (!isJsonObject(tool)) return tool;
    const { function: called, input_schema: schema, type } = tool;
    if (isJsonObject(called)) {
      return { ...tool, function: { ...called, parameters: adapt(called.parameters) } };
    }
    if (schema !== undefined) return { ...tool, input_schema: adapt(schema) };
    return type === 'function' ? { ...tool, parameters: adapt(tool.parameters) } : tool;
  };
  return ({ tools, ...body }) => ({
    ...body,
    ...(tools !== undefined && { tools: Array.isArray(tools) ? tools.map(adaptTool) : tools }),
  });
}

const MAX_DEPTH = 64;

/** Keywords whose values are data, names or text, so they have no schemas. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples', 'required']);
/** Keywords whose values are schemas by name. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/** Rewrites each schema, the inner ones first. */
function mapSchemas(
  schema: JsonObject,
  change: (schema: JsonObject) => JsonObject,
  depth = 0,
): JsonObject {
  if (depth > MAX_DEPTH) return schema;
  const inner = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(inner);
    return isJsonObject(value) ? mapSchemas(value, change, depth + 1) : value;
  };
  const entries = Object.entries(schema).map(([name, value]): [string, JsonValue] => {
    if (DATA.has(name)) return [name, value];
    if (!NAMED.has(name) || !isJsonObject(value)) return [name, inner(value)];
    const named = Object.entries(value).map(([key, one]) => [key, inner(one)] as const);
    return [name, Object.fromEntries(named)];
  });
  return change(Object.fromEntries(entries));
}

function inlineReferences(schema: JsonObject): JsonObject {
  const kept = new Set<string>();
  /** Limits schemas whose references multiply. */
  let left = 10_000;
  const inline = (value: JsonValue, open: readonly string[]): JsonValue => {
    if (Array.isArray(value)) return value.map((one) => inline(one, open));
    if (!isJsonObject(value)) return value;
    const { $ref: reference, ...rest } = value;
    const target = typeof reference === 'string' ? findLocal(schema, reference) : undefined;
    if (typeof reference === 'string' && target !== undefined) {
      left -= 1;
      if (!open.includes(reference) && left > 0) {
        const found = inline(target, [...open, reference]);
        const others = inline(rest, open);
        return isJsonObject(found) && isJsonObject(others) ? { ...found, ...others } : found;
      }
      kept.add(reference);
      return value;
    }
    const entries = Object.entries(value).map(([name, one]) => [name, inline(one, open)] as const);
    return Object.fromEntries(entries);
  };
  const { $defs, definitions, ...root } = schema;
  const inlined = inline(root, ['#']);
  if (!isJsonObject(inlined)) return schema;
  // A definition that refers to itself has no other form.
  if (kept.size > 0) {
    return {
      ...inlined,
      ...($defs !== undefined && { $defs }),
      ...(definitions !== undefined && { definitions }),
    };
  }
  return inlined;
}

/** Resolves a JSON pointer such as `#/$defs/port`; undefined if it isn't local. */
function findLocal(schema: JsonObject, reference: string): JsonValue | undefined {
  if (!reference.startsWith('#')) return undefined;
  let value: JsonValue | undefined = schema;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decodePointer(part);
    if (Array.isArray(value)) value = value[Number(name)];
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

function decodePointer(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

/** Draft 4 has the number in `minimum`, and only says in `exclusiveMinimum` that it is excluded. */
function writeBound(schema: JsonObject, inclusive: string, exclusive: string): JsonObject {
  const { [exclusive]: isExclusive, ...rest } = schema;
  if (typeof isExclusive !== 'boolean') return schema;
  const { [inclusive]: limit, ...others } = rest;
  if (!isExclusive || limit === undefined || getNumber(limit) === null) return rest;
  return { ...others, [exclusive]: limit };
}

/** A value must fit all of `allOf`, but any one of the others, whose fields become optional. */
function joinAlternatives(schema: JsonObject): JsonObject {
  const { allOf, anyOf, oneOf, ...rest } = schema;
  if ([allOf, anyOf, oneOf].every((list) => list === undefined)) return schema;
  const all = listSchemas(allOf).map(joinAlternatives);
  const any = [...listSchemas(anyOf), ...listSchemas(oneOf)].map(joinAlternatives);
  const properties: JsonObject = {};
  for (const { properties: own } of [...any.toReversed(), ...all.toReversed(), rest]) {
    if (isJsonObject(own)) Object.assign(properties, own);
  }
  const [first, ...others] = any.map(listRequired);
  const common = (first ?? []).filter((name) => others.every((list) => list.includes(name)));
  const required = [...new Set([rest, ...all].flatMap(listRequired).concat(common))];
  return {
    ...rest,
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
  };
}

function listSchemas(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function listRequired({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
