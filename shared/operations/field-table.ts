/** Converts a request to the body of a wire format and back, by a table with a row per field. */
import { isSameJson, type JsonObject, type JsonValue } from '../json.ts';
import type { RunInput } from '../run.ts';
import { getAt, getWireName, setAt } from './rename-fields.ts';

type WireNames = RunInput['wireNames'];

/** A format with uploads sends some requests as a multipart form. */
export type BodyKind = 'json' | 'form';

/** How a field is sent; an empty rule sends it under its own name. */
export interface FieldRule {
  /** The path in the body, such as `['reasoning', 'effort']`; by default, the field's name. */
  readonly at?: readonly [string, ...string[]];
  /** The only kind of body that has the field. */
  readonly only?: BodyKind;
  /** Sent if the field isn't set. A body with this value leaves the field unset. */
  readonly default?: JsonValue | ((request: JsonObject) => JsonValue);
  /** Converts a value for the body; undefined omits it. */
  readonly encode?: (value: JsonValue) => JsonValue | undefined;
  /**
   * Inverse of `encode`; returns undefined for a value without a counterpart. `current` is the
   * form's value. Without it, the body has values that the field itself accepts.
   */
  readonly decode?: (value: JsonValue, current: JsonValue | undefined) => JsonValue | undefined;
  /** For docs/formats.md, shown after the path. */
  readonly note?: string;
}

interface EncodeContext {
  request: JsonObject;
  wireNames: WireNames;
  kind: BodyKind;
}

interface DecodeContext {
  wireNames: WireNames;
  /** The form's request; decides between fields that are sent in the same place. */
  current: JsonObject;
}

/** A conversion of several fields, or of fields whose place depends on others. */
export interface BodyStep {
  /** The body fields that the step adds. */
  readonly writes: readonly string[];
  /** Returns the body that the rows above produced, with the step's fields. */
  readonly encode: (body: JsonObject, context: EncodeContext) => JsonObject;
  /** Returns the fields that `encode` wrote, and the body for the remaining rows if it changes. */
  readonly decode?: (body: JsonObject, context: DecodeContext) => DecodedStep;
  /** The fields that are sent with the step's own field, if it is set; by default, all. */
  readonly only?: readonly string[];
  /** For docs/formats.md: how the body has the fields. */
  readonly note: string;
}

interface DecodedStep {
  fields: JsonObject;
  body?: JsonObject;
  /** Names that the body uses, added to those of the form. */
  wireNames?: WireNames;
}

/**
 * - `same`: sent unchanged under its own name.
 * - `unsent`: the format has no counterpart, and the form says so.
 * - `path`: part of the URL.
 * - `local`: used only by Gatehouse.
 * - `with`: sent in the place of another field. If both are set, the later row wins; a body fills
 *   the one that the form has, or else the other field.
 */
export type FieldRow<Field extends string = string> =
  | 'same'
  | 'unsent'
  | 'path'
  | 'local'
  | FieldRule
  | { readonly with: Field }
  | { readonly step: BodyStep };

type FieldOf<Request> = Exclude<keyof Request & string, 'format'>;

/** Maps each field of a request to a format; a missing field is a compile error. */
export type FieldTable<Request> = Readonly<Record<FieldOf<Request>, FieldRow<FieldOf<Request>>>>;

export type AnyFieldTable = Readonly<Record<string, FieldRow>>;

/** Fields that are sent unchanged keep the request's order; the others follow in table order. */
export function encodeFields(table: AnyFieldTable, context: EncodeContext): JsonObject {
  const { request, wireNames, kind } = context;
  let body: JsonObject = {};
  for (const [field, value] of Object.entries(request)) {
    if (getRow(table, field) === 'same') body[getWireName(field, wireNames)] = value;
  }
  const done = new Set<BodyStep>();
  for (const [field, row] of Object.entries(table)) {
    if (typeof row === 'string') continue;
    if ('step' in row) {
      if (!done.has(row.step)) body = row.step.encode(body, context);
      done.add(row.step);
      continue;
    }
    const place = findPlace(table, field);
    if (place === null || (place.rule.only ?? kind) !== kind) continue;
    const { path, rule } = place;
    const isFree = !('with' in row) && getAt(body, path) === undefined;
    const value = request[field] ?? (isFree ? getDefault(rule, request) : undefined);
    const sent = value === undefined ? undefined : (rule.encode ?? keep)(value);
    if (sent !== undefined) body = setAt(body, path, sent);
  }
  return body;
}

/** Inverse of `encodeFields`; omits what no row reads. */
export function decodeFields(
  table: AnyFieldTable,
  body: JsonObject,
  { wireNames, current }: DecodeContext,
): { request: JsonObject; wireNames: WireNames } {
  const request: JsonObject = {};
  let rest = body;
  let names = wireNames;
  for (const step of listSteps(table).reverse()) {
    const read = step.decode?.(rest, { wireNames: names, current });
    Object.assign(request, read?.fields);
    rest = read?.body ?? rest;
    names = { ...names, ...read?.wireNames };
  }
  const same = Object.entries(table).filter(([, row]) => row === 'same' || row === 'path');
  const fields = new Map(same.map(([field]) => [getWireName(field, names), field]));
  for (const [name, value] of Object.entries(rest)) {
    const field = fields.get(name);
    if (field !== undefined) request[field] = value;
  }
  for (const [field, row] of Object.entries(table)) {
    if (typeof row === 'string' || 'step' in row || 'with' in row) continue;
    const value = getAt(rest, row.at ?? [field]);
    if (value === undefined || isSameJson(value, getDefault(row, request))) continue;
    const target = chooseField(table, field, current);
    const read = row.decode === undefined ? value : row.decode(value, current[target]);
    if (read !== undefined) request[target] = read;
  }
  return { request, wireNames: names };
}

export interface FieldPlace {
  path: readonly [string, ...string[]];
  rule: FieldRule;
}

/** Returns null for a field that the body doesn't have, or that a step writes. */
export function findPlace(table: AnyFieldTable, field: string): FieldPlace | null {
  const row = getRow(table, field);
  if (row === 'same') return { path: [field], rule: {} };
  if (typeof row !== 'object' || 'step' in row) return null;
  return 'with' in row ? findPlace(table, row.with) : { path: row.at ?? [field], rule: row };
}

/** Lists the body fields that requests of the format can have. */
export function listBodyFields(table: AnyFieldTable, kind?: BodyKind): string[] {
  return [...new Set(Object.keys(table).flatMap((field) => listWritten(table, field, kind)))];
}

/** Lists the body fields that a field of the request is sent in. */
export function listWritten(table: AnyFieldTable, field: string, kind?: BodyKind): string[] {
  const row = getRow(table, field);
  if (typeof row === 'object' && 'step' in row) return [...row.step.writes];
  const place = findPlace(table, field);
  if (place === null) return [];
  const { path, rule } = place;
  return kind === undefined || (rule.only ?? kind) === kind ? [path[0]] : [];
}

/** Lists the fields of a table that a request with these fields doesn't send. */
export function listUnsentFields(table: AnyFieldTable, request: JsonObject): ReadonlySet<string> {
  const alone = Object.entries(table).flatMap(([field, row]) =>
    typeof row === 'object' &&
    'step' in row &&
    row.step.only !== undefined &&
    isFilled(request[field])
      ? [[field, ...row.step.only]]
      : [],
  );
  const isSent = (field: string) => alone.every((fields) => fields.includes(field));
  const unsent = Object.entries(table).filter(([field, row]) => row === 'unsent' || !isSent(field));
  return new Set(unsent.map(([field]) => field));
}

function isFilled(value: JsonValue | undefined): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined;
}

function listSteps(table: AnyFieldTable): BodyStep[] {
  const steps = Object.values(table).flatMap((row) =>
    typeof row === 'object' && 'step' in row ? [row.step] : [],
  );
  return [...new Set(steps)];
}

function chooseField(table: AnyFieldTable, field: string, current: JsonObject): string {
  const isHere = ([other, row]: [string, FieldRow]) =>
    other === field || (typeof row === 'object' && 'with' in row && row.with === field);
  const set = Object.entries(table)
    .filter(isHere)
    .map(([other]) => other);
  return set.findLast((other) => current[other] !== undefined) ?? field;
}

function getRow(table: AnyFieldTable, field: string): FieldRow | undefined {
  return Object.hasOwn(table, field) ? table[field] : undefined;
}

function getDefault({ default: given }: FieldRule, request: JsonObject): JsonValue | undefined {
  return typeof given === 'function' ? given(request) : given;
}

function keep(value: JsonValue): JsonValue {
  return value;
}
