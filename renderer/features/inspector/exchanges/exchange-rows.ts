import type { Exchange } from '../../../../shared/exchange.ts';
import { isFinished, type RunStatus } from '../../../../shared/run.ts';

export type ExchangeRow =
  | { kind: 'exchange'; exchange: Exchange; inFold: number | null }
  /** The number of the first exchange. */
  | { kind: 'fold'; number: number; exchanges: Exchange[]; isOpen: boolean };

/** Groups similar neighbors into one row, and lists the exchanges of an expanded group below it. */
export function getExchangeRows(
  exchanges: readonly Exchange[],
  openFolds: ReadonlySet<number>,
): ExchangeRow[] {
  return groupSimilar(exchanges).flatMap((group): ExchangeRow[] => {
    const [first] = group;
    if (first === undefined) return [];
    if (group.length === 1) return [{ kind: 'exchange', exchange: first, inFold: null }];
    const isOpen = openFolds.has(first.number);
    const fold: ExchangeRow = { kind: 'fold', number: first.number, exchanges: group, isOpen };
    if (!isOpen) return [fold];
    return [
      fold,
      ...group.map((exchange) => ({ kind: 'exchange' as const, exchange, inFold: first.number })),
    ];
  });
}

function groupSimilar(exchanges: readonly Exchange[]): Exchange[][] {
  const groups: Exchange[][] = [];
  for (const exchange of exchanges) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && isSimilar(group[0], exchange)) group.push(exchange);
    else groups.push([exchange]);
  }
  return groups;
}

/** Treats a pending exchange as similar, so the list doesn't jump on each poll. */
function isSimilar(before: Exchange, next: Exchange): boolean {
  if (before.method !== next.method || before.url !== next.url) return false;
  if (next.ending === null) return before.ending !== null;
  return (
    before.status === next.status &&
    before.taskWord === next.taskWord &&
    before.ending?.status === next.ending.status &&
    before.ending.error?.kind === next.ending.error?.kind
  );
}

/** Defaults to a failed run's last exchange, or else to the newest exchange that isn't a GET. */
export function getShownExchange(
  exchanges: readonly Exchange[],
  chosen: number | null,
  status: RunStatus,
): Exchange | null {
  const found = exchanges.find(({ number }) => number === chosen);
  if (found !== undefined) return found;
  const last = exchanges.at(-1) ?? null;
  if (isFinished(status) && status !== 'succeeded' && status !== 'cancelled') return last;
  return exchanges.findLast(({ method }) => method !== 'GET') ?? last;
}
