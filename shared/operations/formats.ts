/** Describes the wire formats of an operation for forms. */
import type { JsonObject, JsonValue } from '../json.ts';
import { listUnsentFields } from './field-table.ts';
import type { BodyFormat } from './operation.ts';
import type { OperationName } from './operation-name.ts';
import { operations } from './operations.ts';

/** Resetting the parameters keeps this field, like the model. */
export const FORMAT = 'format';

/** The default format, whose name is empty, comes first; empty if there is only one. */
export function listFormats(name: OperationName): { name: string; title: string }[] {
  const { formats = [], formatTitle } = operations[name];
  return formatTitle === undefined ? [] : [{ name: '', title: formatTitle }, ...formats];
}

/** Returns the default format for an unknown name. */
export function getFormat(name: OperationName, format: JsonValue | undefined): BodyFormat {
  const operation = operations[name];
  return operation.formats?.find((known) => known.name === format) ?? operation;
}

interface UnsentFields {
  /** The title of the chosen format; empty if the operation has only one. */
  title: string;
  fields: ReadonlySet<string>;
}

/** Returns the fields that a request doesn't send in its format. */
export function findUnsentFields(name: OperationName, request: JsonObject): UnsentFields {
  const { formats = [], formatTitle = '' } = operations[name];
  const other = formats.find((known) => known.name === request[FORMAT]);
  return {
    title: other?.title ?? formatTitle,
    fields: listUnsentFields(getFormat(name, request[FORMAT]).fields ?? {}, request),
  };
}

/** Maps fields that are sent in the place of another field to that field. */
export function findReplacedFields(
  name: OperationName,
  format: JsonValue | undefined,
): ReadonlyMap<string, string> {
  const rows = Object.entries(getFormat(name, format).fields ?? {});
  return new Map(
    rows.flatMap(([field, row]): [string, string][] =>
      typeof row === 'object' && 'with' in row ? [[field, row.with]] : [],
    ),
  );
}

/**
 * Returns the value that the request’s format sends for an unset field; undefined if it sends none,
 * or another field in that place.
 */
export function findFormatDefault(
  name: OperationName,
  request: JsonObject,
  field: string,
): JsonValue | undefined {
  const { fields = {} } = getFormat(name, request[FORMAT]);
  const row = fields[field];
  const isTaken = Object.entries(fields).some(
    ([other, place]) =>
      typeof place === 'object' &&
      'with' in place &&
      place.with === field &&
      request[other] !== undefined,
  );
  const value = typeof row === 'object' && 'default' in row ? row.default : undefined;
  return typeof value === 'function' || isTaken ? undefined : value;
}
