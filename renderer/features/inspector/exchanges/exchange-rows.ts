import type { Exchange } from '../../../../shared/exchange.ts';
import { isFinished, type RunStatus } from '../../../../shared/run.ts';

export type ExchangeRow =
  | { kind: 'exchange'; exchange: Exchange; inFold: number | null }
  /** Exchanges that are alike, under the number of the first. */
  | { kind: 'fold'; number: number; exchanges: Exchange[]; isOpen: boolean };

/** The lines of the list: neighbors that are alike are one line, with each of them below where it is open. */
export function exchangeRows(
  exchanges: readonly Exchange[],
  openFolds: ReadonlySet<number>,
): ExchangeRow[] {
  return foldAlike(exchanges).flatMap((group): ExchangeRow[] => {
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

function foldAlike(exchanges: readonly Exchange[]): Exchange[][] {
  const groups: Exchange[][] = [];
  for (const exchange of exchanges) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && isAlike(group[0], exchange)) group.push(exchange);
    else groups.push([exchange]);
  }
  return groups;
}

/** One that still waits counts as another of the same, so that the list does not jump at each poll. */
function isAlike(before: Exchange, next: Exchange): boolean {
  if (before.method !== next.method || before.url !== next.url) return false;
  if (next.ending === null) return before.ending !== null;
  return (
    before.status === next.status &&
    before.taskWord === next.taskWord &&
    before.ending?.status === next.ending.status &&
    before.ending.error?.kind === next.ending.error?.kind
  );
}

/**
 * The exchange that every tab shows: the one that the user chose. Else, where the run failed, the
 * last, which errors point to; where it did not, the newest that requested work (a POST), which stays
 * the same while polls come; else the newest.
 */
export function exchangeShown(
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
