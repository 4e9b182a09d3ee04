/** Parses and validates requests; the first problem becomes the error response. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { findFieldErrors } from '../../shared/operations/form/field-errors.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { findHonesty, treatBody } from './language/honesty.ts';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

interface ErrorDetails {
  type: string;
  param?: string | null;
  code?: string | null;
  headers?: Record<string, string>;
}

export class DemoError extends Error {
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(status: number, message: string, details: ErrorDetails) {
    super(message);
    this.name = 'DemoError';
    this.status = status;
    this.details = details;
  }
}

/** Creates a 400; `param` is the path of the invalid body field, such as `messages[0].role`. */
export function createInvalidRequest(
  message: string,
  param: string | null,
  code: string | null = null,
) {
  return new DemoError(400, message, { type: 'invalid_request_error', param, code });
}

/** Creates a 413, which closes the connection because the rest of the body isn't read. */
export function createTooLarge(message: string): DemoError {
  return new DemoError(413, message, {
    type: 'invalid_request_error',
    code: 'request_too_large',
    headers: { connection: 'close' },
  });
}

/** Throws a 401 that doesn't repeat the key from the request. */
export function checkKey({ headers }: Pick<IncomingMessage, 'headers'>, key: string): void {
  const bare = headers['x-api-key'];
  const token =
    /^Bearer +(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1] ??
    (typeof bare === 'string' ? bare : undefined);
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (token !== undefined && timingSafeEqual(digest(token), digest(key))) return;
  const isMissing = token === undefined;
  throw new DemoError(
    401,
    isMissing
      ? 'The API key is missing. Send the header "Authorization: Bearer <API_KEY>".'
      : 'The API key is not valid for this demo gateway.',
    {
      type: 'invalid_request_error',
      code: isMissing ? 'missing_api_key' : 'invalid_api_key',
      headers: { 'www-authenticate': 'Bearer' },
    },
  );
}

export async function readJsonObject(request: IncomingMessage): Promise<JsonObject> {
  const bytes = await readBody(request);
  if (bytes.length === 0)
    throw createInvalidRequest('The body is empty; send a JSON object.', null);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw createInvalidRequest('The body is not valid UTF-8.', null);
  }
  const body = parseJson(text);
  if (body === undefined) throw createInvalidRequest('The body is not valid JSON.', null);
  if (!isJsonObject(body)) throw createInvalidRequest('The body must be a JSON object.', null);
  return readHonestly(body, request);
}

/** Returns the fields that the model honors; throws if it rejects one (honesty.ts). */
export function readHonestly(body: JsonObject, { url = '' }: Pick<IncomingMessage, 'url'>) {
  const [, inPath] = /\/models\/([^/:]+):/.exec(url) ?? [];
  const model = body.model ?? inPath;
  // Chat completions need the fields for their lies.
  if (findHonesty(model)?.lies && url.endsWith('/chat/completions')) return body;
  const treated = treatBody(body, model);
  if (!('refusal' in treated)) return treated.body;
  const { status, message, param } = treated.refusal;
  throw new DemoError(status, message, { type: 'invalid_request_error', param });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const message = 'The body is larger than 64 MiB.';
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
    throw createTooLarge(message);
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    if (!(part instanceof Buffer)) continue;
    sizeBytes += part.length;
    if (sizeBytes > MAX_BODY_BYTES) throw createTooLarge(message);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export function checkRequest<Request>(schema: z.ZodType<Request>, body: JsonObject): Request {
  const candidate = withoutNulls(body);
  try {
    const result = schema.safeParse(candidate);
    if (result.success) return result.data;
    const [first] = findFieldErrors(schema, candidate);
    const param = formatPath(first?.path ?? [], candidate);
    throw createInvalidRequest(
      `${param || 'body'}: ${first?.message ?? 'Not valid.'}`,
      param || null,
    );
  } catch (error) {
    if (error instanceof RangeError)
      throw createInvalidRequest('The body is nested too deeply.', null);
    throw error;
  }
}

/** Treats `null` as unset, because clients of this API send it for unset fields. */
export function withoutNulls(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/**
 * Formats `['messages', '0', 'role']` as `messages[0].role`; `body` shows which values are arrays.
 */
function formatPath(path: readonly string[], body: JsonValue): string {
  let at: JsonValue | undefined = body;
  let text = '';
  for (const key of path) {
    const isList: boolean = Array.isArray(at);
    text += isList ? `[${key}]` : text === '' ? key : `.${key}`;
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return text;
}

export function findModel<Model extends { id: string }>(
  models: readonly Model[],
  id: string,
  find = (wanted: string) => models.find((model) => model.id === wanted),
): Model {
  const model = find(id) ?? (findHonesty(id) === null ? undefined : models[0]);
  if (model !== undefined) return model;
  const available = models.map((candidate) => candidate.id).join(', ');
  throw new DemoError(
    404,
    `The model ${JSON.stringify(id.slice(0, 200))} does not support this endpoint. Supported models: ${available}.`,
    { type: 'invalid_request_error', param: 'model', code: 'model_not_found' },
  );
}
