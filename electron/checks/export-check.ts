/** Exports a check as Markdown, CSV or JSON. */
import { setImmediate as breathe } from 'node:timers/promises';
import {
  type Check,
  type CheckFormat,
  type LoadBody,
  type LoadPercentiles,
  type ProbeBody,
  type RowVerdict,
  type StageFigures,
  verdictLabels,
} from '../../shared/checks/check.ts';
import {
  findLargestAtOnce,
  type LoadStage,
  listStages,
  toLoadSample,
} from '../../shared/checks/load/measure-stage.ts';
import { listProbeColumns, type ProbeColumn } from '../../shared/checks/probe/columns.ts';
import { escapeFormula, formatCsvRow } from '../../shared/csv.ts';
import type { RunSummary } from '../../shared/run.ts';
import type { Ledger } from '../storage/ledger.ts';

type Value = string | number | null;

interface Table {
  names: string[];
  rows: Value[][];
}

/** Yields the file in chunks. JSON has every request of a load whose run still exists. */
export async function* exportCheck(
  check: Check,
  format: CheckFormat,
  ledger: Pick<Ledger, 'getAttempts' | 'getOutcomes'>,
): AsyncGenerator<string, void> {
  switch (format) {
    case 'json':
      yield* exportJson(check, ledger);
      return;
    case 'csv':
      yield writeCsv(listRows(check));
      return;
    case 'markdown':
      yield writeMarkdown(check);
  }
}

function listRows({ body }: Check): Table {
  return body.kind === 'probe' ? listVerdictRows(body) : listStageRows(body);
}

interface CellVerdict {
  label: string;
  column: ProbeColumn;
  /** Undefined until the row is judged. */
  verdict: RowVerdict | undefined;
}

/** Returns the rows of the matrix that the page shows, in its order. */
function listMatrix(body: ProbeBody): CellVerdict[][] {
  const columns = listProbeColumns(body);
  return body.asked.map(({ id, label }) =>
    columns.map((column) => {
      const verdict = body.verdicts.find(
        ({ rowId, model, format }) =>
          rowId === id && model === column.model && format === column.format,
      );
      return { label, column, verdict };
    }),
  );
}

function listVerdictRows(body: ProbeBody): Table {
  return {
    names: ['model', 'format', 'row', 'verdict', 'sentence', 'chance', 'run', 'field', 'at'],
    rows: listMatrix(body)
      .flat()
      .flatMap(({ label, verdict: found }) => {
        if (found === undefined) return [];
        const { model, format, verdict, sentence, chance, evidence, atMs } = found;
        const { runId = null, field = null } = evidence ?? {};
        const at = new Date(atMs).toISOString();
        return [[model, format, label, verdict, sentence, chance, runId, field, at]];
      }),
  };
}

function listStageRows({ results }: LoadBody): Table {
  const names = ['first_token_ms', 'between_tokens_ms', 'total_ms', 'tokens_per_second_each'];
  return {
    names: [
      'model',
      'at_once',
      'requests',
      'failed',
      'errors',
      'seconds',
      'requests_per_second',
      'tokens_per_second',
      ...names.flatMap((name) => ['count', 'p50', 'p90', 'p95', 'p99'].map((p) => `${name}_${p}`)),
      'meets_target',
      'client_delay_ms_p50',
      'client_delay_ms_max',
    ],
    rows: results.flatMap(({ model, stages }) =>
      stages.map((stage) => [
        model,
        stage.atOnce,
        stage.requests,
        stage.failed,
        writeErrors(stage),
        round(stage.seconds),
        round(stage.requestsPerSecond),
        round(stage.tokensPerSecond),
        ...listFigures(stage).flatMap((figure) => listPercentiles(figure)),
        stage.meetsTarget === null ? null : String(stage.meetsTarget),
        round(stage.clientDelayMs?.p50 ?? null),
        round(stage.clientDelayMs?.max ?? null),
      ]),
    ),
  };
}

function listFigures(stage: StageFigures): (LoadPercentiles | null)[] {
  return [stage.firstTokenMs, stage.betweenTokensMs, stage.totalMs, stage.requestTokensPerSecond];
}

function listPercentiles(figure: LoadPercentiles | null): Value[] {
  if (figure === null) return [0, null, null, null, null];
  const { count, p50, p90, p95, p99 } = figure;
  return [count, round(p50), round(p90), round(p95), round(p99)];
}

function writeErrors({ errors }: StageFigures): string {
  return Object.entries(errors)
    .map(([kind, count]) => `${count} ${kind}`)
    .join('; ');
}

function round(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(4));
}

function writeCsv({ names, rows }: Table): string {
  const lines = rows.map((row) =>
    formatCsvRow(row.map((value) => (typeof value === 'string' ? escapeFormula(value) : value))),
  );
  return [formatCsvRow(names), ...lines, ''].join('\r\n');
}

function writeMarkdown(check: Check): string {
  const { title, createdAt, body } = check;
  const name = body.kind === 'probe' ? 'Probe' : 'Load';
  const head = [
    `# ${name}: ${title}`,
    '',
    `${body.connectionName}, ${new Date(createdAt).toISOString()}`,
    '',
  ];
  const parts = body.kind === 'probe' ? writeProbe(body) : writeLoad(body);
  return [...head, ...parts, ''].join('\n');
}

/** Writes the matrix, with a column for each model and format, and then the sentences. */
function writeProbe(body: ProbeBody): string[] {
  const matrix = listMatrix(body);
  const nameColumn = ({ model, format }: ProbeColumn) =>
    format === '' ? model : `${model} (${format})`;
  return [
    ...writeTable({
      names: ['Row', ...listProbeColumns(body).map(nameColumn)],
      rows: matrix.map((cells) => [
        cells[0]?.label ?? null,
        ...cells.map(({ verdict }) => (verdict ? verdictLabels[verdict.verdict] : '–')),
      ]),
    }),
    '',
    ...matrix.flat().flatMap(({ label, column, verdict }) => {
      if (verdict === undefined) return [];
      const outcome = `${verdictLabels[verdict.verdict]}. ${verdict.sentence}${writeChance(verdict)}`;
      return `- ${nameColumn(column)}, ${label}: ${outcome}`;
    }),
  ];
}

function writeChance({ chance }: RowVerdict): string {
  return chance === null ? '' : ` Likely by chance: ${round(100 * chance)}%.`;
}

function writeLoad({ results, target, stopped }: LoadBody): string[] {
  const names = ['At once', 'Requests', 'Errors', 'Requests/s', 'Tokens/s'];
  const figures = ['First token', 'Between tokens', 'Total'];
  const show = (value: number | null | undefined) => (value == null ? '–' : String(round(value)));
  return [
    'A closed loop: each user sends again when answered. Times are milliseconds as p50 / p90 / p95 / p99 (samples), and the client’s delay as p50 / maximum. The warm-up isn’t counted.',
    ...(stopped === null ? [] : ['', `Stopped early: ${stopped}.`]),
    ...results.flatMap(({ model, stages }) => [
      '',
      `## ${model}`,
      '',
      ...writeTable({
        names: [...names, ...figures, 'Client delay'],
        rows: stages.map((stage) => [
          stage.atOnce,
          stage.requests,
          stage.failed === 0 ? '0' : writeErrors(stage),
          show(stage.requestsPerSecond),
          show(stage.tokensPerSecond),
          ...listFigures(stage)
            .slice(0, 3)
            .map((figure) =>
              figure === null
                ? '–'
                : `${[figure.p50, figure.p90, figure.p95, figure.p99].map(show).join(' / ')} (${figure.count})`,
            ),
          stage.clientDelayMs === null
            ? '–'
            : [stage.clientDelayMs.p50, stage.clientDelayMs.max].map(show).join(' / '),
        ]),
      }),
      ...(target === null
        ? []
        : [
            '',
            `Largest number at once with ${target.figure} p${target.percentile} within ${target.ms} ms: ${findLargestAtOnce(stages) ?? '–'}`,
          ]),
    ]),
  ];
}

function writeTable({ names, rows }: Table): string[] {
  const write = (values: readonly Value[]) =>
    `| ${values.map((value) => String(value ?? '–').replaceAll(/[\\|]/g, '\\$&')).join(' | ')} |`;
  return [write(names), write(names.map(() => '---')), ...rows.map(write)];
}

/** Returns null for a request that isn't measured, because a stop or a restart ended it. */
function writeRequest(run: RunSummary, stages: readonly LoadStage[]): string | null {
  const { id: runId, model, cell } = run;
  const stage = stages.find(({ end }) => cell !== null && cell < end);
  const sample = stage && cell !== null ? toLoadSample(run, cell - stage.first) : null;
  if (stage === undefined || sample === null) return null;
  const { atOnce, warmupRequests } = stage;
  return JSON.stringify({
    model,
    runId,
    atOnce,
    isWarmup: sample.place < warmupRequests,
    ...sample,
  });
}

/** Reading this many runs takes a few milliseconds. */
const RUNS_PER_STEP = 100;

async function* exportJson(
  check: Check,
  ledger: Pick<Ledger, 'getAttempts' | 'getOutcomes'>,
): AsyncGenerator<string, void> {
  const head = { kind: 'gatehouse-check', ...check };
  yield JSON.stringify(head, null, 1).replace(/\n}$/, ',\n "requests": [');
  const { body } = check;
  const stages = body.kind === 'load' ? listStages(body) : [];
  let separator = '\n  ';
  for (const id of body.kind === 'load' ? body.comparisonIds : []) {
    const places = ledger.getOutcomes(id, null).map(({ cell }) => cell);
    for (let from = 0; from < places.length; from += RUNS_PER_STEP) {
      for (const run of ledger.getAttempts(id, places.slice(from, from + RUNS_PER_STEP))) {
        const line = writeRequest(run, stages);
        if (line === null) continue;
        yield separator + line;
        separator = ',\n  ';
      }
      await breathe();
    }
  }
  yield '\n ]\n}\n';
}
