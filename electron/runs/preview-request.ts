/** Builds the request of a run without sending or recording it. */
import type { StartInput } from '../../shared/contract/runs.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { getNumber } from '../../shared/exact-number.ts';
import { DEFAULT_BATCH_SIZE } from '../../shared/operations/embeddings/request.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { requestSchemas } from '../../shared/operations/operations.ts';
import type { SentRequest } from '../../shared/run.ts';
import type { ResolvedConnection } from '../connections/custom-connections.ts';
import { prepareRequest, resolveTarget } from '../gateway/wire-request.ts';
import { type CheckedInput, checkInput } from '../operations/check-input.ts';
import {
  type FileInfo,
  toFilesForm,
  toJsonRequest,
  toTranscriptionForm,
  type UploadContext,
} from '../operations/execute-json.ts';
import { toConsoleHttp } from '../operations/executors.ts';
import { showFileRefs, showFiles } from '../operations/inline-media.ts';
import { redactAll } from '../redaction/redactor.ts';
import { getOwnEndpoint, withEndpoint } from './create-run-context.ts';

export type PreviewInput = Pick<
  StartInput,
  'connectionId' | 'request' | 'extraBody' | 'wireNames'
> & {
  operation: OperationName;
};

/** Throws the same `UserFacingError` as a start with this input. */
export async function previewRequest(
  input: PreviewInput,
  media: FileInfo,
  resolve: (connectionId: string) => Promise<ResolvedConnection>,
): Promise<SentRequest> {
  const connection = withEndpoint(await resolve(input.connectionId), input);
  const endpoint = getOwnEndpoint(connection, input);
  const { request, isMeasured } = toRequest(input, { media, endpoint });
  const { path, ...http } = request;
  const { url, access } = resolveTarget(connection, path);
  const { prepared, problem } = prepareRequest({ ...http, url }, access, redactAll(access.secrets));
  if (problem !== null) throw new UserFacingError(problem);
  const { headers, ...sent } = prepared.shown;
  const isKnown = ([name]: [string, string]) => isMeasured || name !== 'content-length';
  return { ...sent, headers: headers.filter(isKnown) };
}

/** Sets `isMeasured` if the length is known; placeholders don't have the length of the files. */
function toRequest({ operation, ...input }: PreviewInput, context: UploadContext) {
  const { media, endpoint } = context;
  const checked: CheckedInput = checkInput(operation, input);
  if (operation === 'transcription') {
    return { request: toTranscriptionForm(checked, context), isMeasured: true };
  }
  if (operation === 'console') {
    return { request: toConsoleHttp(checked.request, media), isMeasured: true };
  }
  const extra = showFileRefs(checked.extraBody, media);
  const shownExtra = { ...checked, extraBody: extra ?? checked.extraBody };
  const form = toFilesForm(operation, shownExtra, context);
  if (form !== null) return { request: form, isMeasured: extra === null };
  const shown = showFiles(requestSchemas[operation], checked.request, media);
  const whole = { ...shownExtra, request: shown ?? checked.request };
  const isFirst = operation === 'embeddings';
  const request = toJsonRequest(operation, isFirst ? takeFirstBatch(whole) : whole, endpoint);
  const accepts = operation === 'speech' ? ('bytes' as const) : request.accepts;
  return { request: { ...request, accepts }, isMeasured: extra === null && shown === null };
}

function takeFirstBatch(input: CheckedInput): CheckedInput {
  const { input: inputs, batch_size: size } = input.request;
  if (!Array.isArray(inputs) || typeof inputs[0] === 'number') return input;
  const batch = inputs.slice(0, getNumber(size) ?? DEFAULT_BATCH_SIZE);
  return { ...input, request: { ...input.request, input: batch } };
}
