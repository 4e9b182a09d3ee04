/** Builds the request of a run without sending or recording it. */
import type { StartInput } from '../../shared/contract/runs.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { requestSchemas } from '../../shared/operations/operations.ts';
import type { SentRequest } from '../../shared/run.ts';
import type { ResolvedConnection } from '../connections/custom-connections.ts';
import { redactAll } from '../gateway/redactor.ts';
import { prepareRequest, resolveTarget } from '../gateway/wire-request.ts';
import type { MediaStore } from '../media/media-store.ts';
import { type CheckedInput, checkInput } from '../operations/check-input.ts';
import { toJsonRequest } from '../operations/execute-json.ts';
import { describeFiles } from '../operations/inline-media.ts';

/** Only operations that send JSON as `executeJson` does. */
export type PreviewInput = StartInput & { operation: 'chat' };

/** Throws the same `UserFacingError` as a start with this input. */
export async function previewRequest(
  input: PreviewInput,
  media: Pick<MediaStore, 'get' | 'isOutput'>,
  resolve: (connectionId: string) => Promise<ResolvedConnection>,
): Promise<SentRequest> {
  const { operation } = input;
  const checked: CheckedInput = checkInput(operation, input);
  const shown = describeFiles(requestSchemas[operation], checked.request, media);
  const { path, ...http } = toJsonRequest(operation, {
    ...checked,
    request: shown ?? checked.request,
  });
  const { url, access } = resolveTarget(await resolve(input.connectionId), path);
  const { prepared, problem } = prepareRequest({ ...http, url }, access, redactAll(access.secrets));
  if (problem !== null) throw new UserFacingError(problem);
  const { headers, ...sent } = prepared.shown;
  // The length of the placeholders isn't the length of the files.
  const isMeasured = ([name]: [string, string]) => shown === null || name !== 'content-length';
  return { ...sent, headers: headers.filter(isMeasured) };
}
