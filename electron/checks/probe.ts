/** Plans the comparisons of a probe, and judges their runs. */
import type {
  AskedRow,
  ChatFormat,
  ProbeBody,
  ProbeInput,
  RowVerdict,
} from '../../shared/checks/check.ts';
import { judgeRow, type ProbeAnswer } from '../../shared/checks/probe/judge-row.ts';
import { listProbeRequests, listProbeRows, probeRows } from '../../shared/checks/probe/rows.ts';
import type { Comparison } from '../../shared/comparison.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { createMediaReference } from '../../shared/media.ts';
import { listFormats } from '../../shared/operations/formats.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { RunSummary } from '../../shared/run.ts';
import type { CheckComparison, PlannedCheck } from './estimate-check.ts';

type Part = ReturnType<typeof listParts>[number];

/** Each chat format gets a separate comparison, because it sends only some of the fields. */
function listParts({ operations, formats }: Pick<ProbeInput, 'operations' | 'formats'>) {
  return operations.flatMap((operation) =>
    (operation === 'chat' ? formats : ([''] as const)).flatMap((format) => {
      const rows = listProbeRows(operation, format);
      const requests = listProbeRequests(rows, format);
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
  const parts = listParts({ ...input, operations });
  const unasked = input.operations.find((name) => listProbeRows(name, '').length === 0);
  if (unasked !== undefined || parts.length === 0) {
    throw new UserFacingError(createNothingError(unasked ?? input.operations.join(', ')));
  }
  return {
    asked: listAsked(parts, input.models),
    comparisons: parts.map((part) => planPart(part, input, recordingId)),
  };
}

function createNothingError(what: string) {
  return appError(
    'invalid-request',
    `Nothing was sent. A probe asks nothing about ${what}.`,
    'Choose another operation.',
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

function planPart(
  { operation, format, requests }: Part,
  { connectionId, models }: ProbeInput,
  recordingId: string | null,
): CheckComparison {
  const title = listFormats(operation).find(({ name }) => name === format)?.title ?? operation;
  const variants = models.slice(0, countModels(operation, models)).map((model, at) => ({
    id: `${format}/${at}`,
    name: model.slice(0, 80),
    connectionId,
    request: operation === 'console' ? {} : { model },
    extraBody: {},
    wireNames: {},
    differences: [],
  }));
  const shared = {
    ...(operation === 'transcription' && { file: createMediaReference(recordingId ?? '') }),
    ...(format !== '' && { format }),
  };
  const rows = requests.map(({ id, request, extraBody }) => {
    const isExtended = Object.keys(extraBody).length > 0;
    return {
      id,
      label: id,
      request: { ...request, ...shared },
      sourceRunId: null,
      variants: isExtended ? variants.map((variant) => ({ ...variant, extraBody })) : [],
    };
  });
  return { operation, title: `Probe: ${title}`, variants, rows };
}

type ProbedComparison = Pick<Comparison, 'id' | 'operation' | 'variants' | 'rows'>;

function isOf({ operation, format }: Part, comparison: ProbedComparison): boolean {
  if (comparison.operation !== operation) return false;
  return operation !== 'chat' || (comparison.rows[0]?.request.format ?? '') === format;
}

/** How Messages and Responses name the fields of a chat completion. */
const OTHER_NAMES: Readonly<Record<string, Record<Exclude<ChatFormat, ''>, string>>> = {
  'choices[0].delta': { messages: 'delta', responses: 'delta' },
  'choices[0].finish_reason': { messages: 'stop_reason', responses: 'status' },
  'choices[0].logprobs': { messages: 'content', responses: 'output[0].content[0].logprobs' },
  'choices[0].message.content': { messages: 'content', responses: 'output' },
  'choices[0].message.reasoning': { messages: 'content', responses: 'output' },
  'choices[0].message.tool_calls': { messages: 'content', responses: 'output' },
  'usage.completion_tokens': { messages: 'usage.output_tokens', responses: 'usage.output_tokens' },
  'usage.prompt_tokens': { messages: 'usage.input_tokens', responses: 'usage.input_tokens' },
};

function nameField(field: string, format: ChatFormat): string {
  return format === '' ? field : (OTHER_NAMES[field]?.[format] ?? field);
}

interface ProbedRuns {
  /** Returns the finished run of a place. */
  findRun(comparisonId: string, place: number): RunSummary | undefined;
  /** Returns true if the row was judged by these runs before. */
  isJudged(row: string, runIds: string): boolean;
  /** Returns null if the run was deleted, which leaves its rows at “can't tell”. */
  readAnswer(runId: string): Promise<ProbeAnswer | null>;
  now(): number;
}

/**
 * Judges each row whose requests all have a run, for every model and format. Reads the answers of
 * one row at a time, because they may be long. Never throws for what a gateway sent.
 */
export async function judgeProbe(
  { models, formats, operations }: Pick<ProbeBody, 'models' | 'formats' | 'operations'>,
  comparisons: readonly ProbedComparison[],
  { findRun, isJudged, readAnswer, now }: ProbedRuns,
): Promise<RowVerdict[]> {
  const verdicts: RowVerdict[] = [];
  for (const part of listParts({ formats, operations })) {
    const { format, operation, requests } = part;
    const comparison = comparisons.find((each) => isOf(part, each));
    if (comparison === undefined) continue;
    const { id: comparisonId, rows, variants } = comparison;
    const isShared = countModels(operation, models) === 1;
    for (const [at, model] of models.entries()) {
      const cells = new Map<string, { place: number; run: RunSummary }>();
      for (const [row, { id }] of rows.entries()) {
        const place = row * variants.length + (isShared ? 0 : at);
        const run = findRun(comparisonId, place);
        if (run !== undefined) cells.set(id, { place, run });
      }
      for (const row of part.rows) {
        const names = requests.flatMap(({ id, uses }) =>
          uses.flatMap(({ rowId, name }) =>
            rowId === row.id ? [{ name, cell: cells.get(id) }] : [],
          ),
        );
        const own = new Map(names.flatMap(({ name, cell }) => (cell ? [[name, cell]] : [])));
        if (own.size < names.length) continue;
        const runIds = [...own.values()].map(({ run }) => run.id).join(' ');
        if (isJudged(`${row.id} ${format}/${at}`, runIds)) continue;
        const answers: [string, ProbeAnswer][] = [];
        for (const [name, { run }] of own) {
          const answer = (await readAnswer(run.id)) ?? { request: {}, view: null };
          const request = isShared ? { ...answer.request, model } : answer.request;
          answers.push([name, { ...answer, request }]);
        }
        const { evidence, ...judgment } = judgeRow(row, Object.fromEntries(answers));
        const cell = own.get(evidence?.request ?? '');
        const place = { comparisonId, place: cell?.place ?? 0 };
        verdicts.push({
          model,
          format,
          rowId: row.id,
          ...judgment,
          evidence:
            evidence && cell
              ? { runId: cell.run.id, place, field: nameField(evidence.field, format) }
              : null,
          atMs: cell?.run.finishedAt ?? now(),
        });
      }
    }
  }
  return verdicts;
}
