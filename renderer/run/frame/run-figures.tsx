import { describeCost, formatCost } from '../../../shared/cost.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { getTokenCounts } from '../../../shared/operations/response/usage.ts';
import type { RunSummary } from '../../../shared/run.ts';
import {
  getFirstOutputMs,
  getSpeed,
  getTotalMs,
  timingTooltips,
} from '../../../shared/run-times.ts';
import { formatCount, formatDuration, formatRate } from '../../lib/format-quantity.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { AskedMarks } from './asked-marks.tsx';
import styles from './result-frame.module.css';

interface RunFiguresProps {
  run: FiguresRun;
  /** Shows the model only if it differs from the requested one. */
  besideModel?: boolean;
  /** `slots` shows the main metrics in a fixed order, and `others` shows the rest. */
  part?: 'all' | 'slots' | 'others';
}

const slots = ['input', 'cached', 'output', 'firstToken', 'rate', 'total', 'cost'];

/** Renders nothing until the run ends. */
export function RunFigures({ run, besideModel = false, part = 'all' }: RunFiguresProps) {
  if (run.timings === null && run.figures === null) return null;
  const figures = selectFigures(getFigures(run), part).filter(
    ({ key, value }) => !(besideModel && key === 'model' && value === run.model),
  );
  return (
    <>
      {figures.length > 0 && (
        <dl className={styles.runFigures}>
          {figures.map(({ key, label, value, help }) => (
            <Tooltip key={key} text={help}>
              <div className={styles.figure}>
                <dt className={key === 'model' ? 'visually-hidden' : styles.label}>{label}</dt>
                <dd className={styles.value}>{value}</dd>
              </div>
            </Tooltip>
          ))}
        </dl>
      )}
      {part !== 'others' && <AskedMarks findings={run.findings} />}
    </>
  );
}

function selectFigures(figures: Figure[], part: RunFiguresProps['part']): Figure[] {
  if (part === 'slots')
    return slots.flatMap((slot) => figures.find(({ key }) => key === slot) ?? []);
  return part === 'others' ? figures.filter(({ key }) => !slots.includes(key)) : figures;
}

export function CostFigure({ run: { cost, figures } }: { run: FiguresRun }) {
  if (cost === null) return null;
  const { label, help } = describeCost(figures?.chargedDollars);
  return <TextFigure label={label} value={formatCost(cost)} help={help} />;
}

interface FigureProps {
  label: string;
  value: string;
  help?: string;
}

/** Renders a metric as text, such as `Duration 0:10.0`, that looks like `RunFigures`. */
export function TextFigure({ label, value, help }: FigureProps) {
  return (
    <Tooltip text={help}>
      <span className={styles.label}>
        {label} <span className={styles.value}>{value}</span>
      </span>
    </Tooltip>
  );
}

interface Figure {
  key: string;
  label: string;
  value: string;
  /** The tooltip explains how the number is computed. */
  help: string;
}

export type FiguresRun = Pick<
  RunSummary,
  | 'operation'
  | 'model'
  | 'createdAt'
  | 'startedAt'
  | 'finishedAt'
  | 'timings'
  | 'figures'
  | 'cost'
  | 'findings'
>;

const firstLabels: Partial<Record<OperationName, string>> = {
  chat: 'First token',
  completion: 'First token',
  speech: 'First byte',
};

export function getFigures(run: Omit<FiguresRun, 'findings'>): Figure[] {
  const usage = run.figures?.usage ?? null;
  const input = usage?.prompt_tokens_details;
  const output = usage?.completion_tokens_details;
  const tokens = getTokenCounts(usage);
  const speed = getSpeed(run);
  const cost = describeCost(run.figures?.chargedDollars);
  const first = getFirstOutputMs(run);
  const total = getTotalMs(run);
  const firstLabel = firstLabels[run.operation] ?? 'First output';
  // An embedding has no output, but some gateways count 0 tokens of it.
  const outputCount = run.operation === 'embeddings' ? tokens.output || null : tokens.output;
  const isSum = tokens.total === (tokens.input ?? 0) + (tokens.output ?? 0);
  const combined = 'Input and output tokens combined, as reported by the gateway.';
  const figures: [key: string, label: string, value: string, help: string][] = [
    ['model', 'Model', run.figures?.model ?? run.model, 'The model that responded.'],
    ['firstToken', firstLabel, format(first, formatDuration), timingTooltips.firstOutput],
    [
      'rate',
      'Speed',
      format(speed?.tokensPerSecond, (value) => `${formatRate(value)} tokens/s`),
      speed?.help ?? timingTooltips.speed,
    ],
    ['input', 'Input', format(tokens.input), `Input tokens.${describeDetails(input)}`],
    ['cached', 'Cached', formatIfAny(tokens.cached), 'Input tokens read from the cache.'],
    ['imageIn', 'Image input', formatIfAny(input?.image_tokens), 'Input tokens for images.'],
    ['audioIn', 'Audio in', formatIfAny(input?.audio_tokens), 'Input tokens for audio.'],
    ['output', 'Output', format(outputCount), `Output tokens.${describeDetails(output)}`],
    ['audioOut', 'Audio out', formatIfAny(output?.audio_tokens), 'Output tokens for audio.'],
    ['reasoning', 'Reasoning', formatIfAny(tokens.reasoning), 'Output tokens used for reasoning.'],
    ['tokens', 'Tokens', isSum ? '' : format(tokens.total), combined],
    ['finish', 'Finish reason', describeReasons(run), 'Why the model stopped.'],
    ['total', 'Total time', format(total, formatDuration), timingTooltips.total],
    ['cost', cost.label, format(run.cost, formatCost), cost.help],
  ];
  return figures
    .filter(([, , value]) => value !== '')
    .map(([key, label, value, help]) => ({ key, label, value, help }));
}

/** Lists the token details that the gateway reports, such as ` Includes text 12, cached 4.` */
function describeDetails(details: Record<string, unknown> | null | undefined): string {
  const counted = Object.entries(details ?? {}).flatMap(([name, tokens]) =>
    typeof tokens === 'number' ? [`${name.replace(/_tokens$/, '')} ${formatCount(tokens)}`] : [],
  );
  return counted.length === 0 ? '' : ` Includes ${counted.join(', ')}.`;
}

function format(value: number | null | undefined, print = formatCount): string {
  return value == null ? '' : print(value);
}

/** Hides zeros, because many gateways always send these fields. */
function formatIfAny(tokens: number | null | undefined): string {
  return tokens === 0 ? '' : format(tokens);
}

/** Groups the finish reasons of several choices, such as `stop × 3`. */
function describeReasons({ figures }: Pick<FiguresRun, 'figures'>): string {
  const counted = Map.groupBy(figures?.finishReasons ?? [], (reason) => reason);
  return [...counted]
    .map(([reason, { length }]) => (length > 1 ? `${reason} × ${length}` : reason))
    .join(', ');
}
