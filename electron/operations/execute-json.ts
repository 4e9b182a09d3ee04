import type { FormatEndpoint } from '../../shared/connection-options.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { operations, requestSchemas } from '../../shared/operations/operations.ts';
import {
  addListBrackets,
  moveTo,
  type SentInput,
  toFormFields,
  toFormRequest,
  toHttp,
  writeBody,
} from '../../shared/operations/write-request.ts';
import type { HeaderList } from '../../shared/run.ts';
import type { MediaStore } from '../media/media-store.ts';
import { createFormFile } from './form-file.ts';
import { type Harvest, harvestMedia } from './harvest-media.ts';
import { inlineFileRefs, inlineMedia } from './inline-media.ts';
import type { FinishedExchange, OutgoingRequest, RunContext } from './run-context.ts';

export async function executeJson(
  context: RunContext,
  harvest: Harvest = harvestMedia,
): Promise<FinishedExchange> {
  return sendJson(context, context.input, { harvest });
}

/** Sends one of the run's requests, with files in place of media references. */
export async function sendJson(
  context: RunContext,
  input: SentInput,
  reading: Pick<OutgoingRequest, 'harvest' | 'convert'>,
): Promise<FinishedExchange> {
  const name = context.view().operation;
  const endpoint = context.getEndpoint();
  const operation = moveTo(operations[name], endpoint);
  const extra = await inlineFileRefs(input.extraBody, context.media);
  const written = { ...input, extraBody: extra.sent };
  const form = toFilesForm(name, written, { media: context.media, endpoint });
  if (form !== null) {
    const shown = extra.shown && toFormRequest(operation, { ...input, extraBody: extra.shown });
    const { body } = form;
    const shownFields = shown?.fields ?? body.fields;
    return context.send({ ...form, body: { ...body, shownFields }, ...reading });
  }
  const { sent, shown } = await inlineMedia(requestSchemas[name], input.request, context.media);
  const isFilled = shown !== null || extra.shown !== null;
  const shownInput = { ...input, request: shown ?? sent, extraBody: extra.shown ?? extra.sent };
  const shownBody = isFilled ? toHttp(operation, shownInput).body : null;
  return context.send({
    ...toJsonRequest(name, { ...written, request: sent }, endpoint),
    ...(shownBody === null ? {} : { shownBody: toJsonText(shownBody) }),
    ...reading,
  });
}

export type FileInfo = Pick<MediaStore, 'get' | 'path' | 'isOutput'>;

export interface UploadContext {
  media: FileInfo;
  endpoint: FormatEndpoint | null;
}

/** Returns the multipart form if the input's format sends one; null if it sends JSON. */
export function toFilesForm(
  name: OperationName,
  input: SentInput,
  { media, endpoint }: UploadContext,
) {
  const form = toFormRequest(moveTo(operations[name], endpoint), input);
  if (form === null) return null;
  const { method, path, fields } = form;
  const files = form.files.map(({ name: field, reference }) =>
    createFormFile(media, reference, { name: field }),
  );
  return {
    method,
    path,
    headers: noHeaders,
    body: { fields, files },
    accepts: getAccepts(operations[name]),
  };
}

const noHeaders: HeaderList = [];

export function toJsonRequest(
  name: OperationName,
  input: SentInput,
  endpoint: FormatEndpoint | null,
) {
  const { method, path, body, defaultHeaders } = toHttp(moveTo(operations[name], endpoint), input);
  return {
    method,
    path,
    ...(defaultHeaders === undefined ? {} : { defaultHeaders }),
    headers: [['Content-Type', 'application/json']] satisfies HeaderList,
    body: toJsonText(body),
    accepts: getAccepts(operations[name]),
  };
}

function getAccepts({ readsLists }: Pick<Operation<never, never>, 'readsLists'>) {
  return readsLists ? ('json-list' as const) : ('json' as const);
}

/** `JSON.stringify` escapes lone surrogates, which strict parsers reject. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** Replaces lone surrogates in string values and field names with U+FFFD. */
export function toJsonText(body: JsonObject): string {
  const text = JSON.stringify(body);
  return text.includes('\\ud') ? text.replace(LONE_SURROGATE, '$1\ufffd') : text;
}

/** Returns the form of a transcription, whose lists may have brackets in their names. */
export function toTranscriptionForm(input: SentInput, { media, endpoint }: UploadContext) {
  const { file, ...request } = input.request;
  const { renamable } = operations.transcription;
  const { method, path } = moveTo(operations.transcription, endpoint);
  const sent = { ...input, request };
  return {
    method,
    path,
    headers: noHeaders,
    body: {
      fields: toFormFields(
        writeBody(operations.transcription, {
          ...sent,
          wireNames: addListBrackets(sent, renamable),
        }),
      ),
      files: [createFormFile(media, typeof file === 'string' ? file : '', { name: 'file' })],
    },
    accepts: 'text' as const,
  };
}
