import type { TreeMessage } from '../../../../shared/conversation.ts';
import { formatCost } from '../../../../shared/cost.ts';
import type { RunSummary } from '../../../../shared/run.ts';
import { getTotalMs } from '../../../../shared/run-times.ts';
import { formatCount, formatDuration } from '../../../lib/format-quantity.ts';
import type { CompareFigure } from '../../../run/compare/compare-panel.ts';
import { getTurn } from '../conversation/branch.ts';
import { getTurnFigures, type TurnFigures } from '../log/turn-summary.tsx';

/** Returns metrics for turns that the compared answers started; empty if no tool was called. */
export function createTurnFigures(messages: readonly TreeMessage[]): CompareFigure[] {
  const turns = getTurns(messages);
  if (turns.size === 0) return [];
  const read =
    (value: (turn: TurnFigures) => number | null, one: (run: RunSummary) => number | null) =>
    (run: RunSummary) => {
      const turn = turns.get(run.id);
      return turn === undefined ? one(run) : value(turn);
    };
  return [
    {
      id: 'requests',
      label: 'Requests',
      help: 'Requests of the whole turn, until the model called no more tools.',
      best: null,
      of: read(
        ({ requests }) => requests,
        () => 1,
      ),
      format: formatCount,
    },
    {
      id: 'calls',
      label: 'Tool calls',
      help: 'Tool calls of the whole turn.',
      best: null,
      of: read(
        ({ calls }) => calls,
        () => 0,
      ),
      format: formatCount,
    },
    {
      id: 'turn-time',
      label: 'Turn time',
      unit: 'ms',
      help: 'From the first request of the turn to the end of the last, with its tools.',
      revealsModel: true,
      best: 'least',
      of: read(({ durationMs }) => durationMs, getTotalMs),
      format: formatDuration,
    },
    {
      id: 'turn-cost',
      label: 'Turn cost',
      unit: 'USD',
      help: 'Estimated cost of all requests of the turn.',
      revealsModel: true,
      best: 'least',
      of: read(
        ({ cost }) => cost,
        ({ cost }) => cost,
      ),
      format: formatCost,
    },
  ];
}

/** Maps the first run of each turn with tool calls to its metrics. */
function getTurns(messages: readonly TreeMessage[]): Map<string, TurnFigures> {
  const children = Map.groupBy(messages, ({ parentId }) => parentId);
  const turns = new Map<string, TurnFigures>();
  for (const answer of messages) {
    if (answer.run === null || answer.toolCalls.length === 0) continue;
    const figures = getTurnFigures(getTurn(children, answer));
    if (figures !== null) turns.set(answer.run.id, figures);
  }
  return turns;
}
