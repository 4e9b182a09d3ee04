/** Converts a run's input to a JSON request or form fields, using the API's field names. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Operation, RequestFormat } from '../../shared/operations/operation.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { operations, requestSchemas } from '../../shared/operations/operations.ts';
import { renameFields } from '../../shared/operations/rename-fields.ts';
import type { HeaderList, RunInput } from '../../shared/run.ts';
import type { FinishedExchange, OutgoingRequest, RunContext } from '../runs/run-context.ts';
import { createFormFile } from './form-file.ts';
import { type Harvest, harvestMedia } from './harvest-media.ts';
import { inlineMarkedFiles, inlineMedia } from './inline-media.ts';

const none: ReadonlySet<string> = new Set();

type SentInput = Pick<RunInput, 'request' | 'extraBody' | 'wireNames'>;

export async function executeJson(
  context: RunContext,
  harvest: Harvest = harvestMedia,
): Promise<FinishedExchange> {
  return sendJson(context, context.input, { harvest });
}

/** Sends one of the run's requests, whose media references are replaced with the files. */
export async function sendJson(
  context: RunContext,
  input: SentInput,
  reading: Pick<OutgoingRequest, 'harvest' | 'convert'>,
): Promise<FinishedExchange> {
  const name = context.view().operation;
  const operation = operations[name];
  const extra = await inlineMarkedFiles(input.extraBody, context.media);
  const form = toFormRequest(operation, { ...input, extraBody: extra.sent });
  if (form !== null) {
    const { method, path, fields, files } = form;
    const shown = extra.shown && toFormRequest(operation, { ...input, extraBody: extra.shown });
    const body = {
      fields,
      shownFields: shown?.fields ?? fields,
      files: files.map(({ name: field, reference }) =>
        createFormFile(context.media, reference, { name: field }),
      ),
    };
    return context.send({
      method,
      path,
      headers: [],
      body,
      accepts: getAccepts(operation),
      ...reading,
    });
  }
  const { sent, shown } = await inlineMedia(requestSchemas[name], input.request, context.media);
  const isFilled = shown !== null || extra.shown !== null;
  const shownInput = { ...input, request: shown ?? sent, extraBody: extra.shown ?? extra.sent };
  const shownBody = isFilled ? toHttp(operation, shownInput).body : null;
  return context.send({
    ...toJsonRequest(name, { ...input, request: sent, extraBody: extra.sent }),
    ...(shownBody === null ? {} : { shownBody: toJsonText(shownBody) }),
    ...reading,
  });
}

/** Returns the HTTP request of an operation that sends JSON. */
export function toJsonRequest(name: OperationName, input: SentInput) {
  const operation = operations[name];
  const { method, path, body, defaultHeaders } = toHttp(operation, input);
  return {
    method,
    path,
    ...(defaultHeaders === undefined ? {} : { defaultHeaders }),
    headers: [['Content-Type', 'application/json']] satisfies HeaderList,
    body: toJsonText(body),
    accepts: getAccepts(operation),
  };
}

function getAccepts({ readsLists }: Pick<Operation<never, never>, 'readsLists'>) {
  return readsLists ? ('json-list' as const) : ('json' as const);
}

/** Returns the multipart form that the request's format sends; null if it sends JSON. */
export function toFormRequest(
  { method, formats = [], needs, local = none }: FormatChoice,
  { request, ...rest }: SentInput,
) {
  const { format: name, ...sent } = request;
  for (const field of local) delete sent[field];
  const { toForm } = formats.find((known) => known.name === name) ?? {};
  const form = toForm?.(sent, rest.wireNames) ?? null;
  if (form === null) return null;
  return { ...form, method, fields: toFormFields({ ...rest, request: form.fields }, needs) };
}

/** `JSON.stringify` escapes lone surrogates, which strict parsers reject. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** Replaces lone surrogates in string values and field names with U+FFFD. */
export function toJsonText(body: JsonObject): string {
  const text = JSON.stringify(body);
  return text.includes('\\ud') ? text.replace(LONE_SURROGATE, '$1\ufffd') : text;
}

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
