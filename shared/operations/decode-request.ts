/** Reads a request body in any format of an operation: the inverse of `writeBody`. */
import { z } from 'zod';
import type { FieldError } from '../errors.ts';
import { isSameJson, type JsonObject, type JsonValue } from '../json.ts';
import type { RunInput } from '../run.ts';
import { decodeFields } from './field-table.ts';
import { findFieldErrors } from './form/field-errors.ts';
import { FORMAT, getFormat } from './formats.ts';
import type { OperationName } from './operation-name.ts';
import { operations, requestSchemas } from './operations.ts';
import { getAt } from './rename-fields.ts';
import { type SentInput, writeBody } from './write-request.ts';

export interface DecodedRequest extends SentInput {
  /** Known fields whose values the form can't hold; the values are in `extraBody`. */
  problems: FieldError[];
}

interface DecodeOptions {
  /** Empty for the operation's default format. */
  format?: string;
  wireNames?: RunInput['wireNames'];
  /** The form's request; decides between fields that are sent under the same name. */
  current?: JsonObject;
  /** Returns the part of the request that a form can hold; by default, all of it. */
  hold?: (request: JsonObject) => JsonObject;
}

/**
 * Puts everything that `request` doesn't reproduce into `extraBody`, so sending both gives the body
 * again. Long base64 and `media:` references stay where they are; if the body of a form has files,
 * pass them as references. The caller handles a model in the path.
 */
export function decodeRequest(
  name: OperationName,
  body: JsonObject,
  options: DecodeOptions = {},
): DecodedRequest {
  const { format = '', current = {}, hold = (request: JsonObject) => request } = options;
  const { fields, normalize, adapt } = getFormat(name, format);
  const normal = normalize?.(body) ?? body;
  const given = options.wireNames ?? {};
  const read =
    fields === undefined
      ? readRenamed(name, normal, given)
      : decodeFields(fields, normal, { wireNames: given, current });
  const { wireNames } = read;
  const { known, problems } = checkFields(name, read.request);
  const write = (request: JsonObject) => {
    const named = format === '' ? request : { ...request, [FORMAT]: format };
    return writeBody(operations[name], { request: named, extraBody: {}, wireNames });
  };
  const held = write(hold(known));
  const sent = adapt?.(normal) ?? normal;
  const isLost = (field: string) => !isSameJson(held[field], sent[field]);
  const lost = Object.keys(normal).filter(isLost);
  const extraBody = Object.fromEntries(lost.map((field) => [field, normal[field] ?? null]));
  const isOverridden = lost.some((field) => Object.hasOwn({ ...held, ...known }, field));
  const request = isOverridden ? dropOverridden(name, known, new Set(lost), write) : known;
  return {
    request: format === '' ? request : { ...request, [FORMAT]: format },
    extraBody,
    wireNames,
    problems,
  };
}

/** Restores the names of renamed fields; finds other names that the body uses. */
function readRenamed(
  name: OperationName,
  body: JsonObject,
  wireNames: RunInput['wireNames'],
): Pick<DecodedRequest, 'request' | 'wireNames'> {
  const { renamable, local = [] } = operations[name];
  const request = { ...body };
  const names = { ...wireNames };
  for (const [field, otherNames] of Object.entries(renamable)) {
    const find = (name: string) => getAt(body, name.split('.'));
    const wire = names[field] ?? otherNames.find((other) => find(other) !== undefined);
    const value = wire === undefined ? undefined : find(wire);
    if (wire === undefined || value === undefined) continue;
    const [outer = wire] = wire.split('.');
    if (Object.hasOwn(body, field) && outer !== field) continue;
    delete request[outer];
    request[field] = value;
    // The brackets of a form's list are added when it is sent.
    if (wire !== `${field}[]`) names[field] = wire;
  }
  for (const field of local) delete request[field];
  return { request, wireNames: names };
}

/** Splits off the fields that the form can't hold. */
function checkFields(name: OperationName, fields: JsonObject) {
  const { shape } = requestSchemas[name];
  const known: JsonObject = {};
  const problems: FieldError[] = [];
  for (const [field, value] of Object.entries(fields)) {
    const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (schema === undefined) continue;
    if (canHold(schema, value)) known[field] = value;
    else problems.push(...listFieldErrors(schema, field, value));
  }
  return { known, problems };
}

function listFieldErrors(schema: z.ZodType, field: string, value: JsonValue): FieldError[] {
  try {
    const errors = findFieldErrors(schema, value);
    return errors.map(({ path, message }) => ({ path: [field, ...path], message }));
  } catch {
    return [{ path: [field], message: 'Invalid format.' }];
  }
}

/** Allows empty or too long text in a required field, so that the user can edit it. */
function canHold(schema: z.core.$ZodType, value: unknown): boolean {
  const codes = findIssueCodes(schema, value);
  if (codes.length === 0) return true;
  return isRequired(schema) && codes.every((code) => EDITABLE.has(code));
}

function isRequired(schema: z.core.$ZodType): boolean {
  return findIssueCodes(schema, undefined).length > 0;
}

function findIssueCodes(schema: z.core.$ZodType, value: unknown): string[] {
  try {
    return z.safeParse(schema, value).error?.issues.map(({ code }) => code) ?? [];
  } catch {
    // Zod applies a `length` limit even if the value isn't text.
    return ['invalid_type'];
  }
}

const EDITABLE: ReadonlySet<string> = new Set(['too_small', 'too_big', 'custom']);

/** Omits optional fields whose output `extraBody` overrides. */
function dropOverridden(
  name: OperationName,
  known: JsonObject,
  lost: ReadonlySet<string>,
  write: (request: JsonObject) => JsonObject,
): JsonObject {
  const { shape } = requestSchemas[name];
  const whole = write(known);
  const kept = Object.entries(known).filter(([field]) => {
    const schema = shape[field];
    if (schema === undefined || isRequired(schema)) return true;
    const { [field]: _, ...others } = known;
    const rest = write(others);
    return Object.keys({ ...whole, ...rest }).some(
      (wire) => !lost.has(wire) && !isSameJson(whole[wire], rest[wire]),
    );
  });
  return Object.fromEntries(kept);
}
