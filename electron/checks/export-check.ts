/** Exports a check as Markdown, CSV or JSON. */
import {
  type Check,
  type CheckFormat,
  type LoadBody,
  type ProbeBody,
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
import { type RunReader, readAttempts } from './read-attempts.ts';

type Value = string | number | null;

/** Yields the file in chunks. JSON has every request of a load whose run still exists. */
export async function* exportCheck(
  check: Check,
  format: CheckFormat,
  ledger: RunReader,
): AsyncGenerator<string, void> {
  const { body } = check;
  switch (format) {
    case 'json':
      yield* exportJson(check, ledger);
      return;
    case 'csv':
      yield writeCsv(body.kind === 'probe' ? listVerdicts(body) : listStageRows(body));
      return;
    case 'markdown':
      yield writeMarkdown(check);
  }
}

/** Returns the rows of the matrix that the page shows, in its order. */
function listMatrix(body: ProbeBody) {
  const columns = listProbeColumns(body);
  return body.asked.map(({ id, label }) =>
    columns.map((column) => {
      // Undefined until the row is judged.
      const verdict = body.verdicts.find(
        ({ rowId, model, format }) =>
          rowId === id && model === column.model && format === column.format,
      );
      return { label, column, verdict };
    }),
  );
}

function listVerdicts(body: ProbeBody): Value[][] {
  const names = ['model', 'format', 'row', 'verdict', 'sentence', 'chance', 'run', 'field', 'at'];
  const rows = listMatrix(body)
    .flat()
    .flatMap(({ label, verdict: found }): Value[][] => {
      if (found === undefined) return [];
      const { model, format, verdict, sentence, chance, evidence, atMs } = found;
      const { runId = null, field = null } = evidence ?? {};
      const at = new Date(atMs).toISOString();
      return [[model, format, label, verdict, sentence, chance, runId, field, at]];
    });
  return [names, ...rows];
}

const figures = [
  { title: 'First token', name: 'first_token_ms', field: 'firstTokenMs' },
  { title: 'Between tokens', name: 'between_tokens_ms', field: 'betweenTokensMs' },
  { title: 'Total', name: 'total_ms', field: 'totalMs' },
  { title: null, name: 'tokens_per_second_each', field: 'requestTokensPerSecond' },
] as const;

const percentiles = ['p50', 'p90', 'p95', 'p99'] as const;

interface StageColumn {
  /** In Markdown; null for a column of CSV only. */
  title: string | null;
  /** Markdown shows the values of several columns of CSV in one. */
  names: string[];
  read: (stage: StageFigures) => Value[];
  /** Returns the values for Markdown; by default, joined. */
  show?: (values: Value[]) => string;
}

const stageColumns: StageColumn[] = [
  { title: 'At once', names: ['at_once'], read: ({ atOnce }) => [atOnce] },
  { title: 'Requests', names: ['requests'], read: ({ requests }) => [requests] },
  { title: null, names: ['failed'], read: ({ failed }) => [failed] },
  {
    title: 'Errors',
    names: ['errors'],
    read: ({ errors }) => [
      Object.entries(errors)
        .map(([kind, count]) => `${count} ${kind}`)
        .join('; '),
    ],
    show: ([errors]) => String(errors || 0),
  },
  { title: null, names: ['seconds'], read: ({ seconds }) => [round(seconds)] },
  {
    title: 'Requests/s',
    names: ['requests_per_second'],
    read: ({ requestsPerSecond }) => [round(requestsPerSecond)],
  },
  {
    title: 'Tokens/s',
    names: ['tokens_per_second'],
    read: ({ tokensPerSecond }) => [round(tokensPerSecond)],
  },
  ...figures.map(
    ({ title, name, field }): StageColumn => ({
      title,
      names: ['count', ...percentiles].map((each) => `${name}_${each}`),
      read: ({ [field]: figure }) => [
        figure?.count ?? 0,
        ...percentiles.map((each) => round(figure?.[each])),
      ],
      show: ([count, ...values]) => (count === 0 ? '–' : `${joinValues(values)} (${count})`),
    }),
  ),
  {
    title: null,
    names: ['meets_target'],
    read: ({ meetsTarget }) => [meetsTarget === null ? null : String(meetsTarget)],
  },
  {
    title: 'Client delay',
    names: ['client_delay_ms_p50', 'client_delay_ms_max'],
    read: ({ clientDelayMs }) => [round(clientDelayMs?.p50), round(clientDelayMs?.max)],
  },
];

function listStageRows({ results }: LoadBody): Value[][] {
  const rows = results.flatMap(({ model, stages }) =>
    stages.map((stage) => [model, ...stageColumns.flatMap(({ read }) => read(stage))]),
  );
  return [['model', ...stageColumns.flatMap(({ names }) => names)], ...rows];
}

function round(value: number | null | undefined): number | null {
  return value == null ? null : Number(value.toPrecision(4));
}

function writeCsv([names = [], ...rows]: Value[][]): string {
  const lines = rows.map((row) =>
    formatCsvRow(row.map((value) => (typeof value === 'string' ? escapeFormula(value) : value))),
  );
  return [formatCsvRow(names), ...lines, ''].join('\r\n');
}

function writeMarkdown({ title, createdAt, body }: Check): string {
  return [
    `# ${body.kind === 'probe' ? 'Probe' : 'Load'}: ${title}`,
    '',
    `${body.connectionName}, ${new Date(createdAt).toISOString()}`,
    '',
    ...(body.stopped === null ? [] : [`Stopped early: ${body.stopped}.`, '']),
    ...(body.kind === 'probe' ? writeProbe(body) : writeLoad(body)),
    '',
  ].join('\n');
}

/** Writes the matrix, with a column for each model and format, and then the sentences. */
function writeProbe(body: ProbeBody): string[] {
  const matrix = listMatrix(body);
  const nameColumn = ({ model, format }: ProbeColumn) =>
    format === '' ? model : `${model} (${format})`;
  return [
    ...writeTable([
      ['Row', ...listProbeColumns(body).map(nameColumn)],
      ...matrix.map((cells) => [
        cells[0]?.label ?? null,
        ...cells.map(({ verdict }) => verdict && verdictLabels[verdict.verdict]),
      ]),
    ]),
    '',
    ...matrix.flat().flatMap(({ label, column, verdict }) => {
      if (verdict === undefined) return [];
      const { verdict: name, sentence, chance } = verdict;
      const likely = chance === null ? '' : ` Likely by chance: ${round(100 * chance)}%.`;
      return `- ${nameColumn(column)}, ${label}: ${verdictLabels[name]}. ${sentence}${likely}`;
    }),
  ];
}

function writeLoad({ results, target }: LoadBody): string[] {
  const columns = stageColumns.filter(({ title }) => title !== null);
  return [
    'A closed loop: each user sends again when answered. Times are milliseconds as p50 / p90 / p95 / p99 (samples), and the client’s delay as p50 / maximum. The warm-up isn’t counted.',
    ...results.flatMap(({ model, stages }) => [
      '',
      `## ${model}`,
      '',
      ...writeTable([
        columns.map(({ title }) => title),
        ...stages.map((stage) => columns.map(({ read, show = joinValues }) => show(read(stage)))),
      ]),
      ...(target === null
        ? []
        : [
            '',
            `Largest number at once with ${target.figure} p${target.percentile} within ${target.ms} ms: ${findLargestAtOnce(stages) ?? '–'}`,
          ]),
    ]),
  ];
}

function joinValues(values: Value[]): string {
  if (values.every((value) => value === null)) return '–';
  return values.map((value) => value ?? '–').join(' / ');
}

function writeTable([names = [], ...rows]: (Value | undefined)[][]): string[] {
  const write = (values: readonly (Value | undefined)[]) =>
    `| ${values.map((value) => String(value ?? '–').replaceAll(/[\\|]/g, '\\$&')).join(' | ')} |`;
  return [write(names), write(names.map(() => '---')), ...rows.map(write)];
}

async function* exportJson(check: Check, ledger: RunReader): AsyncGenerator<string, void> {
  const head = { kind: 'gatehouse-check', ...check };
  yield JSON.stringify(head, null, 1).replace(/\n}$/, ',\n "requests": [');
  const { body } = check;
  const stages = body.kind === 'load' ? listStages(body) : [];
  let separator = '\n  ';
  for (const id of body.kind === 'load' ? body.comparisonIds : []) {
    for await (const run of readAttempts(ledger, id)) {
      const request = toRequest(run, stages);
      if (request === null) continue;
      yield separator + JSON.stringify(request);
      separator = ',\n  ';
    }
  }
  yield '\n ]\n}\n';
}

/** Returns null for a request that isn't measured, because a stop or a restart ended it. */
function toRequest(run: RunSummary, stages: readonly LoadStage[]): object | null {
  const { id: runId, model, cell } = run;
  const stage = stages.find(({ end }) => cell !== null && cell < end);
  const sample = stage && cell !== null ? toLoadSample(run, cell - stage.first) : null;
  if (stage === undefined || sample === null) return null;
  const isWarmup = sample.place < stage.warmupRequests;
  return { model, runId, atOnce: stage.atOnce, isWarmup, ...sample };
}
