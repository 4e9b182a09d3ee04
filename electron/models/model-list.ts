/** Fetches the gateway's model list (`GET /v1/models`), which also serves as a connection test. */
import type { CertificateFacts } from '../../shared/certificate.ts';
import type { ConnectionTest } from '../../shared/connection.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { isJsonObject, type JsonValue } from '../../shared/json.ts';
import { fillFacts, type ListedModel, type ModelFacts } from '../../shared/model-facts.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { HeaderList } from '../../shared/run.ts';
import type { Timeouts } from '../../shared/settings.ts';
import { addQuery, applyTimeouts } from '../gateway/access.ts';
import { type ExchangeOutcome, exchange } from '../gateway/exchange.ts';
import type { ExchangeOptions, WireRequest } from '../gateway/exchange-types.ts';
import type { Network } from '../gateway/network.ts';
import { followRedirects, type ResponseHead } from '../gateway/response-head.ts';
import type { GatewayAccess } from '../gateway/route.ts';
import { isUntrusted } from '../gateway/transport-errors.ts';
import { resolveEndpoint } from '../gateway/wire-request.ts';
import { redactAll } from '../redaction/redactor.ts';
import { readEndpointTypes } from './endpoint-types.ts';
import { pickKeyModel } from './key-model.ts';
import { readModelFacts } from './model-facts.ts';

export interface ModelListRequest {
  baseUrl: string;
  access: GatewayAccess;
  network: Network;
  signal?: AbortSignal;
  timeouts: Timeouts;
}

export interface ModelListResponse {
  url: URL;
  status: number | null;
  models: ListedModel[] | null;
  durationMs: number;
  outcome: ExchangeOutcome;
}

/** Google's model IDs have this prefix, and are named `name`. */
const PREFIX = 'models/';

/** Rejects with a `UserFacingError` if the list can't be fetched. */
export async function fetchModelList(request: ModelListRequest): Promise<ListedModel[]> {
  const { outcome, models } = await requestModelList(request);
  if (models !== null) return models;
  throw new UserFacingError(outcome.status === 'succeeded' ? noList : outcome.error);
}

/** Rewords advice about requests and runs, because a model list has neither. */
function adaptNextStep(error: AppError): AppError {
  const isRequest = /\brequest\b/.test(error.nextStep);
  const nextStep = isRequest
    ? 'Check this connection’s base URL.'
    : error.nextStep.replace(/^Retry(?!,)[^.]*/, 'Try again in a moment');
  return { ...error, nextStep };
}

/**
 * Sends a GET request, or a POST request if there is a body, with the connection's key. Follows
 * redirects within its origin.
 */
export async function requestDocument(
  request: ModelListRequest,
  url: URL,
  json: string | null = null,
  defaultHeaders: HeaderList = [],
): Promise<{ status: number | null; body: string; durationMs: number; outcome: ExchangeOutcome }> {
  const startedAt = performance.now();
  const getElapsedMs = () => performance.now() - startedAt;
  const options: ExchangeOptions = {
    access: request.access,
    network: request.network,
    signal: request.signal ?? new AbortController().signal,
    timeouts: request.timeouts,
    now: getElapsedMs,
  };
  const sent: Pick<WireRequest, 'method' | 'headers' | 'body'> =
    json === null
      ? { method: 'GET', headers: [], body: null }
      : { method: 'POST', headers: [['Content-Type', 'application/json']], body: json };
  const { head, body, outcome } = await followRedirects(url, 'same-origin', (to, redirects) =>
    readDocument({ ...sent, url: to, redirects, defaultHeaders, accepts: 'json-list' }, options),
  );
  return { status: head?.status ?? null, body, durationMs: getElapsedMs(), outcome };
}

export async function requestModelList(request: ModelListRequest): Promise<ModelListResponse> {
  const url = resolveEndpoint(request.baseUrl, '/v1/models');
  const { status, body, durationMs, outcome } = await requestDocument(request, url);
  const good = status !== null && status >= 200 && status < 300;
  return {
    url,
    status,
    models: good ? parseModels(body) : null,
    durationMs,
    outcome:
      outcome.status === 'succeeded'
        ? outcome
        : { ...outcome, error: adaptNextStep(outcome.error) },
  };
}

async function readDocument(request: WireRequest, options: ExchangeOptions) {
  const received: { head: ResponseHead | null; body: string } = { head: null, body: '' };
  const outcome = await exchange(
    request,
    {
      request() {},
      response(head) {
        received.head = head;
      },
      chunks: () => ({ produced: 0, rest: 'more' }),
      body(text) {
        received.body = text;
      },
    },
    options,
  );
  return { ...received, outcome };
}

/** Skips entries that are not models; returns null if the document has no list. */
export function parseModels(text: string): ListedModel[] | null {
  return parseModelRows(parseJson(text));
}

export function parseModelRows(json: JsonValue | undefined): ListedModel[] | null {
  const lists = isJsonObject(json) ? [json.data, json.models] : [json];
  const list = lists.find(Array.isArray);
  if (list === undefined) return null;
  // In other lists, `name` is a display name.
  const isNamed = isJsonObject(json) && !Array.isArray(json.data);
  const models = mergeModels(list.flatMap((entry) => parseModel(entry, isNamed) ?? []));
  // llama.cpp repeats its list under `models`, where it adds the models' capabilities.
  const others = isJsonObject(json) && !isNamed && Array.isArray(json.models) ? json.models : [];
  const named = others.flatMap((entry) => parseModel(entry, true) ?? []);
  const facts = new Map(named.map((model) => [model.id, model.facts]));
  return models.map((model) => withFacts(model, facts.get(model.id)));
}

function parseModel(entry: JsonValue, isNamed: boolean): ListedModel | null {
  const row = typeof entry === 'string' ? { id: entry } : entry;
  if (!isJsonObject(row)) return null;
  const { id: given = '', name, owned_by: ownedBy } = row;
  if (typeof given !== 'string') return null;
  const isId = typeof name === 'string' && (isNamed || name.startsWith(PREFIX));
  const id = given || (isId ? name.replace(PREFIX, '') : '');
  if (id === '') return null;
  return {
    id,
    ownedBy: typeof ownedBy === 'string' ? ownedBy : null,
    endpointTypes: readEndpointTypes(row),
    facts: readModelFacts(row),
  };
}

function withFacts(model: ListedModel, facts: ModelFacts | null | undefined): ListedModel {
  if (facts === null || facts === undefined) return model;
  return { ...model, facts: model.facts === null ? facts : fillFacts(model.facts, facts) };
}

/** Lists each ID once, with its rows merged. */
function mergeModels(models: readonly ListedModel[]): ListedModel[] {
  const byId = new Map<string, ListedModel>();
  for (const model of models) {
    const known = byId.get(model.id);
    byId.set(model.id, known === undefined ? model : mergeModel(known, model));
  }
  return [...byId.values()];
}

/** Fills in unknown facts of `model` from `other`. */
export function mergeModel(model: ListedModel, other: ListedModel): ListedModel {
  return {
    ...withFacts(model, other.facts),
    endpointTypes: model.endpointTypes ?? other.endpointTypes,
  };
}

const noList: AppError = appError(
  'malformed-response',
  'The gateway responded, but not with a list of models.',
  'Enter a model ID.',
);

export async function testConnection(
  request: ModelListRequest,
): Promise<{ test: ConnectionTest; models: ListedModel[] | null }> {
  const response = await requestModelList(request);
  const { models, outcome } = response;
  const { access } = request;
  const keyModel = await findKeyModel(request, models);
  const verdict = describe(response, access.key !== null, keyModel !== null);
  const error = verdict.hasError && outcome.status !== 'succeeded' ? outcome.error : null;
  const test: ConnectionTest = {
    ok: verdict.ok,
    summary: verdict.summary,
    url: redactAll(access.secrets).text(addQuery(response.url, access.query).shown.href),
    status: response.status,
    modelCount: models === null ? null : models.length,
    models: models === null ? null : models.map(({ id }) => id),
    durationMs: response.durationMs,
    error,
    certificate: error !== null && isUntrusted(error) ? await readCertificate(request) : null,
    keyModel,
  };
  return { test, models };
}

/** Returns null if the list needs the key, or if no listed model answers chat requests. */
async function findKeyModel(
  request: ModelListRequest,
  models: readonly ListedModel[] | null,
): Promise<string | null> {
  if (models === null || request.access.key === null) return null;
  const model = pickKeyModel(models);
  if (model === null) return null;
  const withoutKey = { ...request, access: { ...request.access, key: null } };
  return (await requestModelList(withoutKey)).models === null ? null : model;
}

/** Returns null if the gateway can't be reached again. */
async function readCertificate(request: ModelListRequest): Promise<CertificateFacts | null> {
  const { access, network, timeouts, baseUrl } = request;
  const { connectSeconds } = applyTimeouts(timeouts, access.timeouts);
  const limit = AbortSignal.timeout((connectSeconds || MAX_CERTIFICATE_SECONDS) * 1000);
  const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit;
  return network
    .readCertificate(new URL(baseUrl), access.route, connectSeconds, signal)
    .catch(() => null);
}

const MAX_CERTIFICATE_SECONDS = 30;

/** Shown in green if `ok`, in red if `hasError`, and in amber otherwise. */
type Verdict = { ok: boolean; hasError: boolean; summary: string };

const reportSuccess = (summary: string): Verdict => ({ ok: true, hasError: false, summary });
const reportUnsure = (summary: string): Verdict => ({ ok: false, hasError: false, summary });
const reportError = (summary: string): Verdict => ({ ok: false, hasError: true, summary });

function describe(response: ModelListResponse, hasKey: boolean, isPublic: boolean): Verdict {
  const { models, outcome } = response;
  if (models !== null) {
    const number = models.length === 0 ? 'no' : models.length;
    const count = models.length === 1 ? '1 model' : `${number} models`;
    const note = isPublic ? ' It lists them without a key too, so the key isn’t tested yet.' : '';
    return reportSuccess(`Connected. The gateway lists ${count}.${note}`);
  }
  if (outcome.status === 'succeeded') return reportUnsure(noList.message);
  return withoutList(response, outcome.error, hasKey);
}

function withoutList(
  { url, status }: Pick<ModelListResponse, 'url' | 'status'>,
  error: AppError,
  hasKey: boolean,
): Verdict {
  const isWebPage = /^\s*</.test(error.gateway?.bodyExcerpt ?? '');
  const webPage = 'The gateway returned a web page, not an API response';
  switch (status) {
    case null:
      return reportError(error.message);
    case 401:
      return reportError(
        hasKey
          ? 'The gateway responded but rejected the key.'
          : 'The gateway requires a key, and this connection has none.',
      );
    case 403:
      return reportError('Connected, but this key can’t list models.');
    case 404:
    case 405:
    case 501:
      return reportUnsure(
        isWebPage
          ? `${webPage}, at ${url.href}. Check the base URL.`
          : `The gateway doesn’t list models at ${url.href}. Check the base URL, or enter model IDs manually.`,
      );
    case 429:
      return reportSuccess('Connected, but rate limited.');
    default:
      return reportError(isWebPage ? `${webPage}.` : error.message);
  }
}
