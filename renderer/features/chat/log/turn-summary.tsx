import type { TreeMessage } from '../../../../shared/conversation.ts';
import { formatCost } from '../../../../shared/cost.ts';
import { formatDuration, pluralize } from '../../../lib/format-quantity.ts';
import styles from './answer/message.module.css';

export interface TurnFigures {
  requests: number;
  calls: number;
  /** US dollars; null if no request has a known cost. */
  cost: number | null;
  /** From the first request to the end of the last; null while a request runs. */
  durationMs: number | null;
}

/** Returns the metrics of the branch's last turn; null unless it has several requests. */
export function getTurnFigures(path: readonly TreeMessage[]): TurnFigures | null {
  const start = path.findLastIndex(({ role }) => role === 'user') + 1;
  const answers = path.slice(start).filter(({ role }) => role === 'assistant');
  const runs = answers.flatMap(({ run }) => run ?? []);
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined || runs.length < 2) return null;
  const costs = runs.flatMap(({ cost }) => cost ?? []);
  return {
    requests: runs.length,
    calls: answers.reduce((count, { toolCalls }) => count + toolCalls.length, 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost),
    durationMs: last.finishedAt === null ? null : last.finishedAt - first.createdAt,
  };
}

/** Shows the metrics of a turn with tool calls, below its last answer. */
export function TurnSummary({ path }: { path: readonly TreeMessage[] }) {
  const figures = getTurnFigures(path);
  if (figures === null) return null;
  const { requests, calls, cost, durationMs } = figures;
  const parts = [
    pluralize(requests, 'request'),
    pluralize(calls, 'tool call'),
    ...(cost === null ? [] : [formatCost(cost)]),
    ...(durationMs === null ? [] : [formatDuration(durationMs)]),
  ];
  return <p className={`caption ${styles.turn}`}>This turn: {parts.join(' · ')}</p>;
}
