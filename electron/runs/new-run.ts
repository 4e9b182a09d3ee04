/** Creates the record of a run before it is sent. */
import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../shared/contract/runs.ts';
import type { JsonValue } from '../../shared/json.ts';
import { findReferencedMedia } from '../../shared/media.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { initialPhase } from '../../shared/run.ts';
import type { ResolvedConnection } from '../connections/custom-connections.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { CheckedInput } from '../operations/check-input.ts';
import { type Redactor, redactAll } from '../redaction/redactor.ts';
import type { StoredRun } from '../storage/ledger.ts';

export function buildRun(
  { operation, connectionId }: Pick<StartInput, 'operation' | 'connectionId'>,
  checked: CheckedInput,
  { connection, access, baseUrl }: ResolvedConnection,
  {
    createdAt,
    conversationId,
    comparisonId,
    cell,
    checkId,
    sourceRunId,
  }: Pick<
    StoredRun,
    'createdAt' | 'conversationId' | 'comparisonId' | 'cell' | 'checkId' | 'sourceRunId'
  >,
): StoredRun {
  return {
    id: randomUUID(),
    operation,
    connectionId,
    connectionName: connection.name,
    status: 'queued',
    createdAt,
    startedAt: null,
    finishedAt: null,
    httpStatus: null,
    error: null,
    timings: null,
    figures: null,
    conversationId,
    comparisonId,
    cell,
    checkId,
    cost: null,
    findings: [],
    sourceRunId,
    phase: initialPhase,
    media: [],
    ...redactInput(checked, redactAll(access.secrets)),
    baseUrl,
    seq: 0,
  };
}

/** Redacts the connection's secrets in the recorded input, but not in the sent input. */
function redactInput(
  { request, extraBody, wireNames, follow, model, preview }: CheckedInput,
  redactor: Redactor,
): CheckedInput {
  const clean = <Value>(value: Value): Value => {
    const text = JSON.stringify(value);
    const redacted = redactor.text(text);
    // Redaction only changes strings, so the type is preserved.
    return redacted === text ? value : (parseJson(redacted) as Value);
  };
  return {
    request: clean(request),
    extraBody: clean(extraBody),
    wireNames: clean(wireNames),
    follow: clean(follow),
    model: redactor.text(model),
    preview: redactor.text(preview),
  };
}

/** Returns the run that produced the last media item in the request or in its last chat message. */
export function findMediaRun(
  operation: OperationName,
  request: Readonly<Record<string, JsonValue>>,
  { getRunId }: Pick<MediaStore, 'getRunId'>,
): string | null {
  const { messages } = request;
  const added =
    operation === 'chat' && Array.isArray(messages) ? (messages.at(-1) ?? null) : request;
  let found: string | null = null;
  for (const text of walkTexts(added)) {
    const id = findReferencedMedia(text);
    if (id !== null) found = getRunId(id) ?? found;
  }
  return found;
}

function* walkTexts(value: JsonValue | Readonly<Record<string, JsonValue>>): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) yield* walkTexts(item);
  }
}
