/** Requests model facts and voices that `GET /v1/models` lacks; failures are ignored. */
import { getNumber } from '../../shared/exact-number.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { type ListedModel, type ListedVoice, noFacts } from '../../shared/model-facts.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { type Rates, ratesSchema } from '../../shared/prices.ts';
import { resolveEndpoint } from '../gateway/wire-request.ts';
import { readEndpointTypes } from './endpoint-types.ts';
import { readModelFacts, roundRate } from './model-facts.ts';
import {
  type ModelListRequest,
  mergeModel,
  parseModelRows,
  requestDocument,
} from './model-list.ts';

export interface ModelDetails {
  models: ListedModel[];
  voices: ListedVoice[];
}

/** Details are optional, so don't keep a slow gateway busy for longer. */
const PATIENCE_MS = 15_000;

/** Ollama requires one request per model. */
const MAX_SHOWN_MODELS = 50;

/**
 * Adds facts from other endpoints. Never rejects; if the gateway doesn't respond, returns `before`,
 * which has the same models with the facts known earlier.
 */
export async function fetchModelDetails(
  request: ModelListRequest,
  models: ListedModel[],
  before: ModelDetails,
): Promise<ModelDetails> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const ask: Ask = async (path, json = null) => {
    try {
      const url = resolveEndpoint(request.baseUrl, path);
      const { status, body } = await requestDocument({ ...request, signal }, url, json);
      return status !== null && status >= 200 && status < 300 ? parseJson(body) : undefined;
    } catch {
      return undefined;
    }
  };
  const [voices, detailed] = await Promise.all([
    ask('/v1/audio/voices'),
    addDetails(ask, models, before.models),
  ]);
  return {
    models: detailed ?? before.models,
    voices: voices === undefined ? before.voices : parseVoices(voices),
  };
}

type Ask = (path: string, json?: string | null) => Promise<JsonValue | undefined>;

/** Recognizes local servers by the owner of their models. Returns null if none responds. */
async function addDetails(
  ask: Ask,
  models: ListedModel[],
  before: ListedModel[],
): Promise<ListedModel[] | null> {
  const owners = new Set(models.map(({ ownedBy }) => ownedBy));
  if (owners.has('organization_owner')) return addLmStudio(ask, models);
  if (owners.has('llamacpp')) return addLlamaCpp(ask, models);
  if (owners.has('library')) return addOllama(ask, before);
  const isTold = models.some(
    ({ facts, endpointTypes }) => facts !== null || endpointTypes !== null,
  );
  if (!isTold && models.length > 0) return addLiteLlm(ask, models);
  const hasTypes = models.some(({ endpointTypes }) => endpointTypes !== null);
  const hasRates = models.some(({ facts }) => (facts?.rates ?? null) !== null);
  return hasTypes && !hasRates ? addNewApi(ask, models) : models;
}

/** https://lmstudio.ai/docs/developer/rest/endpoints#get-apiv0models */
async function addLmStudio(ask: Ask, models: ListedModel[]): Promise<ListedModel[] | null> {
  const others = parseModelRows(await ask('/api/v0/models'));
  if (others === null) return null;
  const byId = new Map(others.map((model) => [model.id, model]));
  return models.map((model) => {
    const other = byId.get(model.id);
    return other === undefined ? model : mergeModel(model, other);
  });
}

/** llama.cpp serves one model, whose context may be shorter than in training. */
async function addLlamaCpp(ask: Ask, models: ListedModel[]): Promise<ListedModel[] | null> {
  const [model] = models;
  if (model === undefined || models.length > 1) return models;
  const properties = await ask('/props');
  if (!isJsonObject(properties)) return null;
  return [mergeModel({ ...model, facts: readModelFacts(properties) }, model)];
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md#show-model-information */
async function addOllama(ask: Ask, models: ListedModel[]): Promise<ListedModel[]> {
  const detailed: ListedModel[] = [];
  for (const model of models) {
    const known = detailed.length < MAX_SHOWN_MODELS && model.facts === null;
    const shown = known ? await ask('/api/show', JSON.stringify({ model: model.id })) : undefined;
    detailed.push(isJsonObject(shown) ? mergeModel(model, readShownModel(model, shown)) : model);
  }
  return detailed;
}

function readShownModel(model: ListedModel, shown: JsonObject): ListedModel {
  const { model_info: info, parameters } = shown;
  const trained = isJsonObject(info)
    ? Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1]
    : undefined;
  const set = typeof parameters === 'string' ? /^num_ctx\s+(\d+)/m.exec(parameters)?.[1] : null;
  const facts = readModelFacts({ ...shown, context_length: set ?? trained ?? null });
  return { ...model, endpointTypes: readEndpointTypes(shown), facts };
}

/** A model has several rows if the proxy balances its requests between deployments. */
async function addLiteLlm(ask: Ask, models: ListedModel[]): Promise<ListedModel[] | null> {
  const document = await ask('/v1/model/info');
  const rows = isJsonObject(document) ? document.data : null;
  if (!Array.isArray(rows)) return null;
  const byName = Map.groupBy(rows.filter(isJsonObject), ({ model_name }) => model_name);
  return models.map((model) => {
    const deployments = (byName.get(model.id) ?? [])
      .map(({ model_info }) => model_info)
      .filter(isJsonObject)
      .map((info) => ({
        ...model,
        endpointTypes: readEndpointTypes(info),
        facts: readModelFacts(info),
      }));
    return withCommonRates(deployments.reduce(mergeModel, model), deployments);
  });
}

/** Which deployment answers isn't known in advance, so its price is unknown if prices differ. */
function withCommonRates(model: ListedModel, deployments: readonly ListedModel[]): ListedModel {
  const [rates, ...others] = deployments.map(({ facts }) => facts?.rates ?? null);
  if (model.facts === null || others.every((other) => isSameJson(other, rates))) return model;
  return { ...model, facts: { ...model.facts, rates: null } };
}

/**
 * new-api lists prices separately from models, whose rows have endpoint types:
 * https://github.com/QuantumNous/new-api/blob/main/model/pricing.go
 */
async function addNewApi(ask: Ask, models: ListedModel[]): Promise<ListedModel[]> {
  const document = await ask('/api/pricing');
  if (!isJsonObject(document) || !Array.isArray(document.data)) return models;
  const groups = isJsonObject(document.group_ratio) ? document.group_ratio : {};
  const rows = new Map(document.data.filter(isJsonObject).map((row) => [row.model_name, row]));
  return models.map((model) => {
    const row = rows.get(model.id);
    const rates = row === undefined ? null : readRatios(row, groups);
    return rates === null ? model : mergeModel(model, { ...model, facts: { ...noFacts, rates } });
  });
}

/** The price of a million input tokens at a model ratio and a group ratio of 1. */
const DOLLARS_PER_RATIO = 2;

/** Caching tokens for an hour costs this much more; the list has only the five-minute price. */
const HOUR_CACHE_FACTOR = 6 / 3.75;

/** Returns null if the model isn't billed by token, or if the group's ratio is unknown. */
function readRatios(row: JsonObject, groups: JsonObject): Rates | null {
  const { model_ratio, completion_ratio, cache_ratio, create_cache_ratio } = row;
  const ratio = getNumber(model_ratio);
  const group = findGroupRatio(row.enable_groups, groups);
  const isByToken = getNumber(row.quota_type) === 0 && row.billing_mode === undefined;
  if (!isByToken || ratio === null || ratio <= 0 || group === null) return null;
  const input = ratio * group * DOLLARS_PER_RATIO;
  const multiply = (value: JsonValue | undefined, more = 1) => {
    const factor = getNumber(value);
    return factor === null ? null : roundRate(input * factor * more);
  };
  const { data } = ratesSchema.safeParse({
    inputPerMillionTokens: roundRate(input),
    outputPerMillionTokens: multiply(completion_ratio ?? 1),
    cachedInputPerMillionTokens: multiply(cache_ratio),
    cacheWritePerMillionTokens: multiply(create_cache_ratio),
    hourCacheWritePerMillionTokens: multiply(create_cache_ratio, HOUR_CACHE_FACTOR),
  });
  return data ?? null;
}

/** The list doesn't say which group a key belongs to; most belong to `default`. */
function findGroupRatio(enabled: JsonValue | undefined, groups: JsonObject): number | null {
  const names = Array.isArray(enabled) ? enabled : [];
  const isEnabled = (name: string) => names.includes(name) || names.includes('all');
  const ratios = Object.entries(groups)
    .filter(([name]) => isEnabled(name))
    .map(([, ratio]) => getNumber(ratio));
  if (new Set(ratios).size === 1) return ratios[0] ?? null;
  return isEnabled('default') ? getNumber(groups.default) : null;
}

const MAX_VOICES = 2000;
const VOICE_LISTS = ['voices', 'data', 'items'];
const VOICE_IDS = ['voice_id', 'id', 'slug', 'voice', 'value', 'name'];
const VOICE_NAMES = ['name', 'label', 'display_name', 'title'];
const VOICE_MODELS = ['model_id', 'model'];

/**
 * Reads `GET /v1/audio/voices`, which no specification describes: Kokoro-FastAPI sends names under
 * `voices`, vLLM-Omni too, and Mistral sends objects under `items`.
 */
export function parseVoices(document: JsonValue | undefined): ListedVoice[] {
  const lists = isJsonObject(document) ? VOICE_LISTS.map((name) => document[name]) : [document];
  const rows = lists.find(Array.isArray) ?? [];
  const voices = rows.flatMap((row): ListedVoice[] => {
    if (typeof row === 'string') return row === '' ? [] : [{ id: row, name: null, model: null }];
    // Some servers answer any path with their list of models.
    if (!isJsonObject(row) || row.object === 'model') return [];
    const id = findText(row, VOICE_IDS);
    const name = findText(row, VOICE_NAMES);
    if (id === null) return [];
    return [{ id, name: name === id ? null : name, model: findText(row, VOICE_MODELS) }];
  });
  const byId = new Map(voices.map((voice) => [JSON.stringify([voice.model, voice.id]), voice]));
  return [...byId.values()].slice(0, MAX_VOICES);
}

function findText(row: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'string' && value !== '' && value.length <= 300) return value;
  }
  return null;
}
