/** The gateway's own list of models: `GET /v1/models`. The interface does not show it, so it may be missing. */
import { z } from 'zod';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { Timeouts } from '../../shared/settings.ts';
import { type ExchangeOutcome, exchange } from './exchange.ts';
import type { ExchangeOptions, WireRequest } from './exchange-types.ts';
import { followRedirects } from './follow-redirects.ts';
import type { Network } from './network.ts';
import type { ResponseHead } from './response-head.ts';
import { endpointUrl } from './wire-request.ts';

export interface ListedModel {
  id: string;
  ownedBy: string | null;
  /** The endpoints it answers, in the gateway's words; null if it does not say. */
  endpointTypes: string[] | null;
}

export interface ModelListRequest {
  baseUrl: string;
  key: string | null;
  network: Network;
  signal?: AbortSignal;
  timeouts: Timeouts;
}

export interface ModelListReply {
  url: URL;
  status: number | null;
  /** Null if no list was received. */
  models: ListedModel[] | null;
  durationMs: number;
  outcome: ExchangeOutcome;
}

const PREFIX = 'models/';

const entrySchema = z
  .looseObject({
    id: z.string().optional(),
    /** `models/…`, where the list is that of the family of generateContent. */
    name: z.string().optional().catch(undefined),
    owned_by: z.string().nullable().catch(null).optional(),
    supported_endpoint_types: z.array(z.string()).nullable().catch(null).optional(),
  })
  .transform(({ id, name, owned_by, supported_endpoint_types }) => ({
    id: id ?? '',
    name: name ?? '',
    ownedBy: owned_by ?? null,
    endpointTypes: supported_endpoint_types ?? null,
  }));
/** `{data: […]}` by convention; `{models: […]}` and a bare array are seen too. */
const listSchema = z.union([
  z.looseObject({ data: z.array(z.unknown()) }).transform(({ data }) => data),
  z.looseObject({ models: z.array(z.unknown()) }).transform(({ models }) => models),
  z.array(z.unknown()),
]);

/** Rejects with a `UserFacingError` where the gateway has no list, or does not give it. */
export async function fetchModelList(request: ModelListRequest): Promise<ListedModel[]> {
  const { outcome, models } = await requestModelList(request);
  if (models !== null) return models;
  throw new UserFacingError(outcome.status === 'succeeded' ? noList : outcome.error);
}

/** Nobody has run anything: there is no request of the user's to fix, and nothing to run again. */
function withoutRun(error: AppError): AppError {
  const isRequest = /\brequest\b/.test(error.nextStep);
  const nextStep = isRequest
    ? 'Check the base URL of this connection.'
    : error.nextStep.replace(/^Run it again\b[^.]*/, 'Try again in a moment');
  return { ...error, nextStep };
}

export async function requestModelList(request: ModelListRequest): Promise<ModelListReply> {
  const url = endpointUrl(request.baseUrl, '/v1/models');
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const options: ExchangeOptions = {
    key: request.key,
    network: request.network,
    signal: request.signal ?? new AbortController().signal,
    timeouts: request.timeouts,
    now: elapsed,
  };
  const { head, body, outcome } = await followRedirects(url, 'same-origin', (to, redirects) => {
    const wire = { method: 'GET', url: to, headers: [], body: null, redirects };
    return readDocument({ ...wire, accepts: 'json-list' }, options);
  });
  const status = head?.status ?? null;
  const good = status !== null && status >= 200 && status < 300;
  return {
    url,
    status,
    models: good ? parseModels(body) : null,
    durationMs: elapsed(),
    outcome:
      outcome.status === 'succeeded' ? outcome : { ...outcome, error: withoutRun(outcome.error) },
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

/** Entries that are not models are left out, doubles too. Null if it is not a list at all. */
export function parseModels(text: string): ListedModel[] | null {
  const json = parseJson(text);
  const list = listSchema.safeParse(json);
  if (!list.success) return null;
  // Elsewhere a name is one for people.
  const isNamed = isJsonObject(json) && !Array.isArray(json.data);
  const models = list.data.flatMap((entry): ListedModel[] => {
    const model = entrySchema.safeParse(typeof entry === 'string' ? { id: entry } : entry);
    if (!model.success) return [];
    const { name, ...named } = model.data;
    const isId = isNamed || name.startsWith(PREFIX);
    const id = named.id || (isId ? name.replace(PREFIX, '') : '');
    return id === '' ? [] : [{ ...named, id }];
  });
  const byId = new Map<string, ListedModel>();
  for (const model of models) {
    const known = byId.get(model.id);
    if (known === undefined || known.endpointTypes === null) byId.set(model.id, model);
  }
  return [...byId.values()];
}

const noList: AppError = appError(
  'malformed-response',
  'The gateway responded, but not with a list of models.',
  'Enter a model ID.',
  {},
);
