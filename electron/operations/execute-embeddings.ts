/** Sends the inputs of an embeddings run in batches and keeps partial results. */
import { appError } from '../../shared/errors.ts';
import { getNumber } from '../../shared/exact-number.ts';
import type { JsonValue } from '../../shared/json.ts';
import { findReferencedMedia } from '../../shared/media.ts';
import { countInputs } from '../../shared/operations/embeddings/embeddings.ts';
import { DEFAULT_BATCH_SIZE } from '../../shared/operations/embeddings/request.ts';
import type { RunInput } from '../../shared/run.ts';
import { sendJson } from './execute-json.ts';
import type { FinishedExchange, RunContext } from './run-context.ts';
import type { RunResult } from './run-result.ts';
import { createVectorFile, type VectorFile } from './vector-file.ts';

type EmbeddingsContext = RunContext<'embeddings'>;

export async function executeEmbeddings(context: EmbeddingsContext): Promise<RunResult> {
  const { input } = context;
  const sent = input.extraBody.input ?? input.request.input;
  const file = createVectorFile(context, countInputs(sent));
  try {
    const { resume } = context.input.request;
    if (isResume(resume)) await file.copy(findReferencedMedia(resume.media) ?? '', resume.count);
    return await sendBatches(context, file, sent);
  } finally {
    await file.finish();
  }
}

async function sendBatches(
  context: EmbeddingsContext,
  file: VectorFile,
  inputs: JsonValue | undefined,
): Promise<RunResult> {
  const { input } = context;
  // Extra JSON is sent exactly as written, and a single input can't be divided.
  const isWhole = !Array.isArray(inputs) || countInputs(inputs) !== inputs.length;
  if (isWhole || input.extraBody.input !== undefined) {
    return sendBatch(context, file, input, countInputs(inputs));
  }
  const size = getNumber(input.request.batch_size) ?? DEFAULT_BATCH_SIZE;
  for (;;) {
    const batch = inputs.slice(file.rows, file.rows + size);
    const before = file.rows;
    const request = { ...input.request, input: batch };
    const done = await sendBatch(context, file, { ...input, request }, batch.length);
    if (done.status !== 'succeeded' || file.rows >= inputs.length) return done;
    // Stop: further requests would also be billed and return nothing.
    if (file.rows === before) return { ...done, status: 'failed', error: noVectors };
  }
}

async function sendBatch(
  context: EmbeddingsContext,
  file: VectorFile,
  input: RunInput,
  count: number,
): Promise<FinishedExchange> {
  const { encoding_format, embedding_type, output_dtype } = {
    ...input.request,
    ...input.extraBody,
  };
  const format = [encoding_format, embedding_type, output_dtype]
    .filter((word) => typeof word === 'string')
    .join(' ');
  return sendJson(context, input, { convert: file.store({ count, format }) });
}

function isResume(value: JsonValue | undefined): value is { media: string; count: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'media' in value &&
    'count' in value &&
    typeof value.media === 'string' &&
    typeof value.count === 'number'
  );
}

const noVectors = appError(
  'malformed-response',
  'The response has no usable vectors.',
  'Open the inspector to see the response.',
);
