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
  /** Also has types of content parts, such as `image_url`, and roles. */
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
      max_output_tokens: 'obey',
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
  const rejected = listNames(body).find((name) => get(name) === 'reject');
  if (rejected !== undefined) {
    const message = `Unrecognized request argument supplied: ${rejected}`;
    return { refusal: { status: 400, message, param: rejected } };
  }
  const kept = Object.entries(body).filter(([name]) => get(name) === 'obey');
  const isKept = (name: JsonValue | undefined) => get(String(name)) === 'obey';
  return { body: keepMessages(Object.fromEntries(kept), isKept) };
}

/** One request in eight gets a 503, and one a 429. */
function findFailure(body: JsonObject): Refusal | null {
  const share = hash(JSON.stringify(body)) % 8;
  if (share === 2) return { status: 503, message: 'Overloaded (simulated).', param: null };
  return share === 6
    ? { status: 429, message: 'Too many requests (simulated).', param: null }
    : null;
}

function listMessages({ messages }: JsonObject): JsonObject[] {
  return Array.isArray(messages) ? messages.filter(isJsonObject) : [];
}

function listNames(body: JsonObject): string[] {
  const inner = listMessages(body).flatMap(({ role, content }) => [
    role,
    ...(Array.isArray(content) ? content.filter(isJsonObject).map(({ type }) => type) : []),
  ]);
  return [...Object.keys(body), ...inner.map(String)];
}

function keepMessages(
  body: JsonObject,
  isKept: (name: JsonValue | undefined) => boolean,
): JsonObject {
  if (body.messages === undefined) return body;
  const messages = listMessages(body)
    .filter(({ role }) => isKept(role))
    .map(({ content, ...message }) => ({
      ...message,
      content: Array.isArray(content)
        ? content.filter((part) => isJsonObject(part) && isKept(part.type))
        : (content ?? null),
    }));
  return { ...body, messages };
}
