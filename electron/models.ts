/** Suggestions for the model field: the gateway's own list where it has one, and what was used before. */
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

/** A list is fetched again after this long. */
const FRESH_MS = 60_000;

export interface ModelSuggester {
  suggest(connectionId: string, operation: OperationName): Promise<ModelSuggestions>;
  /** The model of a run is suggested first from now on. */
  remember(run: Pick<RunSummary, 'connectionId' | 'operation' | 'model'>): void;
  /** Call it when a run has ended: a model that the gateway doesn't know counts as unused. */
  settle(
    run: Pick<RunSummary, 'connectionId' | 'operation' | 'model' | 'error' | 'comparisonId'>,
  ): void;
  /** Rises when the connection's address or key changes: a list fetched before that is out of date. */
  listVersion(connectionId: string): number;
  /** Stores a list that a connection test fetched from `version` on; ignored if that is outdated. */
  learn(connectionId: string, version: number, models: ListedModel[]): void;
  /** Asks the gateway again: the connection's address or key changed. */
  forgetList(connectionId: string): void;
  /** The connection was removed. */
  forget(connectionId: string): void;
}

/** `isLate`: the list arrived after suggestions were served; subscribers are notified when it settles. */
type Listing = { at: number; list: Promise<ListedModel[]>; isLate: boolean };

/** Suggestions from earlier runs never wait longer than this for a slow model list. */
const PATIENCE_MS = 2000;

/** A model of which only the name is known. */
const nameOnly = { ownedBy: null, used: false, fits: null, description: null };

/** Used ones first, the last one at the top; then what fits, what may fit, and what does not. */
function inOrder(known: readonly ModelSuggestion[], used: readonly string[]): ModelSuggestion[] {
  const byId = new Map(known.map((model) => [model.id, model]));
  const recent = used.map((id) => ({ ...nameOnly, id, ...byId.get(id), used: true }));
  const others = known.filter(({ id }) => !used.includes(id));
  const fitting = (fits: boolean | null) => others.filter((model) => model.fits === fits);
  return [...recent, ...fitting(true), ...fitting(null), ...fitting(false)];
}

/**
 * The last used, the only one, or the first that fits, by its name too where one does; else only the user can know.
 */
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
  resolve(connectionId: string): Promise<Pick<ModelListRequest, 'baseUrl' | 'key'>>;
  uses: ModelUses;
  network: Network;
  changes: Pick<ChangeEmitter, 'announce'>;
  timeoutsFor(operation: OperationName): Timeouts;
  /** Milliseconds from any fixed point, never going back. */
  clock: () => number;
}): ModelSuggester {
  const { uses, network, changes, clock } = options;
  const listings = new Map<string, Listing>();
  const versions = new Map<string, number>();
  /** Uses of which the gateway has not said yet whether it has the model, and when the model was used before. */
  const unsettled = new Map<string, number | null>();
  /** Models with a result in a comparison since the start. */
  const announced = new Set<string>();
  const listVersion = (connectionId: string) => versions.get(connectionId) ?? 0;

  function listed(connectionId: string, operation: OperationName): Listing {
    const known = listings.get(connectionId);
    if (known && clock() - known.at < FRESH_MS) return known;
    const list = options
      .resolve(connectionId)
      .then(({ baseUrl, key }) =>
        fetchModelList({ baseUrl, key, network, timeouts: options.timeoutsFor(operation) }),
      );
    const listing: Listing = { at: clock(), list, isLate: false };
    listings.set(connectionId, listing);
    const settle = (isFailed: boolean) => {
      if (listings.get(connectionId) !== listing) return;
      // A late failure stays until it was reported.
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
    remember({ connectionId, operation, model }) {
      if (model === '') return;
      const before = uses.remember(connectionId, operation, model);
      const use = getKey(connectionId, operation, model);
      // The first of parallel runs knows the earlier state.
      if (!unsettled.has(use)) unsettled.set(use, before);
      changes.announce('models', connectionId);
    },
    settle({ connectionId, operation, model, error, comparisonId }) {
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
    listVersion,
    learn(connectionId, version, models) {
      if (version !== listVersion(connectionId)) return;
      listings.set(connectionId, {
        at: clock(),
        list: Promise.resolve(models),
        isLate: false,
      });
      changes.announce('models', connectionId);
    },
    forgetList,
    forget(connectionId) {
      uses.forget(connectionId);
      forgetList(connectionId);
    },

    async suggest(connectionId, operation) {
      const used = uses.used(connectionId, operation);
      // A model that only comparisons have used is not a usual one, but better than none.
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

/** With those that are not among them. */
function joined(known: readonly ModelSuggestion[], ids: readonly string[]): ModelSuggestion[] {
  const listed = new Set(known.map(({ id }) => id));
  const others = ids.filter((id) => !listed.has(id));
  return [...known, ...others.map((id) => ({ ...nameOnly, id }))];
}

/** Null if it takes longer. */
async function inTime<Value>(value: Promise<Value>, ms: number): Promise<Value | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, ms, null);
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}
