/** Plans the comparisons of a probe, and judges their runs. */
import { createHash } from 'node:crypto';
import type {
  AskedRow,
  ChatFormat,
  ProbeBody,
  ProbeInput,
  RowVerdict,
} from '../../shared/checks/check.ts';
import { type Answers, judgeRow, type ProbeAnswer } from '../../shared/checks/probe/judge-row.ts';
import {
  listProbeRequests,
  listProbeRows,
  probeRows,
  type SharedRequest,
} from '../../shared/checks/probe/rows.ts';
import type { Cell, ComparedVariant } from '../../shared/comparison.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { createMediaReference } from '../../shared/media.ts';
import { readNpy } from '../../shared/operations/embeddings/npy.ts';
import { listFormats } from '../../shared/operations/formats.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { isRunOf, type RunView } from '../../shared/run-view.ts';
import {
  type CheckComparison,
  nameProbeVariant,
  type PlannedCheck,
  type ProbedComparison,
  type ProbeReader,
  parseProbeVariant,
} from './planned-check.ts';

interface Part {
  operation: OperationName;
  format: ChatFormat;
  rows: ReturnType<typeof listProbeRows>;
  requests: SharedRequest[];
}

/** Each chat format gets a separate comparison, because it sends only some of the fields. */
function listParts(
  { operations, formats }: Pick<ProbeInput, 'operations' | 'formats'>,
  includesExpensive: boolean,
  recording: string,
): Part[] {
  return operations.flatMap((operation) =>
    (operation === 'chat' ? formats : ([''] as const)).flatMap((format) => {
      const rows = listProbeRows(operation, format, includesExpensive);
      const requests = listProbeRequests(rows, { format, recording });
      return rows.length === 0 ? [] : [{ operation, format, rows, requests }];
    }),
  );
}

/**
 * Returns what a probe asks: a comparison for each operation and chat format, with a row for each
 * request and a variant for each model. `recordingId` is the media item that transcription sends;
 * without one, transcription isn't asked. Throws `invalid-request` for an operation without rows.
 */
export function planProbe(input: ProbeInput, recordingId: string | null): PlannedCheck {
  const operations = input.operations.filter(
    (operation) => operation !== 'transcription' || recordingId !== null,
  );
  const recording = recordingId === null ? '' : createMediaReference(recordingId);
  const parts = listParts({ ...input, operations }, input.includesExpensive, recording);
  const unasked = input.operations.find((name) => listProbeRows(name, '', true).length === 0);
  if (unasked !== undefined || parts.length === 0) {
    throw new UserFacingError(createNothingError(unasked ?? input.operations.join(', ')));
  }
  return {
    asked: listAsked(parts, input.models),
    comparisons: parts.map((part) => planPart(part, input)),
  };
}

function createNothingError(what: string) {
  return appError(
    'invalid-request',
    `Nothing was sent. A probe asks nothing about ${what}.`,
    'Choose another operation, or include expensive requests.',
    { fields: [] },
  );
}

/**
 * Adds up the formats of a row, and lists the rows in the same order whatever was asked. A shared
 * request counts for the first row that needs it.
 */
function listAsked(parts: readonly Part[], models: readonly string[]): AskedRow[] {
  const asked = new Map<string, AskedRow>();
  for (const { operation, rows, requests } of parts) {
    for (const { id, group, label } of rows) {
      const own = requests.filter(({ uses }) => uses[0]?.rowId === id).length;
      const before = asked.get(id)?.requests ?? 0;
      asked.set(id, { id, group, label, requests: before + own * countModels(operation, models) });
    }
  }
  return probeRows.flatMap(({ id }) => asked.get(id) ?? []);
}

/** The model list is the same for all models. */
function countModels(operation: OperationName, models: readonly string[]): number {
  return operation === 'console' ? 1 : models.length;
}

function getTitle({ operation, format }: Pick<Part, 'operation' | 'format'>): string {
  return listFormats(operation).find(({ name }) => name === format)?.title ?? operation;
}

function planPart(part: Part, { connectionId, models }: ProbeInput): CheckComparison {
  const { operation, format, requests } = part;
  const shared = { connectionId, extraBody: {}, wireNames: {}, differences: [] };
  const variants = models
    .slice(0, countModels(operation, models))
    .map((model, at): ComparedVariant => {
      const request = operation === 'console' ? {} : { model };
      return { ...shared, id: nameProbeVariant(format, at), name: model.slice(0, 80), request };
    });
  return {
    operation,
    title: `Probe: ${getTitle(part)}`,
    variants,
    rows: requests.map(({ id, request, extraBody }) => ({
      id,
      label: id,
      request: format === '' ? request : { ...request, format },
      sourceRunId: null,
      variants:
        Object.keys(extraBody).length === 0
          ? []
          : variants.map((variant) => ({ ...variant, extraBody })),
    })),
  };
}

/**
 * Judges every row whose comparison is given, for every model and format. A request without a
 * finished run leaves its rows at “can't tell”. Never throws for what a gateway sent.
 */
export async function judgeProbe(
  { models, formats, operations }: Pick<ProbeBody, 'models' | 'formats' | 'operations'>,
  comparisons: readonly ProbedComparison[],
  reader: ProbeReader,
  now: () => number,
): Promise<RowVerdict[]> {
  const verdicts: RowVerdict[] = [];
  for (const part of listParts({ formats, operations }, true, '')) {
    const probed = comparisons.find(({ comparison: { operation, variants } }) => {
      const [variant] = variants;
      return (
        operation === part.operation &&
        variant !== undefined &&
        parseProbeVariant(variant.id).format === part.format
      );
    });
    if (probed === undefined) continue;
    for (const [at, model] of models.entries()) {
      const isShared = countModels(part.operation, models) === 1;
      const variantId = nameProbeVariant(part.format, isShared ? 0 : at);
      const places = new Map(
        probed.cells
          .filter((cell) => cell.variantId === variantId)
          .map((cell) => [cell.rowId, cell]),
      );
      const asked = await readAnswers(part, places, reader);
      for (const row of part.rows) {
        const names = part.requests.flatMap(({ id, uses }) =>
          uses.flatMap(({ rowId, name }) => (rowId === row.id ? [{ id, name }] : [])),
        );
        // A row that wasn't asked, such as an expensive one, has no verdict.
        if (names.some(({ id }) => !places.has(id))) continue;
        const answers: Answers = Object.fromEntries(
          names.map(({ id, name }) => {
            const answer = asked.get(id) ?? unanswered;
            return [name, isShared ? { ...answer, request: { ...answer.request, model } } : answer];
          }),
        );
        const { evidence, ...judgment } = judgeRow(row, answers);
        const name = evidence && names.find((each) => each.name === evidence.request);
        const cell = name ? places.get(name.id) : undefined;
        verdicts.push({
          model,
          format: part.format,
          rowId: row.id,
          verdict: judgment.verdict,
          sentence: judgment.sentence,
          chance: judgment.chance,
          evidence:
            evidence && cell
              ? {
                  runId: cell.run?.id ?? null,
                  place: { comparisonId: probed.comparison.id, place: cell.place },
                  field: evidence.field,
                }
              : null,
          atMs: cell?.run?.finishedAt ?? now(),
        });
      }
    }
  }
  return verdicts;
}

const unanswered: ProbeAnswer = { request: {}, runId: null, view: null };

async function readAnswers(
  { requests }: Part,
  places: ReadonlyMap<string, Pick<Cell, 'run'>>,
  reader: ProbeReader,
): Promise<Map<string, ProbeAnswer>> {
  const answers = new Map<string, ProbeAnswer>();
  for (const { id } of requests) {
    const runId = places.get(id)?.run?.id ?? null;
    const recorded = runId === null ? null : await reader.readRun(runId);
    if (recorded === null) continue;
    const { view, request, extraBody } = recorded;
    const file = await readFile(view, reader);
    answers.set(id, { request: { ...request, ...extraBody }, runId, view, ...file });
  }
  return answers;
}

/** Reads the file that a rule needs: the vectors of a few inputs, or a sentence of speech. */
async function readFile(
  view: RunView,
  { readBytes }: ProbeReader,
): Promise<Pick<ProbeAnswer, 'vectors' | 'fileHash'>> {
  const [file] = view.media;
  const isNeeded = isRunOf(view, 'embeddings') || isRunOf(view, 'speech');
  if (!isNeeded || file === undefined || view.status !== 'succeeded') return {};
  const bytes = await readBytes(file.id).catch(() => null);
  if (bytes === null) return {};
  if (isRunOf(view, 'speech')) {
    return { fileHash: createHash('sha256').update(bytes).digest('hex') };
  }
  const npy = readNpy(Uint8Array.from(bytes).buffer);
  if (npy === null) return {};
  const { values, dimensions } = npy;
  return {
    vectors: Array.from({ length: values.length / dimensions }, (_, row) =>
      Array.from(values.subarray(row * dimensions, (row + 1) * dimensions)),
    ),
  };
}
