/** What an operation works with while it carries out one run. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { RunEventBody } from '../../shared/run.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { ResolvedConnection } from '../connections/connections.ts';
import { endpointUrl } from '../gateway/base-url.ts';
import { type ExchangeOutcome, exchange } from '../gateway/exchange.ts';
import type { WireRequest } from '../gateway/exchange-types.ts';
import type { Network } from '../gateway/network.ts';
import type { StoredRun } from '../storage/ledger.ts';
import type { LiveRun } from './live-run.ts';

/** A request under the connection's base URL. */
export type OutgoingRequest = Omit<WireRequest, 'url'> & { path: string };

export interface RunContext {
  readonly request: JsonObject;
  readonly extraBody: JsonObject;
  /** Aborts when the user stops the run. */
  readonly signal: AbortSignal;
  /** The state folded so far. */
  state(): JsonValue;
  record(event: RunEventBody): void;
  /** One HTTP request and response, recorded as the run's next exchange. */
  send(request: OutgoingRequest): Promise<ExchangeOutcome>;
}

export interface RunContextOptions {
  stored: StoredRun;
  run: LiveRun;
  connection: ResolvedConnection;
  timeouts: Timeouts;
  network: Network;
  /** Whether an event brought generated output. */
  produced: (before: JsonValue, after: JsonValue) => boolean;
  /** Stores an event that was just recorded. */
  store: (event: ReturnType<LiveRun['record']>) => void;
  /** After a request is on its way, and after its response head. */
  onProgress: () => void;
}

export function createRunContext(options: RunContextOptions): RunContext {
  const { run, stored } = options;
  let exchanges = 0;
  const record = (event: RunEventBody) => options.store(run.record(event));

  return {
    request: stored.request,
    extraBody: stored.extraBody,
    signal: run.signal,
    state: run.state,
    record,
    send({ path, ...request }) {
      const number = exchanges;
      exchanges += 1;
      return exchange(
        { ...request, url: endpointUrl(stored.baseUrl, path) },
        {
          request(sent) {
            record({ kind: 'request', exchange: number, ...sent });
            options.onProgress();
          },
          response(head) {
            record({ kind: 'response', exchange: number, ...head });
            options.onProgress();
          },
          chunk(frame) {
            const before = run.state();
            record({ kind: 'chunk', exchange: number, ...frame });
            return { produced: options.produced(before, run.state()) };
          },
          body(text, truncated) {
            record({ kind: 'body', exchange: number, text, truncated });
          },
        },
        {
          key: options.connection.key,
          timeouts: options.timeouts,
          signal: run.signal,
          now: run.now,
          network: options.network,
        },
      );
    },
  };
}
