/** Provides the functions that an operation uses to execute one run. */
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { FormatEndpoint } from '../../shared/connection-options.ts';
import { UserFacingError } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { findEndpoint } from '../../shared/operations/write-request.ts';
import { noTimings, type RunEvent, type RunEventBody } from '../../shared/run.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { ResolvedConnection } from '../connections/custom-connections.ts';
import { withKeyHeader } from '../gateway/access.ts';
import type { Network } from '../gateway/network.ts';
import { followRedirects } from '../gateway/response-head.ts';
import { resolveTarget } from '../gateway/wire-request.ts';
import type { FinishedExchange, PartialDownload, RunContext } from '../operations/run-context.ts';
import type { RunOutput } from '../operations/run-media.ts';
import { withProblem } from '../operations/run-result.ts';
import { redactAll } from '../redaction/redactor.ts';
import { noteCompressed } from '../storage/event-rows.ts';
import type { StoredRun } from '../storage/ledger.ts';
import { download, isWholeFile, resolveLink } from './download.ts';
import type { LiveRun, RecordedEvents } from './live-run.ts';
import { getPollDelayMs, type Polling, type PollSchedule } from './poll-schedule.ts';
import {
  type LongBody,
  type RunExchangeRequest,
  type RunExchangeTools,
  runExchange,
} from './run-exchange.ts';

export interface RunContextOptions<Name extends OperationName>
  extends Omit<RunExchangeTools, 'record' | 'recordAll' | 'recordLongBody'> {
  stored: StoredRun;
  /** Null until the first poll if the run continues after a restart. */
  connection: ResolvedConnection | null;
  /** Resolves to the current connection, whose key or address may have changed during the task. */
  reconnect: () => Promise<ResolvedConnection>;
  network: Network;
  timeouts: Timeouts;
  run: LiveRun<Name>;
  /** Returns a promise that resolves when a request is on disk; null for other events. */
  keep: (events: readonly RunEvent[]) => Promise<void> | null;
  schedule: PollSchedule;
  polling: Polling;
  waking: () => AbortSignal;
  /** Above 0 from the start for a run that continues after a restart. */
  firstExchange: number;
}

const BROKEN = new Set(['stream-cut', 'unreachable', 'outcome-unknown', 'timeout']);
const VIDEO = { wanted: 'a video', stem: 'video' };

export function createRunContext<Name extends OperationName>(
  options: RunContextOptions<Name>,
): RunContext<Name> {
  const { run, stored } = options;
  let connection = options.connection && withEndpoint(options.connection, stored);
  const reconnect = async () => withEndpoint(await options.reconnect(), stored);
  const open = new Set<RunOutput>();
  let exchanges = options.firstExchange;
  /**
   * Aborted if the computer has woken up since the last pause, even during an exchange; ends the
   * next pause.
   */
  let woken = options.waking();
  function recordAll(bodies: readonly RunEventBody[]): RecordedEvents {
    const recorded = run.record(bodies);
    options.keep(recorded.events);
    return recorded;
  }
  const record = (event: RunEventBody) => options.keep(run.record([event]).events);
  function recordLongBody({ text, truncated, exchange, known, compressed }: LongBody): void {
    const { events } = tools.run.record([{ kind: 'body', exchange, text, truncated }], known);
    for (const event of events) if (compressed !== null) noteCompressed(event, compressed);
    options.keep(events);
  }
  const tools: RunExchangeTools = { ...options, record, recordAll, recordLongBody };

  async function perform(request: Omit<RunExchangeRequest, 'exchange'>) {
    const number = exchanges;
    exchanges += 1;
    const result = await runExchange({ ...request, exchange: number }, tools);
    if (result.output) open.add(result.output);
    return { ...result, exchange: number };
  }

  async function settle(
    {
      outcome,
      output,
      text,
    }: Pick<Awaited<ReturnType<typeof perform>>, 'outcome' | 'output' | 'text'>,
    number: number,
  ): Promise<FinishedExchange> {
    if (output === null) return { ...outcome, exchange: number, text, media: null };
    open.delete(output);
    try {
      const media = await output.finish();
      return { ...outcome, exchange: number, text, media };
    } catch (cause) {
      if (!(cause instanceof UserFacingError)) throw cause;
      const failed =
        outcome.status === 'succeeded' ? withProblem(outcome, cause.error, run.signal) : outcome;
      return { ...failed, exchange: number, text, media: null };
    }
  }

  async function forget(partial: PartialDownload | null): Promise<void> {
    if (partial === null || !open.delete(partial.output)) return;
    await partial.output.forget();
  }

  const context: RunContext<Name> = {
    input: stored,
    media: options.store,
    signal: run.signal,
    view: run.view,
    record,
    recordAll,

    async send({ path, harvest = null, convert = null, stem = 'reply', unmarkedType, ...wire }) {
      connection ??= await reconnect();
      const { url, access } = resolveTarget(connection, path);
      const done = await followRedirects(url, wire.redirects ?? 'same-origin', (to, redirects) =>
        perform({
          wire: { ...wire, url: to, redirects },
          link: null,
          access,
          harvest,
          convert,
          stem,
          unmarkedType: unmarkedType ?? null,
          continued: () => null,
        }),
      );
      return settle(done, done.exchange);
    },

    async download(address, partial, words = VIDEO) {
      connection ??= await reconnect();
      const base = new URL(connection.baseUrl);
      const startedAtMs = run.now();
      let number = exchanges;
      const got = await download(
        { address, base, access: connection.access, partial, ...words },
        async (request) => {
          const done = await perform(request);
          number = done.exchange;
          return done;
        },
      );
      if (got.kind === 'refused') {
        await forget(partial);
        const timings = { ...noTimings, startedAtMs, endAtMs: run.now() };
        const refused = { status: 'failed', error: got.error, timings } as const;
        return { ...refused, exchange: number, text: null, media: null, partial: null };
      }
      const { result, validator } = got;
      const { outcome, text } = result;
      if (partial && result.head && isWholeFile(result.head, partial)) {
        const whole = { status: 'succeeded', timings: outcome.timings } as const;
        const settled = await settle(
          { outcome: whole, text: null, output: partial.output },
          number,
        );
        return { ...settled, partial: null };
      }
      if (partial && result.head?.status === 416) {
        await forget(partial);
        return context.download(address, null, words);
      }
      const output = result.output ?? partial?.output ?? null;
      if (partial && output !== partial.output) await forget(partial);
      const isBroken = outcome.status !== 'succeeded' && BROKEN.has(outcome.error.kind);
      if (isBroken && output !== null) {
        const kept = { output, validator: validator ?? partial?.validator ?? null };
        return { ...outcome, exchange: number, text, media: null, partial: kept };
      }
      return { ...(await settle({ outcome, text, output }, number)), partial: null };
    },

    resolve: (address) =>
      connection === null ? null : resolveLink(address, new URL(connection.baseUrl)),

    getEndpoint: () => connection && getOwnEndpoint(connection, stored),

    isOwn(address) {
      const url = context.resolve(address);
      return url !== null && url.origin === new URL(connection?.baseUrl ?? '').origin;
    },

    async pause(ms) {
      const { signal } = run;
      await pauseFor(options.polling.pauseMs(ms), undefined, { signal }).catch(() => undefined);
    },

    async pauseWhileFollowed(ms, isFollowed) {
      const until = run.now() + options.polling.pauseMs(ms);
      const isOver = () => run.now() >= until || woken.aborted;
      while (!run.signal.aborted && !(isOver() && isFollowed())) {
        const stop = new AbortController();
        const ends = woken.aborted ? [] : [woken];
        const signal = AbortSignal.any([run.signal, stop.signal, ...ends]);
        const rest = Math.max(0, until - run.now());
        const timer = isFollowed() ? setTimeout(() => stop.abort(), rest) : undefined;
        await run.waitForChange(signal);
        clearTimeout(timer);
      }
      woken = options.waking();
    },

    pollPause: (count) => getPollDelayMs(count, options.polling.random()),
    async pollTurn() {
      await options.schedule.turn();
      try {
        connection = await reconnect();
        return null;
      } catch (cause) {
        if (cause instanceof UserFacingError) return cause.error;
        throw cause;
      }
    },

    redact: (text) => redactAll(connection?.access.secrets ?? []).text(text),

    async close() {
      for (const output of open) {
        open.delete(output);
        // If the output can't be completed, the run has already ended with that error.
        await output.finish().catch(() => undefined);
      }
    },
  };
  return context;
}

type FormatInput = Pick<StoredRun, 'operation' | 'request'>;

/** Returns the connection's own endpoint for a request; null if the usual one applies. */
export function getOwnEndpoint(
  { connection }: ResolvedConnection,
  { operation, request }: FormatInput,
): FormatEndpoint | null {
  return findEndpoint(connection.options.endpoints, operation, request);
}

/** Returns the connection with the key header of the request's format. */
export function withEndpoint(resolved: ResolvedConnection, input: FormatInput): ResolvedConnection {
  const keyHeader = getOwnEndpoint(resolved, input)?.keyHeader ?? null;
  return { ...resolved, access: withKeyHeader(resolved.access, keyHeader) };
}
