/** Suggestions for the model field: the gateway's own list where it has one, and what was used before. */
import type { ModelSuggestion, ModelSuggestions } from '../shared/contract/models.ts';
import { AppFailure } from '../shared/errors.ts';
import type { OperationName } from '../shared/operations/operation-name.ts';
import type { RunSummary } from '../shared/run.ts';
import type { Changes } from './changes.ts';
import type { ResolvedConnection } from './connections/connections.ts';
import { demoModels } from './demo/models.ts';
import { fetchModelList, type ListedModel } from './gateway/model-list.ts';
import type { Network } from './gateway/network.ts';
import type { ModelUses } from './storage/model-uses.ts';

/** A list is fetched again after this long. */
const FRESH_MS = 60_000;

export interface ModelSuggester {
  suggest(connectionId: string, operation: OperationName): Promise<ModelSuggestions>;
  /** The model of a run is suggested first from now on. */
  remember(run: Pick<RunSummary, 'connectionId' | 'operation' | 'model'>): void;
  /** Asks the gateway again: the connection's address or key changed. */
  forgetList(connectionId: string): void;
  /** The connection is no more. */
  forget(connectionId: string): void;
}

type Listing = { at: number; list: Promise<ListedModel[]> };

export function createModelSuggester(options: {
  resolve(connectionId: string): Promise<ResolvedConnection>;
  uses: ModelUses;
  network: Network;
  changes: Pick<Changes, 'announce'>;
  now: () => number;
}): ModelSuggester {
  const { uses, network, changes, now } = options;
  const listings = new Map<string, Listing>();

  function listed(connectionId: string): Promise<ListedModel[]> {
    const known = listings.get(connectionId);
    if (known && now() - known.at < FRESH_MS) return known.list;
    const list = options
      .resolve(connectionId)
      .then(({ baseUrl, key }) => fetchModelList({ baseUrl, key, network }));
    const listing = { at: now(), list };
    listings.set(connectionId, listing);
    list.catch(() => {
      if (listings.get(connectionId) === listing) listings.delete(connectionId);
    });
    return list;
  }

  function forgetList(connectionId: string): void {
    listings.delete(connectionId);
    changes.announce('models', connectionId);
  }

  return {
    remember({ connectionId, operation, model }) {
      if (model === '') return;
      uses.remember(connectionId, operation, model);
      changes.announce('models', connectionId);
    },
    forgetList,
    forget(connectionId) {
      uses.forget(connectionId);
      forgetList(connectionId);
    },

    async suggest(connectionId, operation) {
      const used = uses.used(connectionId, operation);
      if (connectionId === 'demo') {
        const { models, preselected } = demoModels[operation];
        return {
          models: models.map((id) => ({ id, source: 'demo', ownedBy: 'demo' })),
          preselected: used[0] ?? preselected,
          listProblem: null,
        };
      }
      const fromUse = used.map((id): ModelSuggestion => ({ id, source: 'used', ownedBy: null }));
      const preselected = used[0] ?? null;
      try {
        const models = await listed(connectionId);
        const fromGateway = models
          .filter(({ id }) => !used.includes(id))
          .map(({ id, ownedBy }): ModelSuggestion => ({ id, source: 'gateway', ownedBy }));
        return { models: [...fromUse, ...fromGateway], preselected, listProblem: null };
      } catch (cause) {
        if (!(cause instanceof AppFailure)) throw cause;
        return { models: fromUse, preselected, listProblem: cause.error.message };
      }
    },
  };
}
