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
import type { PollSchedule } from './poll-schedule.ts';

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
  send(request: OutgoingRequest): Promise<SendResult>;
  /**
   * Resolves `ms` later, but not before the run is followed again where the user stopped that;
   * at once when the run is aborted.
   */
  pauseWhileFollowed(ms: number, isFollowed: () => boolean): Promise<void>;
  /** Resolves when one more poll may go out: all runs share a cap. */
  pollTurn(): Promise<void>;
}

export type SendResult = ExchangeOutcome & {
  /** The number of the exchange within the run. */
  exchange: number;
  /** The text of a reply that was one document; redacted. */
  text: string | null;
};

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
  schedule: PollSchedule;
  /** The number of the first exchange: runs that go on after a restart have some already. */
  firstExchange: number;
  /** After a request is on its way, and after its response head. */
  onProgress: () => void;
}

export function createRunContext(options: RunContextOptions): RunContext {
  const { run, stored } = options;
  let exchanges = options.firstExchange;
  const record = (event: RunEventBody) => options.store(run.record(event));

  return {
    request: stored.request,
    extraBody: stored.extraBody,
    signal: run.signal,
    state: run.state,
    record,
    async send({ path, ...request }) {
      const number = exchanges;
      exchanges += 1;
      let document: string | null = null;
      const outcome = await exchange(
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
            document = text;
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
      return { ...outcome, exchange: number, text: document };
    },

    async pauseWhileFollowed(ms, isFollowed) {
      const until = run.now() + ms;
      while (!run.signal.aborted && (run.now() < until || !isFollowed())) {
        const stop = new AbortController();
        const signal = AbortSignal.any([run.signal, stop.signal]);
        const rest = until - run.now();
        const timer = isFollowed() ? setTimeout(() => stop.abort(), rest) : undefined;
        await run.changed(signal);
        clearTimeout(timer);
      }
    },

    pollTurn: () => options.schedule.turn(),
  };
}
