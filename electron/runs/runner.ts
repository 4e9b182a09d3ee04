/** Executes recorded runs until their outcome is recorded. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Quantities } from '../../shared/quantities.ts';
import { phaseTraits, type RunEvent } from '../../shared/run.ts';
import { getQuantities, type RunView } from '../../shared/run-view.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { ResolvedConnection } from '../connections/custom-connections.ts';
import type { Network } from '../gateway/network.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { DocumentThread } from '../operations/document-thread.ts';
import { suggestEndpoint } from '../operations/endpoint-steps.ts';
import { executors } from '../operations/executors.ts';
import type { RunResult } from '../operations/run-result.ts';
import type { SecretSearch } from '../redaction/secret-search.ts';
import type { Ledger, StoredRun } from '../storage/ledger.ts';
import { createRunContext, type RunContextOptions } from './create-run-context.ts';
import { compareRun, endAtShutdown, endWithError } from './ending.ts';
import { createLiveRun, type LiveRun } from './live-run.ts';
import { createPollSchedule, defaultPolling, type Polling } from './poll-schedule.ts';
import { catchUp, readRecordedView } from './stored-view.ts';

export interface RunnerOptions {
  ledger: Ledger;
  media: MediaStore;
  network: Network;
  /** Reads long documents; if it is null, the main thread does. */
  documents: DocumentThread | null;
  resolve(connectionId: string): Promise<ResolvedConnection>;
  getTimeouts(operation: OperationName): Timeouts;
  onChange(run: RunView): void;
  onEnd(run: RunView): void;
  estimateCost(run: Pick<RunView, 'connectionId' | 'model'>, quantities: Quantities): number | null;
  clock(): number;
  polling?: Polling;
}

export interface StartedRun {
  /** `stored` contains the input to send, not the redacted input from the ledger. */
  stored: StoredRun;
  view: RunView;
  ageMs: number;
  lastAtMs: number;
  connection: ResolvedConnection | null;
  firstExchange: number;
}

interface Live {
  run: LiveRun;
  isOfCheck: boolean;
  ended: Promise<void>;
  /** Masks the secrets that were found so far. */
  cutSecrets(): Promise<void>;
}

export interface Runner {
  /** Starts or continues the run, which stays live until it has ended or is interrupted. */
  begin(started: StartedRun): void;
  /** Returns null if the run isn't live. */
  find(runId: string): LiveRun | null;
  all(): LiveRun[];
  /** Returns true for a live run that belongs to a check. */
  isOfCheck(runId: string): boolean;
  /** Masks secrets that arrived split across chunks so far. */
  cutSecrets(): Promise<void>;
  /** Polls the run's task, or stops polling it. */
  follow(run: LiveRun, on: boolean): void;
  /**
   * Cancels the run, or only stops polling a task that can be continued; resolves when it is no
   * longer live.
   */
  release(runId: string): Promise<void>;
  /** Polls tasks at once after sleep. */
  wake(): void;
  /** Interrupts all runs; resolves when they have ended. */
  close(): Promise<void>;
}

export function createRunner(options: RunnerOptions): Runner {
  const { ledger, polling = defaultPolling } = options;
  const live = new Map<string, Live>();
  let waking = new AbortController();
  const schedule = createPollSchedule(polling.spacingMs, options.clock, pause);

  async function carryOut<Name extends OperationName>(
    operation: Name,
    run: LiveRun<Name>,
    of: Pick<
      RunContextOptions<Name>,
      'stored' | 'connection' | 'firstExchange' | 'keep' | 'room' | 'searches' | 'cutSecrets'
    >,
  ): Promise<RunResult> {
    const context = createRunContext<Name>({
      ...of,
      run,
      reconnect: () => options.resolve(of.stored.connectionId),
      timeouts: options.getTimeouts(operation),
      network: options.network,
      documents: options.documents,
      schedule,
      polling,
      waking: () => waking.signal,
      store: options.media,
    });
    const result = await executors[operation](context).finally(() => context.close());
    return suggestEndpoint(result, run.view(), of.stored);
  }

  /**
   * Writes requests and task IDs at the end of the turn, because a request must be on disk before it
   * is sent, and a billed task can't be followed without its ID. Returns a promise that resolves
   * then, or null. Media are written with the events, because a response may have thousands.
   */
  function keep(run: LiveRun, events: readonly RunEvent[]): Promise<void> | null {
    const view = run.view();
    ledger.append(view.id, events);
    const changing = events.filter(({ kind }) => changesSummary.has(kind));
    if (changing.length === 0) return null;
    const { status, startedAt, httpStatus, phase, media, seq } = view;
    const fields = { status, startedAt, httpStatus, phase, media, seq };
    const mayWait = changing.every(({ kind }) => kind === 'response' || kind === 'media');
    const written = mayWait ? null : ledger.updateTogether(view.id, fields);
    if (mayWait) ledger.update(view.id, fields, 'with events');
    options.onChange(view);
    return written;
  }

  /**
   * Masks secrets in pieces in the recorded chunks, then in the view, which is folded from them
   * again.
   */
  async function cutSecrets(run: LiveRun, exchange: number, search: SecretSearch): Promise<void> {
    const cuts = search.takeCuts();
    if (cuts.size === 0) return;
    const { id, cost } = run.view();
    await ledger.cut(id, cuts);
    const stored = ledger.run(id);
    if (stored === null) return;
    const read = await readRecordedView(ledger, stored);
    run.restate({ ...catchUp(ledger, read), cost });
    keep(run, run.record([{ kind: 'redacted', exchange, count: cuts.size }]).events);
  }

  async function end(run: LiveRun, input: StoredRun, reached: RunResult): Promise<void> {
    const { id, phase } = run.view();
    // A stop by the user or a normal end takes precedence over the shutdown.
    const isClosed = run.isInterrupted() && reached.status === 'cancelled';
    if (isClosed && phaseTraits[phase.name].outlivesMain) {
      // The run stays active in the ledger, so that the next start or Undo continues it.
      ledger.save(id);
      live.delete(id);
      run.release();
      return;
    }
    const outcome = isClosed ? endAtShutdown(run.view(), reached) : reached;
    const { events } = run.record([
      outcome.status === 'succeeded'
        ? { kind: 'finish', exchange: 0, timings: outcome.timings }
        : createErrorEvent(outcome),
    ]);
    const quantities = getQuantities(run.view());
    run.conclude({
      cost: options.estimateCost(run.view(), quantities),
      findings: compareRun(run.view(), input, options.media),
    });
    const { status, finishedAt, error, timings, figures, media, cost, findings, seq } = run.view();
    ledger.append(id, events);
    try {
      // If a crash precedes the status update, the next start ends the run again.
      options.onEnd(run.view());
    } finally {
      await ledger.updateTogether(id, {
        status,
        finishedAt,
        error,
        timings,
        figures,
        media,
        cost,
        findings,
        quantities,
        ...(!mayBeBilled(run.view()) && { leastCost: null }),
        seq,
      });
      live.delete(id);
      options.onChange(run.view());
    }
  }

  return {
    begin({ stored, view, ageMs, lastAtMs, connection, firstExchange }: StartedRun): void {
      const run = createLiveRun(view, options.clock, { ageMs, lastAtMs });
      const searches = new Map<number, SecretSearch>();
      // One at a time, because each reads what the ones before it have masked.
      let cutting = Promise.resolve();
      function cut(exchange: number, search: SecretSearch): Promise<void> {
        cutting = cutting.then(() => cutSecrets(run, exchange, search));
        return cutting;
      }
      // Starting and sending together would keep the window waiting for too long.
      const ended = nextTurn()
        .then(() =>
          carryOut(stored.operation, run, {
            stored,
            connection,
            firstExchange,
            keep: (events) => keep(run, events),
            room: ledger.room,
            searches,
            cutSecrets: cut,
          }),
        )
        // Mask the secrets found so far even if an exchange throws unexpectedly.
        .finally(() => live.get(stored.id)?.cutSecrets())
        .catch(endWithError)
        .then((ending) => end(run, stored, ending));
      live.set(stored.id, {
        run,
        isOfCheck: stored.checkId !== null,
        ended,
        async cutSecrets() {
          for (const [exchange, search] of searches) await cut(exchange, search);
        },
      });
      options.onChange(view);
    },

    find: (runId: string) => live.get(runId)?.run ?? null,
    all: () => [...live.values()].map(({ run }) => run),
    isOfCheck: (runId: string) => live.get(runId)?.isOfCheck === true,

    async cutSecrets(): Promise<void> {
      for (const run of live.values()) await run.cutSecrets();
    },

    follow(run: LiveRun, on: boolean): void {
      keep(run, run.record([{ kind: 'following', exchange: 0, on }]).events);
    },

    async release(runId: string): Promise<void> {
      const found = live.get(runId);
      if (found === undefined) return;
      if (phaseTraits[found.run.view().phase.name].outlivesMain) found.run.interrupt();
      else found.run.cancel();
      await found.ended;
    },

    wake(): void {
      waking.abort();
      waking = new AbortController();
    },

    async close(): Promise<void> {
      const running = [...live.values()];
      for (const { run } of running) run.interrupt();
      await Promise.allSettled(running.map(({ ended }) => ended));
    },
  };
}

const changesSummary = new Set<RunEvent['kind']>([
  'request',
  'response',
  'task',
  'following',
  'media',
  'redacted',
]);

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A request that the gateway rejected or never received isn't billed. */
function mayBeBilled({ status, httpStatus }: RunView): boolean {
  if (status !== 'failed') return true;
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}

function createErrorEvent({ status, error, timings }: Exclude<RunResult, { status: 'succeeded' }>) {
  return { kind: 'error' as const, exchange: 0, status, error, timings };
}
