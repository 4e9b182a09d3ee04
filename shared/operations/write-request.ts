/** Writes a request under the API's field names: a JSON body, or the fields and files of a form. */
import type { JsonObject, JsonValue } from '../json.ts';
import type { HeaderList, RunInput } from '../run.ts';
import type { FormRequest, Operation, RequestFormat } from './operation.ts';
import { renameFields } from './rename-fields.ts';

const none: ReadonlySet<string> = new Set();

export type SentInput = Pick<RunInput, 'request' | 'extraBody' | 'wireNames'>;

export interface HttpForm {
  method: string;
  path: string;
  body: JsonObject;
  defaultHeaders?: HeaderList;
}

type FormatChoice = Pick<
  Operation<never, never>,
  'path' | 'needs' | 'local' | 'spell' | 'defaultFormat'
> & {
  method: string;
  formats?: readonly RequestFormat[];
};

const MODEL = '{model}';

/** Converts the request to its format, and omits the model from the body if the path has it. */
export function toHttp(
  {
    method,
    path,
    formats = [],
    defaultFormat,
    needs = {},
    local = none,
    spell = renameFields,
  }: FormatChoice,
  { request, ...rest }: SentInput,
): HttpForm {
  const { format: name, ...sent } = request;
  for (const field of local) delete sent[field];
  const format = formats.find((known) => known.name === name);
  const toForm = (fields: JsonObject) =>
    toBody({ ...rest, request: fields }, needs, (body, wireNames) =>
      spell(body, wireNames, format?.name ?? null),
    );
  if (format !== undefined) {
    const { headers, getPath } = format;
    const body = toForm(format.encode(sent));
    return {
      method,
      path: getPath?.(sent) ?? format.path,
      body,
      ...(headers && { defaultHeaders: headers }),
    };
  }
  for (const field of defaultFormat?.unsent ?? []) delete sent[field];
  if (!path.includes(MODEL)) return { method, path, body: toForm(sent) };
  const { model, ...fields } = sent;
  // Gemini's model IDs start with `models/`, and the path already contains that prefix.
  const named = typeof model === 'string' ? model.replace(/^\/?(?:models\/)+/, '') : '';
  return {
    method,
    // Use a function, because `$&` has a special meaning in a replacement string.
    path: path.replace(MODEL, () => encodeURIComponent(named.toWellFormed())),
    body: toForm(fields),
  };
}

/**
 * Appends brackets to the names of fields with multiple values, unless `wireNames` overrides this.
 */
export function spellLists(
  { request, wireNames }: SentInput,
  renamable: Operation<never, never>['renamable'],
): SentInput['wireNames'] {
  const lists = Object.entries(request).flatMap(([name, value]) => {
    const isSeveral = Array.isArray(value) && value.length > 1;
    return isSeveral && renamable[name]?.includes(`${name}[]`) ? [[name, `${name}[]`]] : [];
  });
  return { ...Object.fromEntries(lists), ...wireNames };
}

export function toFormFields(
  input: SentInput,
  needs: Operation<never, never>['needs'] = {},
): [name: string, value: string][] {
  return Object.entries(toBody(input, needs)).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((item): [string, string][] =>
      item === null ? [] : [[name, toText(item)]],
    );
  });
}

/** The fields that readers look for first; gateways accept any order. */
const FIRST_FIELDS = ['model', 'messages', 'prompt', 'input', 'query', 'documents'];

/** Merges the extra fields last, and omits fields that depend on a disabled field. */
function toBody(
  { request, extraBody, wireNames }: SentInput,
  needs: Readonly<Record<string, string>> = {},
  spell: typeof renameFields = renameFields,
): JsonObject {
  const sent = { ...request };
  for (const [field, needed] of Object.entries(needs)) {
    if ((extraBody[needed] ?? request[needed]) !== true) delete sent[field];
  }
  const body = { ...spell(sent, wireNames), ...extraBody };
  const first = FIRST_FIELDS.filter((name) => Object.hasOwn(body, name));
  return { ...Object.fromEntries(first.map((name) => [name, body[name] ?? null])), ...body };
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the multipart form that the request's format sends; null if it sends JSON. */
export function toFormRequest(operation: FormatChoice, { request, ...rest }: SentInput) {
  const form = findForm(operation, { request, ...rest });
  if (form === null) return null;
  const { method, needs } = operation;
  return { ...form, method, fields: toFormFields({ ...rest, request: form.fields }, needs) };
}

function findForm(
  { formats = [], local = none }: FormatChoice,
  { request, wireNames }: SentInput,
): FormRequest | null {
  const { format: name, ...sent } = request;
  for (const field of local) delete sent[field];
  const { toForm } = formats.find((known) => known.name === name) ?? {};
  return toForm?.(sent, wireNames) ?? null;
}

/** Returns the body as one object; the files of a form are references under their field names. */
export function writeBody(operation: FormatChoice, input: SentInput): JsonObject {
  const form = findForm(operation, input);
  if (form === null) return toHttp(operation, input).body;
  const files = Map.groupBy(form.files, ({ name }) => name);
  const named = [...files].map(([name, list]): [string, JsonValue] => {
    const references = list.map(({ reference }) => reference);
    return [name, references.length === 1 ? (references[0] ?? null) : references];
  });
  return {
    ...toBody({ ...input, request: form.fields, extraBody: {} }, operation.needs),
    ...Object.fromEntries(named),
    ...input.extraBody,
  };
}
