/** Writes a request under the API's field names: a JSON body, or the fields and files of a form. */
import type { FormatEndpoint } from '../connection-options.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { HeaderList, RunInput } from '../run.ts';
import { type BodyKind, encodeFields } from './field-table.ts';
import type { BodyFormat, FormFormat, Operation, RequestFormat } from './operation.ts';
import { renameFields } from './rename-fields.ts';

export type SentInput = Pick<RunInput, 'request' | 'extraBody' | 'wireNames'>;

export interface HttpForm {
  method: string;
  path: string;
  body: JsonObject;
  defaultHeaders?: HeaderList;
}

/** The parts of an operation that write its requests. */
export type Writer = Pick<Operation<never, never>, 'path' | 'needs' | 'local'> &
  BodyFormat & {
    method: string;
    formats?: readonly RequestFormat[];
  };

const MODEL = '{model}';

/** Converts the request to its format, and writes the model into the path if it belongs there. */
export function toHttp(writer: Writer, input: SentInput): HttpForm {
  const { method, path } = writer;
  const format = findFormat(writer, input);
  const body = mergeExtra(writeFields(writer, input, 'json'), input);
  if (format !== undefined) {
    const { headers, getPath } = format;
    return {
      method,
      path: getPath?.(input.request, format.path) ?? fillModel(format.path, input),
      body,
      ...(headers && { defaultHeaders: headers }),
    };
  }
  return { method, path: fillModel(path, input), body };
}

function fillModel(path: string, { request: { model } }: SentInput): string {
  // Gemini's model IDs start with `models/`, and the path already contains that prefix.
  const named = typeof model === 'string' ? model.replace(/^\/?(?:models\/)+/, '') : '';
  // Use a function, because `$&` has a special meaning in a replacement string.
  return path.replaceAll(MODEL, () => encodeURIComponent(named.toWellFormed()));
}

/** Returns the connection's own endpoint for the request; null if the usual one applies. */
export function findEndpoint(
  endpoints: readonly FormatEndpoint[],
  operation: string,
  { format = '' }: JsonObject,
): FormatEndpoint | null {
  return endpoints.find((own) => own.operation === operation && own.format === format) ?? null;
}

/** Replaces the path of the endpoint's format. */
export function moveTo(writer: Writer, endpoint: FormatEndpoint | null): Writer {
  const path = endpoint?.path ?? null;
  if (endpoint === null || path === null) return writer;
  if (endpoint.format === '') return { ...writer, path };
  const formats = writer.formats?.map((format) => {
    if (format.name !== endpoint.format) return format;
    const { form } = format;
    // Edits have another path, which stays.
    return { ...format, path, ...(form?.path === format.path && { form: { ...form, path } }) };
  });
  return { ...writer, ...(formats && { formats }) };
}

/** Returns the path of a task, in which `{id}` stands for its ID. */
export function getTaskPath(
  writer: Writer,
  endpoint: FormatEndpoint | null,
  input: SentInput,
): string {
  const moved = moveTo(writer, endpoint);
  return endpoint?.taskPath ?? `${findFormat(moved, input)?.path ?? moved.path}/{id}`;
}

/** Returns the multipart form that the request's format sends; null if it sends JSON. */
export function toFormRequest(writer: Writer, input: SentInput) {
  const form = findForm(writer, input);
  if (form === null) return null;
  const fields = writeFields(writer, input, 'form');
  const files = form.files.flatMap((name) => {
    const values = listValues(fields[name]).filter((value) => typeof value === 'string');
    delete fields[name];
    return values.map((reference) => ({ name, reference }));
  });
  const { method } = writer;
  return { method, path: form.path, fields: toFormFields(mergeExtra(fields, input)), files };
}

/** Returns the body as one object; the files of a form are references under their field names. */
export function writeBody(writer: Writer, input: SentInput): JsonObject {
  const kind = findForm(writer, input) === null ? 'json' : 'form';
  return mergeExtra(writeFields(writer, input, kind), input);
}

function findFormat({ formats }: Writer, { request }: SentInput): RequestFormat | undefined {
  return formats?.find(({ name }) => name === request.format);
}

function findForm(writer: Writer, input: SentInput): FormFormat | null {
  const { form } = findFormat(writer, input) ?? {};
  return form?.isUsed(input.request, input.wireNames) === true ? form : null;
}

/** Omits fields that depend on a disabled field, and those of Gatehouse. */
function writeFields(writer: Writer, input: SentInput, kind: BodyKind): JsonObject {
  const { needs = {}, local } = writer;
  const { extraBody, wireNames } = input;
  const { format: _, ...request } = input.request;
  for (const [field, needed] of Object.entries(needs)) {
    if ((extraBody[needed] ?? request[needed]) !== true) delete request[field];
  }
  for (const field of local ?? []) delete request[field];
  const { fields } = findFormat(writer, input) ?? writer;
  if (fields === undefined) return renameFields(request, wireNames);
  return encodeFields(fields, { request, wireNames, kind });
}

/** The fields that readers look for first; gateways accept any order. */
const FIRST_FIELDS = ['model', 'messages', 'prompt', 'input', 'query', 'documents'];

/** Merges the extra fields last. */
function mergeExtra(fields: JsonObject, { extraBody }: SentInput): JsonObject {
  const body = { ...fields, ...extraBody };
  const first = FIRST_FIELDS.filter((name) => Object.hasOwn(body, name));
  return { ...Object.fromEntries(first.map((name) => [name, body[name] ?? null])), ...body };
}

/**
 * Appends brackets to the names of fields with multiple values, unless `wireNames` overrides this.
 */
export function addListBrackets(
  { request, wireNames }: SentInput,
  renamable: Operation<never, never>['renamable'],
): SentInput['wireNames'] {
  const lists = Object.entries(request).flatMap(([name, value]) => {
    const isSeveral = Array.isArray(value) && value.length > 1;
    return isSeveral && renamable[name]?.includes(`${name}[]`) ? [[name, `${name}[]`]] : [];
  });
  return { ...Object.fromEntries(lists), ...wireNames };
}

export function toFormFields(body: JsonObject): [name: string, value: string][] {
  return Object.entries(body).flatMap(([name, value]) =>
    listValues(value).flatMap((item): [string, string][] =>
      item === null ? [] : [[name, toText(item)]],
    ),
  );
}

function listValues(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
