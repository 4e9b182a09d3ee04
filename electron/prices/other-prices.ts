/** Finds the price of a model that the user gave no price for. */
import type { KnownPrice } from '../../shared/prices.ts';
import type { ModelLists } from '../storage/model-lists.ts';
import type { Prices } from '../storage/prices.ts';
import { findListPrice, LIST_PRICES_DATE } from './list-prices.ts';

export type GetOtherPrice = (connectionId: string, model: string) => KnownPrice | null;

/** The gateway's prices come before list prices, which apply only if the user wants them. */
export function createOtherPrices(options: {
  lists: Pick<ModelLists, 'get'>;
  usesListPrices: () => boolean;
}): GetOtherPrice {
  return (connectionId, model) => {
    if (connectionId === 'demo') return null;
    const list = options.lists.get(connectionId);
    const stated = list?.byId.get(model)?.facts?.rates ?? null;
    if (list !== null && stated !== null) {
      return { rates: stated, source: { kind: 'gateway', readAt: list.readAt } };
    }
    const rates = options.usesListPrices() ? findListPrice(model) : null;
    return rates && { rates, source: { kind: 'list', date: LIST_PRICES_DATE } };
  };
}

/** Recomputes the costs of runs whose list prices now apply, or no longer do. */
export function repriceListed(prices: Pick<Prices, 'usedModels' | 'reprice'>): void {
  const listed = prices.usedModels().filter(({ model }) => findListPrice(model) !== null);
  for (const [connectionId, models] of Map.groupBy(listed, (one) => one.connectionId)) {
    prices.reprice(
      connectionId,
      models.map(({ model }) => model),
    );
  }
}
