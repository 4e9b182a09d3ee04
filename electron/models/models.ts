/** Suggests models from the gateway's list and from earlier runs, with their known facts. */
import type { ModelSuggestion, ModelSuggestions } from '../../shared/contract/models.ts';
import { UserFacingError } from '../../shared/errors.ts';
import type { ListedModel, ListedVoice, ModelFacts } from '../../shared/model-facts.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { KnownPrice } from '../../shared/prices.ts';
import type { RunSummary } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import { demoModels, findDemoFacts } from '../demo/models.ts';
import type { Network } from '../gateway/network.ts';
import type { Prices } from '../prices/prices.ts';
import type { ModelLists } from '../storage/model-lists.ts';
import type { ModelUse, ModelUses } from '../storage/model-uses.ts';
import { findFormat, fitsOperation, guessOperation } from './endpoint-types.ts';
import { fetchModelDetails, type ModelDetails } from './model-details.ts';
import { fetchModelList, type ModelListRequest, mergeModel } from './model-list.ts';

const FRESH_MS = 60_000;

/**
 * `isLate` is true if suggestions were served before the list arrived, so the page must refetch.
 */
type Listing = { at: number; list: Promise<ListedModel[]>; isLate: boolean };

/** Maximum time to wait for a slow model list before suggesting only models from earlier runs. */
const PATIENCE_MS = 2000;

type Gateway = Pick<ModelListRequest, 'baseUrl' | 'access'>;

/** A model without its price, which changes independently. */
type KnownModel = Omit<ModelSuggestion, 'price'>;

/** For a used model that isn't in the gateway's list, only the name is known. */
const nameOnly = {
  ownedBy: null,
  usedAt: null,
  fits: null,
  description: null,
  facts: null,
  format: null,
};

type Use = { id: string } & ModelUse;

/** Sorts by last use, then by support for the operation. */
function orderModels(known: readonly KnownModel[], used: readonly Use[]): KnownModel[] {
  const byId = new Map(known.map((model) => [model.id, model]));
  const ids = new Set(used.map(({ id }) => id));
  const recent = used.map(({ id, ...use }) => ({ ...nameOnly, id, ...byId.get(id), ...use }));
  const others = known.filter(({ id }) => !ids.has(id));
  const fitting = (fits: boolean | null) => others.filter((model) => model.fits === fits);
  return [...recent, ...fitting(true), ...fitting(null), ...fitting(false)];
}

/**
 * Returns the last used or only model, else one that seems to support the operation by its details
 * or name; null if the user must choose.
 */
function preselect(models: readonly KnownModel[], operation: OperationName): string | null {
  const [first] = models;
  if (
    first === undefined ||
    first.usedAt !== null ||
    (models.length === 1 && first.fits !== false)
  ) {
    return first?.id ?? null;
  }
  const fitting = models.filter(({ fits }) => fits === true);
  const possible = models.filter(({ fits }) => fits === null);
  const isNamed = ({ id }: KnownModel) => guessOperation(id) === operation;
  // Most models support chat, even if their names don't say so.
  const canChat = ({ id }: KnownModel) => operation === 'chat' && guessOperation(id) === undefined;
  const chosen =
    fitting.find(isNamed) ?? fitting[0] ?? possible.find(isNamed) ?? possible.find(canChat);
  return chosen?.id ?? null;
}

export interface ModelSuggester {
  /** Moves the run's model to the top of the suggestions. */
  remember(run: Pick<RunView, 'connectionId' | 'operation' | 'model' | 'format'>): void;
  /** Updates the suggestion after a run; a model that the gateway rejected counts as unused. */
  settle(
    run: Pick<RunSummary, 'connectionId' | 'operation' | 'model' | 'error' | 'comparisonId'>,
  ): void;
  /** Incremented when the address or key changes, so that outdated lists are ignored. */
  listVersion(connectionId: string): number;
  /** Caches the list of a connection test unless `version` is outdated. */
  learn(connectionId: string, version: number, models: ListedModel[], gateway: Gateway): void;
  /** Clears the cached list because the connection's address or key changed. */
  forgetList(connectionId: string): void;
  /** Forgets the list and the uses of a removed connection. */
  forget(connectionId: string): void;
  /**
   * Waits for the gateway's list unless an earlier one is known, and for two seconds at most if
   * models were used before; `listProblem` is null, or the reason that the list is unavailable.
   */
  suggest(connectionId: string, operation: OperationName): Promise<ModelSuggestions>;
  /** Returns the known facts without asking the gateway; null if there are none. */
  facts(
    connectionId: string,
    model: string,
  ): { facts: ModelFacts | null; price: KnownPrice | null };
  /** Returns the voices in the cached list. */
  voices(connectionId: string): ListedVoice[];
  /** Ignores details that arrive later. */
  close(): void;
}

export function createModelSuggester(options: {
  resolve(connectionId: string): Promise<Gateway>;
  uses: ModelUses;
  lists: ModelLists;
  prices: Pick<Prices, 'getKnown' | 'lookUp' | 'reprice'>;
  network: Network;
  changes: Pick<ChangeEmitter, 'announce'>;
  getTimeouts(operation: OperationName): Timeouts;
  clock: () => number;
}): ModelSuggester {
  const { uses, lists, prices, network, changes, clock } = options;
  const listings = new Map<string, Listing>();
  const versions = new Map<string, number>();
  /** Maps uses not yet confirmed by the gateway to the previous use. */
  const unsettled = new Map<string, ModelUse | null>();
  /** Models with a comparison result since the process started. */
  const announced = new Set<string>();
  let isClosed = false;
  const listVersion = (connectionId: string) => versions.get(connectionId) ?? 0;

  function ensureListing(connectionId: string, operation: OperationName): Listing {
    const known = listings.get(connectionId);
    if (known && clock() - known.at < FRESH_MS) return known;
    const version = listVersion(connectionId);
    const timeouts = options.getTimeouts(operation);
    const list = options.resolve(connectionId).then(async ({ baseUrl, access }) => {
      const request = { baseUrl, access, network, timeouts };
      const models = await fetchModelList(request);
      void keep(connectionId, version, models, request);
      return models;
    });
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

  /** Stores the list immediately, and again once its details arrive. */
  async function keep(
    connectionId: string,
    version: number,
    models: ListedModel[],
    request: ModelListRequest,
  ): Promise<void> {
    const known = lists.get(connectionId);
    const store = (details: ModelDetails) => {
      if (isClosed || version !== listVersion(connectionId)) return false;
      const { isChanged, repriced } = lists.put(connectionId, details);
      // Runs that have a cost keep it, because they were billed at an earlier price.
      prices.reprice(connectionId, repriced, { onlyUnpriced: true });
      return isChanged;
    };
    const before = {
      models: models.map((model) => fill(model, known?.byId)),
      voices: known?.voices ?? [],
    };
    store(before);
    if (store(await fetchModelDetails(request, models, before))) {
      changes.announce('models', connectionId);
    }
  }

  function forgetList(connectionId: string): void {
    lists.forget(connectionId);
    versions.set(connectionId, listVersion(connectionId) + 1);
    listings.delete(connectionId);
    changes.announce('models', connectionId);
  }

  return {
    remember({
      connectionId,
      operation,
      model,
      format = '',
    }: Pick<RunView, 'connectionId' | 'operation' | 'model' | 'format'>): void {
      if (model === '') return;
      // A long list isn't resent if its order is unchanged.
      const isLatest = uses.listUsed(connectionId, operation)[0]?.id === model;
      const before = uses.remember(connectionId, operation, model, format);
      const use = getKey(connectionId, operation, model);
      // Only the first of several parallel runs sees the use before all of them.
      if (!unsettled.has(use)) unsettled.set(use, before);
      if (!isLatest) changes.announce('models', connectionId);
    },
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
    listVersion,
    learn(connectionId: string, version: number, models: ListedModel[], gateway: Gateway): void {
      if (version !== listVersion(connectionId)) return;
      listings.set(connectionId, {
        at: clock(),
        list: Promise.resolve(models),
        isLate: false,
      });
      void keep(connectionId, version, models, {
        ...gateway,
        network,
        timeouts: options.getTimeouts('chat'),
      });
      changes.announce('models', connectionId);
    },
    forgetList,
    forget(connectionId: string): void {
      uses.forget(connectionId);
      forgetList(connectionId);
    },

    async suggest(connectionId: string, operation: OperationName): Promise<ModelSuggestions> {
      const used = uses.listUsed(connectionId, operation);
      // Suggest models from comparisons only if no other model was used.
      const compared = used.length > 0 ? [] : uses.listCompared(connectionId, operation);
      const suggestions = (known: readonly KnownModel[]): ModelSuggestions => {
        const models = orderModels(joinModels(known, compared), used);
        const preselected = preselect(models, operation) ?? compared[0] ?? null;
        const findPrice = prices.lookUp(connectionId);
        const priced = models.map((model) => ({
          ...model,
          price: findPrice(model.id) ?? (connectionId === 'demo' ? toDemoPrice(model.facts) : null),
        }));
        return { models: priced, preselected, listProblem: null };
      };
      if (connectionId === 'demo') {
        const known = demoModels[operation].map((model) => ({ ...nameOnly, ...model, fits: true }));
        return suggestions(known);
      }
      const getStoredModels = () =>
        (lists.get(connectionId)?.models ?? []).map((model) => ({
          ...nameOnly,
          ...model,
          fits: fitsOperation(model, operation),
          // Models of a connection usually share an endpoint, unless the list names another.
          format: findFormat(model, operation) ?? used[0]?.format ?? '',
        }));
      const listing = ensureListing(connectionId, operation);
      try {
        const isKnown = lists.get(connectionId) !== null;
        const patience = isKnown ? 0 : used.length === 0 ? null : PATIENCE_MS;
        const list = await waitAtMost(listing.list, patience);
        listing.isLate ||= list === null;
        return suggestions(getStoredModels());
      } catch (cause) {
        if (!(cause instanceof UserFacingError)) throw cause;
        if (listings.get(connectionId) === listing) listings.delete(connectionId);
        return { ...suggestions(getStoredModels()), listProblem: cause.error.message };
      }
    },
    facts(connectionId: string, model: string) {
      const facts =
        connectionId === 'demo'
          ? findDemoFacts(model)
          : (lists.get(connectionId)?.byId.get(model)?.facts ?? null);
      return { facts, price: prices.getKnown(connectionId, model) };
    },
    voices(connectionId: string): ListedVoice[] {
      return lists.get(connectionId)?.voices ?? [];
    },
    close(): void {
      isClosed = true;
    },
  };
}

/** Adds facts from an earlier list, until the requests for details respond. */
function fill(model: ListedModel, before: ReadonlyMap<string, ListedModel> | undefined) {
  const known = before?.get(model.id);
  return known === undefined ? model : mergeModel(model, known);
}

/** Shown only where models are chosen, because "$0" next to each answer would be noise. */
function toDemoPrice(facts: ModelFacts | null): KnownPrice | null {
  const rates = facts?.rates ?? null;
  return rates && { rates, source: { kind: 'gateway', readAt: 0 } };
}

function getKey(connectionId: string, operation: OperationName, model: string): string {
  return JSON.stringify([connectionId, operation, model]);
}

/** Adds used models that are missing from the gateway's list. */
function joinModels(known: readonly KnownModel[], ids: readonly string[]): KnownModel[] {
  const listed = new Set(known.map(({ id }) => id));
  const others = ids.filter((id) => !listed.has(id));
  return [...known, ...others.map((id) => ({ ...nameOnly, id }))];
}

/** Returns null if the value takes longer than `ms`; waits for it if `ms` is null. */
async function waitAtMost<Value>(value: Promise<Value>, ms: number | null): Promise<Value | null> {
  if (ms === null) return value;
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, ms, null);
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}
