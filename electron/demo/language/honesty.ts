/**
 * Defines simulated models of different honesty, which show what Check finds. They answer at every
 * endpoint; each gets the request as its row treats it.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { hash } from './random.ts';

type Treatment = 'obey' | 'ignore' | 'reject';

interface Honesty {
  description: string;
  /** For fields that aren't in `fields`. */
  other: Treatment;
  /** Named as in chat completions. Also has roles, and types of content parts such as `image_url`. */
  fields?: Readonly<Record<string, Treatment>>;
  /** Fails for some requests, always for the same ones. */
  fails?: true;
  /** Claims another model, usage and finish reason in chat completions. */
  lies?: true;
}

const table = {
  'demo-obeys': { description: 'simulated honesty: does what a request asks', other: 'obey' },
  'demo-ignores': { description: 'simulated honesty: ignores every field', other: 'ignore' },
  'demo-rejects': {
    description: 'simulated honesty: rejects the fields it doesn’t know',
    other: 'reject',
    fields: {
      temperature: 'obey',
      max_tokens: 'obey',
      include: 'obey',
      store: 'obey',
      stream_options: 'obey',
      top_n: 'obey',
      system: 'obey',
      image_url: 'obey',
    },
  },
  'demo-lies': {
    description: 'simulated honesty: ignores every field and claims otherwise',
    other: 'ignore',
    lies: true,
  },
  'demo-unsteady': {
    description: 'simulated honesty: obeys, but fails for some requests',
    other: 'obey',
    fails: true,
  },
  'demo-partly': {
    description: 'simulated honesty: obeys some fields, ignores some and rejects some',
    other: 'ignore',
    fields: {
      temperature: 'obey',
      max_tokens: 'obey',
      stop: 'obey',
      stream_options: 'obey',
      tools: 'obey',
      tool_choice: 'obey',
      response_format: 'obey',
      system: 'obey',
      image_url: 'obey',
      dimensions: 'obey',
      logit_bias: 'reject',
      logprobs: 'reject',
      n: 'reject',
      developer: 'reject',
    },
  },
} as const satisfies Record<string, Honesty>;

const honesties: Readonly<Record<string, Honesty>> = table;

export const honestIds = Object.keys(table) as (keyof typeof table)[];

export function findHonesty(model: JsonValue | undefined): Honesty | null {
  return typeof model === 'string' && Object.hasOwn(honesties, model)
    ? (honesties[model] ?? null)
    : null;
}

/** Every endpoint needs these. */
const REQUIRED = new Set([
  ...['model', 'messages', 'stream', 'prompt', 'input', 'contents', 'query', 'documents'],
  ...['user', 'assistant', 'tool', 'text'],
]);

/** How chat completions name the fields of Messages and Responses. */
const fieldNames: Readonly<Record<string, string>> = {
  instructions: 'system',
  max_output_tokens: 'max_tokens',
  stop_sequences: 'stop',
  text: 'response_format',
};

/** How chat completions name their types of content parts. */
const partNames: Readonly<Record<string, string>> = {
  input_text: 'text',
  output_text: 'text',
  image: 'image_url',
  input_image: 'image_url',
  document: 'file',
  input_file: 'file',
};

interface Refusal {
  status: number;
  message: string;
  param: string | null;
}

/** Returns the body as the model reads it, or how it refuses it. */
export function treatBody(
  body: JsonObject,
  model: JsonValue | undefined,
): { body: JsonObject } | { refusal: Refusal } {
  const honesty = findHonesty(model);
  if (honesty === null) return { body };
  const failure = honesty.fails ? findFailure(body) : null;
  if (failure !== null) return { refusal: failure };
  const get = (name: string): Treatment =>
    REQUIRED.has(name) ? 'obey' : (honesty.fields?.[name] ?? honesty.other);
  const getField = (name: string) => get(fieldNames[name] ?? name);
  const getPart = (name: JsonValue | undefined) => get(partNames[String(name)] ?? String(name));
  const rejected =
    Object.keys(body).find((name) => getField(name) === 'reject') ??
    listInnerNames(body).find((name) => getPart(name) === 'reject');
  if (rejected !== undefined) {
    const message = `Unrecognized request argument supplied: ${rejected}`;
    return { refusal: { status: 400, message, param: rejected } };
  }
  const kept = Object.entries(body).filter(([name]) => getField(name) === 'obey');
  return { body: keepMessages(Object.fromEntries(kept), (name) => getPart(name) === 'obey') };
}

/** One request in eight gets a 503, and one a 429. */
function findFailure(body: JsonObject): Refusal | null {
  const share = hash(JSON.stringify(body)) % 8;
  if (share === 2) return { status: 503, message: 'Overloaded (simulated).', param: null };
  return share === 6
    ? { status: 429, message: 'Too many requests (simulated).', param: null }
    : null;
}

/** Responses have their messages in `input`, next to the results of calls. */
const LISTS = ['messages', 'input'];
/** The content of a message, and the result of a call. */
const CONTENTS = ['content', 'output'];

function listParts(item: JsonObject): JsonObject[] {
  return CONTENTS.flatMap((name) => item[name] ?? []).filter(isJsonObject);
}

/** Lists the roles and the types of content parts. */
function listInnerNames(body: JsonObject): string[] {
  const items = LISTS.flatMap((name) => body[name] ?? []).filter(isJsonObject);
  return items.flatMap((item) => [
    ...(item.role === undefined ? [] : [String(item.role)]),
    ...listParts(item).map(({ type }) => String(type)),
  ]);
}

type IsKept = (name: JsonValue | undefined) => boolean;

function keepMessages(body: JsonObject, isKept: IsKept): JsonObject {
  return changeLists(body, LISTS, (items) =>
    items
      .filter((item) => !isJsonObject(item) || item.role === undefined || isKept(item.role))
      .map((item) => (isJsonObject(item) ? keepParts(item, isKept) : item)),
  );
}

function keepParts(item: JsonObject, isKept: IsKept): JsonObject {
  return changeLists(item, CONTENTS, (parts) =>
    parts.filter((part) => isJsonObject(part) && isKept(part.type)),
  );
}

/** Changes those of the fields that are lists. */
function changeLists(
  object: JsonObject,
  names: readonly string[],
  change: (list: JsonValue[]) => JsonValue[],
): JsonObject {
  const changed = names.flatMap((name): [string, JsonValue][] => {
    const list = object[name];
    return Array.isArray(list) ? [[name, change(list)]] : [];
  });
  return { ...object, ...Object.fromEntries(changed) };
}
