import { costTooltip, formatCost } from '../../../shared/cost.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunSummary } from '../../../shared/run.ts';
import {
  firstOutputMs,
  timingTooltips,
  tokensPerSecond,
  totalMs,
} from '../../../shared/run-times.ts';
import { formatCount, formatDuration, formatRate } from '../../lib/format-quantity.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './run-figures.module.css';

interface RunFiguresProps {
  run: FiguresRun;
  /** Shows the model only if a different model responded. */
  besideModel?: boolean;
}

/** Empty until the run ends. */
export function RunFigures({ run, besideModel = false }: RunFiguresProps) {
  if (run.timings === null && run.figures === null) return null;
  const figures = getFigures(run).filter(
    ({ key, value }) => !(besideModel && key === 'model' && value === run.model),
  );
  return (
    <dl className={styles.figures}>
      {figures.map(({ key, label, value, help }) => (
        <Tooltip key={key} text={help}>
          <div className={styles.figure}>
            <dt className={key === 'model' ? 'visually-hidden' : styles.label}>{label}</dt>
            <dd className={styles.value}>{value}</dd>
          </div>
        </Tooltip>
      ))}
    </dl>
  );
}

export function CostFigure({ cost }: { cost: number | null }) {
  return cost === null ? null : <Tooltip text={costTooltip}>Est. cost {formatCost(cost)}</Tooltip>;
}

interface Figure {
  key: string;
  label: string;
  value: string;
  /** The tooltip explains how the figure is computed. */
  help: string;
}

export type FiguresRun = Pick<
  RunSummary,
  'operation' | 'model' | 'createdAt' | 'startedAt' | 'finishedAt' | 'timings' | 'figures' | 'cost'
>;

const firstLabels: Partial<Record<OperationName, string>> = {
  chat: 'First token',
  completion: 'First token',
  speech: 'First byte',
};

export function getFigures(run: FiguresRun): Figure[] {
  const usage = run.figures?.usage ?? null;
  const rate = tokensPerSecond(usage?.completion_tokens, run.timings);
  const first = firstOutputMs(run);
  const total = totalMs(run);
  const figures: (Figure | null)[] = [
    figure('model', 'Model', run.figures?.model ?? run.model, 'The model that responded.'),
    first === null
      ? null
      : figure(
          'firstToken',
          firstLabels[run.operation] ?? 'First output',
          formatDuration(first),
          timingTooltips.firstOutput,
        ),
    rate === null
      ? null
      : figure('rate', 'Speed', `${formatRate(rate)} tokens/s`, timingTooltips.speed),
    count(
      'input',
      'Input',
      usage?.prompt_tokens,
      `Input tokens.${includes(usage?.prompt_tokens_details)}`,
    ),
    count(
      'cached',
      'Cached',
      usage?.prompt_tokens_details?.cached_tokens,
      'Input tokens read from the cache.',
    ),
    count(
      'imageIn',
      'Image input',
      usage?.prompt_tokens_details?.image_tokens,
      'Input tokens for images.',
    ),
    count(
      'audioIn',
      'Audio in',
      usage?.prompt_tokens_details?.audio_tokens,
      'Input tokens for audio.',
    ),
    count(
      'output',
      'Output',
      usage?.completion_tokens,
      `Output tokens.${includes(usage?.completion_tokens_details)}`,
    ),
    count(
      'audioOut',
      'Audio out',
      usage?.completion_tokens_details?.audio_tokens,
      'Output tokens for audio.',
    ),
    count(
      'reasoning',
      'Reasoning',
      usage?.completion_tokens_details?.reasoning_tokens,
      'Output tokens used for reasoning.',
    ),
    count(
      'tokens',
      'Tokens',
      usage?.total_tokens,
      'Input and output tokens combined, as reported by the gateway.',
    ),
    finish(run.figures?.finishReasons ?? []),
    total === null
      ? null
      : figure('total', 'Total time', formatDuration(total), timingTooltips.total),
    run.cost === null ? null : figure('cost', 'Est. cost', formatCost(run.cost), costTooltip),
  ];
  return figures.filter((item) => item !== null);
}

/** Lists the gateway's token details, such as ` Includes text 12, cached 4.` */
function includes(details: Record<string, unknown> | null | undefined): string {
  const counted = Object.entries(details ?? {}).flatMap(([name, tokens]) =>
    typeof tokens === 'number' ? [`${name.replace(/_tokens$/, '')} ${formatCount(tokens)}`] : [],
  );
  return counted.length === 0 ? '' : ` Includes ${counted.join(', ')}.`;
}

/** Hide zeros, because most gateways always send these fields. */
const optionalKeys = ['cached', 'reasoning', 'imageIn', 'audioIn', 'audioOut'];

function figure(key: string, label: string, value: string, help: string): Figure | null {
  return value === '' ? null : { key, label, value, help };
}

function count(key: string, label: string, tokens: number | null | undefined, help: string) {
  const optional = optionalKeys.includes(key);
  if (tokens === null || tokens === undefined || (optional && tokens === 0)) return null;
  return figure(key, label, formatCount(tokens), help);
}

/** Counts equal finish reasons of several choices, such as `stop × 3`. */
function finish(reasons: string[]): Figure | null {
  const counted = new Map<string, number>();
  for (const reason of reasons) counted.set(reason, (counted.get(reason) ?? 0) + 1);
  const words = [...counted].map(([reason, times]) =>
    times > 1 ? `${reason} × ${times}` : reason,
  );
  return figure('finish', 'Finish reason', words.join(', '), 'Why the model stopped.');
}
