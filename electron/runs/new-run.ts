/** A run before anything is sent, as the ledger records it. */
import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../shared/contract/runs.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { initialPhase } from '../../shared/run.ts';
import type { ResolvedConnection } from '../connections/connections.ts';
import { createRedactor } from '../gateway/redactor.ts';
import type { CheckedInput } from '../operations/check-input.ts';
import type { StoredRun } from '../storage/ledger.ts';

/** `createdAt`: Unix milliseconds. */
export function newRun(
  { operation, connectionId }: Pick<StartInput, 'operation' | 'connectionId'>,
  checked: CheckedInput,
  { connection, key, baseUrl }: ResolvedConnection,
  {
    createdAt,
    conversationId,
    comparisonId,
    cell,
    sourceRunId,
  }: Pick<StoredRun, 'createdAt' | 'conversationId' | 'comparisonId' | 'cell' | 'sourceRunId'>,
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
    cost: null,
    sourceRunId,
    phase: initialPhase,
    media: [],
    ...withoutKey(checked, key),
    baseUrl,
    seq: 0,
  };
}

/**
 * All of the input but the connection's key, wherever the user wrote it. What is sent stays as it was
 * written; a header or a prompt with the key must not outlive main.
 */
function withoutKey(
  { request, extraBody, wireNames, follow, model, preview }: CheckedInput,
  key: string | null,
): CheckedInput {
  const redactor = createRedactor(key);
  const clean = <Value>(value: Value): Value => {
    const text = JSON.stringify(value);
    const redacted = redactor.text(text);
    // What is redacted is texts, so the value has its type as before.
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
