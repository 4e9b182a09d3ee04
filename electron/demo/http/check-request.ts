/** Checks the key, the body and the model of a request; the first problem becomes a 401, a 400 or a 404. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { findFieldErrors } from '../../../shared/operations/form/field-errors.ts';
import { DemoError, invalidRequest, modelNotFound } from './failure.ts';

/** Against the client's own schema. Unknown fields pass; a named field of a wrong type, missing or outside its limits does not. */
export function checkRequest<Request>(schema: z.ZodType<Request>, body: JsonObject): Request {
  const candidate = withoutNulls(body);
  try {
    const result = schema.safeParse(candidate);
    if (result.success) return result.data;
    const [first] = findFieldErrors(schema, candidate);
    const param = fieldPath(first?.path ?? [], candidate);
    throw invalidRequest(`${param || 'body'}: ${first?.message ?? 'Not valid.'}`, param || null);
  } catch (error) {
    if (error instanceof RangeError) throw invalidRequest('The body is nested too deeply.', null);
    throw error;
  }
}

/** Clients of the convention send `null` for what is unset; that is the same as leaving it out. */
export function withoutNulls(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

export function asJsonObject(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw invalidRequest('The body must be a JSON object.', null);
}

/** `['messages', '0', 'role']` → `messages[0].role`; the body shows which parts are lists. */
function fieldPath(path: readonly string[], body: JsonValue): string {
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

/** The model of this id; throws a 404 that names those that are there. */
export function findModel<Model extends { id: string }>(
  models: readonly Model[],
  id: string,
): Model {
  const model = models.find((candidate) => candidate.id === id);
  if (model !== undefined) return model;
  throw modelNotFound(
    id,
    models.map((candidate) => candidate.id),
  );
}

/** Throws a 401 that names the problem without repeating what was sent. */
export function checkKey(authorization: string | undefined, key: string): void {
  const token = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '')?.[1];
  if (token !== undefined && timingSafeEqual(digest(token), digest(key))) return;
  throw new DemoError(
    401,
    token === undefined
      ? 'The API key is missing. Send the header "Authorization: Bearer <API_KEY>".'
      : 'The API key is not valid for this demo gateway.',
    {
      type: 'invalid_request_error',
      code: token === undefined ? 'missing_api_key' : 'invalid_api_key',
      headers: { 'www-authenticate': 'Bearer' },
    },
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
