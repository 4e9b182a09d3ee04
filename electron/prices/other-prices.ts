/** Finds the price of a model that has no user-set price. */
import type { KnownPrice, OtherPrice, OtherPrices } from '../../shared/prices.ts';
import type { ModelLists } from '../storage/model-lists.ts';
import { LIST_PRICES_DATE, type ListPrices } from './list-prices.ts';
import type { Prices } from './prices.ts';

export type GetOtherPrice = (connectionId: string, model: string) => KnownPrice | null;

/** The gateway's prices come before list prices, which apply only if the user wants them. */
export function createOtherPrices(options: {
  lists: Pick<ModelLists, 'get'>;
  listPrices: ListPrices;
  usesListPrices: () => boolean;
}): GetOtherPrice {
  return (connectionId, model) => {
    if (connectionId === 'demo') return null;
    const list = options.lists.get(connectionId);
    const stated = list?.byId.get(model)?.facts?.rates ?? null;
    if (list !== null && stated !== null) {
      return { rates: stated, source: { kind: 'gateway', readAt: list.readAt } };
    }
    const rates = options.usesListPrices() ? options.listPrices.find(model) : null;
    return rates && { rates, source: { kind: 'list', date: LIST_PRICES_DATE } };
  };
}

/** More rows are hard to read, so the user searches for others. */
const MAX_ROWS = 200;

export function listOtherPrices(
  {
    connections,
    lists,
    prices,
  }: {
    connections: readonly { id: string }[];
    lists: Pick<ModelLists, 'get'>;
    prices: Pick<Prices, 'lookUp' | 'listUsedModels'>;
  },
  search: string,
): OtherPrices {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const used = new Set(prices.listUsedModels().map(toKey));
  let total = 0;
  const shown = connections.flatMap(({ id: connectionId }): OtherPrice[] => {
    const find = prices.lookUp(connectionId);
    const listed = lists.get(connectionId)?.models.map(({ id }) => id) ?? [];
    return listed.flatMap((model): OtherPrice[] => {
      const price = find(model);
      if (price === null || price.source.kind === 'own') return [];
      total += 1;
      const isFound = words.every((word) => model.toLowerCase().includes(word));
      const isShown = words.length > 0 ? isFound : used.has(toKey({ connectionId, model }));
      return isShown ? [{ connectionId, model, ...price }] : [];
    });
  });
  return { prices: shown.slice(0, MAX_ROWS), total, listDate: LIST_PRICES_DATE };
}

function toKey({ connectionId, model }: { connectionId: string; model: string }): string {
  return JSON.stringify([connectionId, model]);
}

/** Recomputes the costs of runs whose list prices now apply, or no longer do. */
export async function repriceListedModels(
  prices: Pick<Prices, 'listUsedModels' | 'reprice'>,
  listPrices: ListPrices,
): Promise<void> {
  await listPrices.load();
  const listed = prices.listUsedModels().filter(({ model }) => listPrices.find(model) !== null);
  for (const [connectionId, models] of Map.groupBy(listed, (one) => one.connectionId)) {
    prices.reprice(
      connectionId,
      models.map(({ model }) => model),
      { onlyUnpriced: false },
    );
  }
}
