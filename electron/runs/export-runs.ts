/** Writes runs as CSV or JSONL. Neither contains keys, addresses or the bytes of media. */
import type { ListedRuns, RunExport } from '../../shared/contract/runs.ts';
import { escapeFormula, formatCsvRow } from '../../shared/csv.ts';
import { getTokenCounts, sumTokens } from '../../shared/operations/response/usage.ts';
import type { RunSummary } from '../../shared/run.ts';
import { newestFirst } from '../../shared/run-sort.ts';
import { getFirstOutputMs, getTotalMs } from '../../shared/run-times.ts';
import { getResponse } from '../../shared/run-view.ts';
import { yieldToEventLoop } from '../base/yield-to-event-loop.ts';
import type { Ledger, RunQuery, StoredRun } from '../storage/ledger.ts';
import { readStoredView } from './stored-view.ts';

const PAGE = 100;

/** Excel rejects longer cells. */
const MAX_CELL = 32_767;

interface ExportSources {
  ledger: Ledger;
  redact: (text: string) => string;
}

/** Yields the file in chunks, newest run first within each selection. */
export async function* exportRuns(
  { ledger, redact }: ExportSources,
  { format, selected, filter }: RunExport,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  // Without a byte order mark, spreadsheets assume the system's old encoding.
  if (format === 'csv') yield `\uFEFF${formatCsvRow(csvHeader)}\r\n`;
  for await (const { id } of selectRuns(ledger, { selected, filter }, signal)) {
    const run = ledger.run(id);
    if (run === null) continue;
    const { text, media } = getResponse(await readStoredView(ledger, run));
    const line =
      format === 'csv'
        ? `${formatCsvRow(toCells(run, text))}\r\n`
        : `${JSON.stringify(toRecord(run, text, media))}\n`;
    yield redact(line);
    await yieldToEventLoop(line.length);
  }
}

async function* selectRuns(
  ledger: Ledger,
  { selected, filter }: Pick<RunExport, 'selected' | 'filter'>,
  signal?: AbortSignal,
): AsyncGenerator<{ id: string }> {
  if (selected === null) {
    yield* listMatchingRuns(ledger, filter, signal);
    return;
  }
  for (const id of selected.runIds) yield { id };
  for (const comparisonId of selected.comparisonIds) {
    const all = { connectionId: null, operation: null, status: null, search: '' };
    yield* listMatchingRuns(ledger, { ...all, comparisonId }, signal);
  }
}

async function* listMatchingRuns(
  ledger: Ledger,
  filter: Omit<RunQuery, 'before' | 'limit'> & { search: string },
  signal?: AbortSignal,
): AsyncGenerator<RunSummary> {
  let before: RunQuery['before'] = null;
  for (let more = true; more; ) {
    const query: RunQuery = { ...filter, before, limit: PAGE, sort: newestFirst };
    const search = filter.search.trim();
    const page: ListedRuns =
      search === '' ? ledger.list(query) : await ledger.search({ ...query, search }, signal);
    yield* page.runs;
    const last: RunSummary | undefined = page.runs.at(-1);
    before = last === undefined ? null : { createdAt: last.createdAt, id: last.id };
    more = page.more && last !== undefined;
  }
}

const csvHeader = [
  ...['ID', 'Started', 'Panel', 'Model', 'Connection', 'Status', 'HTTP status'],
  ...['Prompt', 'Result', 'Input tokens', 'Output tokens', 'Tokens', 'Cost (USD)'],
  ...['First output (ms)', 'Total time (ms)', 'Error'],
];

function toCells(run: StoredRun, text: string): (string | number | null)[] {
  const { input, output } = getTokenCounts(run.figures?.usage ?? null);
  const cell = (value: string) => escapeFormula(value).slice(0, MAX_CELL);
  return [
    ...[run.id, new Date(run.createdAt).toISOString(), run.operation, cell(run.model)],
    ...[cell(run.connectionName), getOutcome(run), run.httpStatus, cell(run.preview), cell(text)],
    ...[input, output, sumTokens(run.figures?.usage ?? null), run.cost],
    ...[round(getFirstOutputMs(run)), round(getTotalMs(run)), cell(run.error?.message ?? '')],
  ];
}

function toRecord(run: StoredRun, text: string, media: RunSummary['media']) {
  return {
    id: run.id,
    operation: run.operation,
    model: run.model,
    connection: run.connectionName,
    status: getOutcome(run),
    httpStatus: run.httpStatus,
    createdAt: new Date(run.createdAt).toISOString(),
    firstOutputMs: round(getFirstOutputMs(run)),
    totalMs: round(getTotalMs(run)),
    usage: run.figures?.usage ?? null,
    finishReasons: run.figures?.finishReasons ?? [],
    costDollars: run.cost,
    request: run.request,
    extraBody: run.extraBody,
    result: {
      text,
      media: media.map(({ id, name, type, sizeBytes }) => ({ id, name, type, sizeBytes })),
    },
    error: run.error === null ? null : { kind: run.error.kind, message: run.error.message },
    conversationId: run.conversationId,
    comparisonId: run.comparisonId,
  };
}

function getOutcome({ status, figures }: RunSummary): string {
  return status === 'succeeded' && figures?.noResult != null ? 'no-result' : status;
}

function round(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
