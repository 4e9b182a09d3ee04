/** Writes a form as the JSON of its request, and edits of that JSON back into the form. */
import type { FormFields } from '../../../shared/form.ts';
import {
  getString,
  isJsonObject,
  isSameJson,
  type JsonObject,
  type JsonValue,
} from '../../../shared/json.ts';
import { createMediaReference, findReferencedMedia, type Media } from '../../../shared/media.ts';
import { describeMedia, readPlaceholder, writeContent } from '../../../shared/media-placeholder.ts';
import { type DecodedRequest, decodeRequest } from '../../../shared/operations/decode-request.ts';
import { listWritten } from '../../../shared/operations/field-table.ts';
import type { OperationDescription } from '../../../shared/operations/form/describe.ts';
import { replaceMedia } from '../../../shared/operations/form/media-places.ts';
import { FORMAT, getFormat } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { operations, requestSchemas } from '../../../shared/operations/operations.ts';
import {
  type SentInput,
  toFormRequest,
  writeBody,
} from '../../../shared/operations/write-request.ts';
import { getParamValues, getWireNames, mergeParams, type Param } from '../../../shared/param.ts';
import type { ParameterSettings } from '../../../shared/saved-items.ts';
import { getDraft } from '../form/parameters.ts';
import { readExtraBody } from '../form/validate-form.ts';

export type DescribedFields = Pick<OperationDescription, 'name' | 'fields' | 'draft'>;

interface FormState {
  values: ParameterSettings;
  model: string;
  /** The fields that the panel adds, such as `prompt`. */
  own: JsonObject;
}

/** Returns the form's current request, even if it can't be sent yet. */
export function collectInput(
  { fields, draft }: DescribedFields,
  { values, model, own }: FormState,
): SentInput {
  const { params } = getDraft(values, { draft });
  const known = new Set(fields.map(({ name }) => name));
  const set = Object.entries(getParamValues(params)).filter(([name]) => known.has(name));
  const extra = readExtraBody(values.extraBody);
  return {
    request: { ...Object.fromEntries(set), ...(model !== '' && { model }), ...own },
    extraBody: extra.ok ? extra.fields : {},
    wireNames: getWireNames(params),
  };
}

export function listRequestMediaIds(name: OperationName, { request }: SentInput): string[] {
  const ids = new Set<string>();
  replaceMedia(requestSchemas[name], request, (id) => {
    ids.add(id);
    return '';
  });
  return [...ids];
}

/** Shows files as placeholders, as recorded requests do; a form body keeps its file references. */
export function writeShownBody(
  name: OperationName,
  input: SentInput,
  media: ReadonlyMap<string, Media>,
): JsonObject {
  const operation = operations[name];
  if (toFormRequest(operation, input) !== null) return writeBody(operation, input);
  const request = replaceMedia(requestSchemas[name], input.request, (id, form) => {
    const item = media.get(id);
    return item === undefined
      ? createMediaReference(id)
      : writeContent(item, describeMedia(item), form);
  });
  return writeBody(operation, { ...input, request });
}

export interface BodyEdit {
  /** The body before and after the edit, as shown. */
  before: JsonObject;
  after: JsonObject;
  /** Returns the part of the request that the panel's own fields can represent. */
  hold: (request: JsonObject) => JsonObject;
  /** Names that never become extra body fields. */
  fixed?: ReadonlySet<string>;
}

export interface FormEdit {
  fields: FormFields<OperationName>;
  /** Null if the model doesn't change. */
  model: string | null;
  /** All fields that the panel adds; null if none changed. */
  own: JsonObject | null;
}

/** Applies only the edit's changes, so that fields missing from the body stay in the form. */
export function editForm(
  described: DescribedFields,
  state: FormState,
  { before, after, hold, fixed = noNames }: BodyEdit,
): FormEdit {
  const input = collectInput(described, state);
  const read = (body: JsonObject) => readShownBody(described.name, body, input, hold);
  const [old, next] = [read(before), read(after)];
  const changed = listChangedNames(old.request, next.request);
  const known = new Set(described.fields.map(({ name }) => name));
  const isOwn = (name: string) => !known.has(name) && name !== 'model' && name !== FORMAT;
  const params = changed
    .filter((name) => known.has(name))
    .map((name): [string, Param] => {
      const value = next.request[name];
      return [name, value === undefined ? { off: true } : { value }];
    });
  const renamed = listChangedNames(old.wireNames, next.wireNames).map((name): [string, Param] => [
    name,
    { as: next.wireNames[name] ?? '' },
  ]);
  const extraBody = mergeExtraBody(input.extraBody, old, next, {
    edited: listChangedNames(before, after),
    fixed,
  });
  return {
    fields: {
      params: mergeParams(Object.fromEntries(params), Object.fromEntries(renamed)),
      ...(!isSameJson(extraBody, input.extraBody) && { extraBody: writeExtraBody(extraBody) }),
    },
    model: changed.includes('model') ? getString(next.request.model) : null,
    own: changed.some(isOwn) ? pickChanged(state.own, next.request, changed.filter(isOwn)) : null,
  };
}

/** Reads a shown body, with references in place of descriptions. */
export function readShownBody(
  name: OperationName,
  body: JsonObject,
  current: SentInput,
  hold: (request: JsonObject) => JsonObject,
): DecodedRequest {
  const format = getString(current.request[FORMAT]);
  const restored = mapTexts(body, (text) => readPlaceholder(text)?.reference ?? text);
  const decoded = decodeRequest(name, isJsonObject(restored) ? restored : {}, {
    format,
    wireNames: current.wireNames,
    current: current.request,
    hold: (request) => hold(readReferences(request)),
  });
  return {
    ...decoded,
    request: readReferences(decoded.request),
    extraBody: markFiles(body, decoded.extraBody),
  };
}

const INLINE_REFERENCE = /^data:[^,]*;base64,(media:.*)$/;

/** Some formats write the type before a reference. */
function readReferences(request: JsonObject): JsonObject {
  const read = mapTexts(request, (text) => {
    const [, reference = ''] = INLINE_REFERENCE.exec(text) ?? [];
    return findReferencedMedia(reference) === null ? text : reference;
  });
  return isJsonObject(read) ? read : {};
}

/** Files in extra body fields are marked, because any text may look like a reference. */
function markFiles(body: JsonObject, extraBody: JsonObject): JsonObject {
  const marked = Object.keys(extraBody).map((name): [string, JsonValue] => [
    name,
    mapTexts(body[name] ?? extraBody[name] ?? null, (text) => {
      const found = readPlaceholder(text);
      return found === null ? text : { $file: found.reference, as: found.form };
    }),
  ]);
  return Object.fromEntries(marked);
}

/** Returns the same value if no text in it changes. */
function mapTexts(value: JsonValue, map: (text: string) => JsonValue): JsonValue {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, map));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, mapTexts(item, map)] as const);
  return entries.every(([name, item]) => item === value[name])
    ? value
    : Object.fromEntries(entries);
}

function listChangedNames(one: JsonObject, other: JsonObject): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !isSameJson(one[name], other[name]));
}

function pickChanged(own: JsonObject, next: JsonObject, changed: readonly string[]): JsonObject {
  const picked = { ...own };
  for (const name of changed) {
    const value = next[name];
    if (value === undefined) delete picked[name];
    else picked[name] = value;
  }
  return picked;
}

/** Drops the old extra value of each edited field, because it would override the form. */
function mergeExtraBody(
  current: JsonObject,
  old: DecodedRequest,
  next: DecodedRequest,
  { edited, fixed }: { edited: readonly string[]; fixed: ReadonlySet<string> },
): JsonObject {
  const merged = { ...current };
  for (const name of new Set([...edited, ...listChangedNames(old.extraBody, next.extraBody)])) {
    if (fixed.has(name)) continue;
    const value = next.extraBody[name];
    if (value === undefined) delete merged[name];
    else merged[name] = value;
  }
  return merged;
}

const noNames: ReadonlySet<string> = new Set();

function writeExtraBody(extraBody: JsonObject): string {
  return Object.keys(extraBody).length === 0 ? '' : JSON.stringify(extraBody, null, 2);
}

/** Returns the items of the body's list of messages that can't be edited; null if all can. */
export function findLockedItems(
  name: OperationName,
  input: SentInput,
  { from, count }: { from: number; count: number },
): { name: string; from: number; count: number } | null {
  const { messages, cache_control: _, ...request } = input.request;
  if (count === 0 || !Array.isArray(messages)) return null;
  const { fields = {} } = getFormat(name, request[FORMAT]);
  const [list = 'messages'] = listWritten(fields, 'messages');
  const write = (part: JsonValue[]) => {
    const sent = { ...input, request: { ...request, messages: part }, extraBody: {} };
    const items = writeBody(operations[name], sent)[list];
    return Array.isArray(items) ? items : [];
  };
  const all = write(messages);
  const start = write(messages.slice(0, from)).length;
  const sent = write(messages.slice(0, from + count));
  const changed = sent.findIndex((item, at) => !isSameJson(item, all[at]));
  const end = changed === -1 ? sent.length : changed;
  return end <= start ? null : { name: list, from: start, count: end - start };
}
