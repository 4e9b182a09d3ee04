/** Figures that every operation's runs can have. */
import { costTooltip } from '../../../shared/cost.ts';
import { formatCost } from '../../../shared/format-cost.ts';
import {
  firstOutputMs,
  timingTooltips,
  tokensPerSecond,
  totalMs,
} from '../../../shared/run-times.ts';
import { formatBytes, formatCount, formatDuration, formatRate } from '../../lib/format-quantity.ts';
import type { CompareFigure } from './compare-panel.ts';

export const totalFigure: CompareFigure = {
  id: 'total',
  label: 'Total time',
  unit: 'ms',
  help: timingTooltips.total,
  best: 'least',
  of: totalMs,
  format: formatDuration,
};

/** `label`: what the first piece of output is. */
export function firstOutputFigure(label: string): CompareFigure {
  return {
    id: 'first',
    label,
    unit: 'ms',
    help: timingTooltips.firstOutput,
    best: 'least',
    of: firstOutputMs,
    format: formatDuration,
  };
}

export const tokenFigures: readonly CompareFigure[] = [
  {
    id: 'speed',
    label: 'Tokens/s',
    help: timingTooltips.speed,
    best: 'greatest',
    of: ({ figures, timings }) => tokensPerSecond(figures?.usage?.completion_tokens, timings),
    format: formatRate,
  },
  {
    id: 'in',
    label: 'Input',
    help: 'Input tokens.',
    best: null,
    of: ({ figures }) => figures?.usage?.prompt_tokens ?? null,
    format: formatCount,
  },
  {
    id: 'out',
    label: 'Output',
    help: 'Output tokens.',
    best: null,
    of: ({ figures }) => figures?.usage?.completion_tokens ?? null,
    format: formatCount,
  },
];

export const sizeFigure: CompareFigure = {
  id: 'size',
  label: 'Size',
  unit: 'bytes',
  help: 'Total size of received files.',
  best: null,
  of: ({ media }) =>
    media.length === 0 ? null : media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  format: formatBytes,
};

/** Of models with a price. */
export const costFigure: CompareFigure = {
  id: 'cost',
  label: 'Est. cost',
  unit: 'USD',
  help: costTooltip,
  best: 'least',
  of: ({ cost }) => cost,
  format: formatCost,
};
