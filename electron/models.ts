/** Suggests models from the gateway's list and from earlier runs. */
import type { ModelSuggestion, ModelSuggestions } from '../shared/contract/models.ts';
import { UserFacingError } from '../shared/errors.ts';
import type { OperationName } from '../shared/operations/operation-name.ts';
import type { RunSummary } from '../shared/run.ts';
import type { Timeouts } from '../shared/settings.ts';
import type { ChangeEmitter } from './changes.ts';
import { demoModels } from './demo/models.ts';
import { fitsOperation, guessOperation } from './gateway/endpoint-types.ts';
import { fetchModelList, type ListedModel, type ModelListRequest } from './gateway/model-list.ts';
import type { Network } from './gateway/network.ts';
import type { ModelUses } from './storage/model-uses.ts';

const FRESH_MS = 60_000;

export type ModelSuggester = ReturnType<typeof createModelSuggester>;

/**
 * `isLate` is true if suggestions were served before the list arrived, so the page must refetch.
 */
type Listing = { at: number; list: Promise<ListedModel[]>; isLate: boolean };

/** Maximum time to wait for a slow model list before suggesting only models from earlier runs. */
const PATIENCE_MS = 2000;

/** For a used model that isn't in the gateway's list, only the name is known. */
const nameOnly = { ownedBy: null, used: false, fits: null, description: null };

/** Sorts by last use, then by support for the operation. */
function inOrder(known: readonly ModelSuggestion[], used: readonly string[]): ModelSuggestion[] {
  const byId = new Map(known.map((model) => [model.id, model]));
  const recent = used.map((id) => ({ ...nameOnly, id, ...byId.get(id), used: true }));
  const others = known.filter(({ id }) => !used.includes(id));
  const fitting = (fits: boolean | null) => others.filter((model) => model.fits === fits);
  return [...recent, ...fitting(true), ...fitting(null), ...fitting(false)];
}

/** Returns the last used, the only or a supported model, or null if the user must choose. */
function preselect(models: readonly ModelSuggestion[], operation: OperationName): string | null {
  const [first] = models;
  if (first === undefined || first.used || (models.length === 1 && first.fits !== false)) {
    return first?.id ?? null;
  }
  const fitting = models.filter(({ fits }) => fits === true);
  const named = fitting.find(({ id }) => guessOperation(id) === operation);
  return (named ?? fitting[0])?.id ?? null;
}

export function createModelSuggester(options: {
  resolve(connectionId: string): Promise<Pick<ModelListRequest, 'baseUrl' | 'access'>>;
  uses: ModelUses;
  network: Network;
  changes: Pick<ChangeEmitter, 'announce'>;
  timeoutsFor(operation: OperationName): Timeouts;
  clock: () => number;
}) {
  const { uses, network, changes, clock } = options;
  const listings = new Map<string, Listing>();
  const versions = new Map<string, number>();
  /** Maps uses not yet confirmed by the gateway to the time of the previous use. */
  const unsettled = new Map<string, number | null>();
  /** Models with a comparison result since the process started. */
  const announced = new Set<string>();
  const listVersion = (connectionId: string) => versions.get(connectionId) ?? 0;

  function listed(connectionId: string, operation: OperationName): Listing {
    const known = listings.get(connectionId);
    if (known && clock() - known.at < FRESH_MS) return known;
    const list = options
      .resolve(connectionId)
      .then(({ baseUrl, access }) =>
        fetchModelList({ baseUrl, access, network, timeouts: options.timeoutsFor(operation) }),
      );
    const listing: Listing = { at: clock(), list, isLate: false };
    listings.set(connectionId, listing);
    const settle = (isFailed: boolean) => {
      if (listings.get(connectionId) !== listing) return;
      // Keep a late failure cached until the page requests suggestions again.
      if (isFailed && !listing.isLate) listings.delete(connectionId);
      if (!listing.isLate) return;
      listing.at = clock();
      changes.announce('models', connectionId);
    };
    list.then(
      () => settle(false),
      () => settle(true),
    );
    return listing;
  }

  function forgetList(connectionId: string): void {
    versions.set(connectionId, listVersion(connectionId) + 1);
    listings.delete(connectionId);
    changes.announce('models', connectionId);
  }

  return {
    /** Moves the run's model to the top of the suggestions. */
    remember({
      connectionId,
      operation,
      model,
    }: Pick<RunSummary, 'connectionId' | 'operation' | 'model'>): void {
      if (model === '') return;
      const before = uses.remember(connectionId, operation, model);
      const use = getKey(connectionId, operation, model);
      // Among parallel runs, the first one has the time before all of them.
      if (!unsettled.has(use)) unsettled.set(use, before);
      changes.announce('models', connectionId);
    },
    /** Updates the suggestion after a run; a model that the gateway rejected counts as unused. */
    settle({
      connectionId,
      operation,
      model,
      error,
      comparisonId,
    }: Pick<RunSummary, 'connectionId' | 'operation' | 'model' | 'error' | 'comparisonId'>): void {
      const use = getKey(connectionId, operation, model);
      if (comparisonId !== null && error === null && !announced.has(use)) {
        announced.add(use);
        changes.announce('models', connectionId);
      }
      const before = unsettled.get(use);
      unsettled.delete(use);
      if (before === undefined || error?.kind !== 'not-found') return;
      uses.takeBack(connectionId, operation, model, before);
      changes.announce('models', connectionId);
    },
    /** Incremented when the address or key changes, so that outdated lists are ignored. */
    listVersion,
    /** Caches the list of a connection test unless `version` is outdated. */
    learn(connectionId: string, version: number, models: ListedModel[]): void {
      if (version !== listVersion(connectionId)) return;
      listings.set(connectionId, {
        at: clock(),
        list: Promise.resolve(models),
        isLate: false,
      });
      changes.announce('models', connectionId);
    },
    /** Clears the cached list because the connection's address or key changed. */
    forgetList,
    forget(connectionId: string): void {
      uses.forget(connectionId);
      forgetList(connectionId);
    },

    async suggest(connectionId: string, operation: OperationName): Promise<ModelSuggestions> {
      const used = uses.used(connectionId, operation);
      // Suggest models from comparisons only if no other model was used.
      const compared = used.length > 0 ? [] : uses.compared(connectionId, operation);
      const suggestions = (known: readonly ModelSuggestion[]): ModelSuggestions => {
        const models = inOrder(joined(known, compared), used);
        const preselected = preselect(models, operation) ?? compared[0] ?? null;
        return { models, preselected, listProblem: null };
      };
      if (connectionId === 'demo') {
        const known = demoModels[operation].map((model) => ({ ...nameOnly, ...model, fits: true }));
        return suggestions(known);
      }
      const listing = listed(connectionId, operation);
      try {
        const list = await (used.length === 0 ? listing.list : inTime(listing.list, PATIENCE_MS));
        if (list === null) {
          listing.isLate = true;
          return suggestions([]);
        }
        const known = list.map((model) => ({
          ...nameOnly,
          id: model.id,
          ownedBy: model.ownedBy,
          fits: fitsOperation(model, operation),
        }));
        return suggestions(known);
      } catch (cause) {
        if (!(cause instanceof UserFacingError)) throw cause;
        if (listings.get(connectionId) === listing) listings.delete(connectionId);
        return { ...suggestions([]), listProblem: cause.error.message };
      }
    },
  };
}

function getKey(connectionId: string, operation: OperationName, model: string): string {
  return JSON.stringify([connectionId, operation, model]);
}

/** Adds used models that are missing from the gateway's list. */
function joined(known: readonly ModelSuggestion[], ids: readonly string[]): ModelSuggestion[] {
  const listed = new Set(known.map(({ id }) => id));
  const others = ids.filter((id) => !listed.has(id));
  return [...known, ...others.map((id) => ({ ...nameOnly, id }))];
}

async function inTime<Value>(value: Promise<Value>, ms: number): Promise<Value | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, ms, null);
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}
