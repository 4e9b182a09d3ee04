/** Carries runs out, from the moment they are recorded until their end is. */
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Quantities } from '../../shared/quantities.ts';
import { phaseTraits, type RunEvent } from '../../shared/run.ts';
import { getQuantities, type RunView } from '../../shared/run-view.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { ResolvedConnection } from '../connections/connections.ts';
import type { Network } from '../gateway/network.ts';
import type { MediaStore } from '../media/media-store.ts';
import { executors } from '../operations/executors.ts';
import type { Ledger, StoredRun } from '../storage/ledger.ts';
import { cancelledByShutdown, failedBy, type RunResult } from './ending.ts';
import { createLiveRun, type LiveRun } from './live-run.ts';
import { createPollSchedule, defaultPolling, type Polling } from './poll-schedule.ts';
import { createRunContext, type RunContextOptions } from './run-context.ts';

export interface RunnerOptions {
  ledger: Ledger;
  media: MediaStore;
  network: Network;
  resolve(connectionId: string): Promise<ResolvedConnection>;
  timeoutsFor(operation: OperationName): Timeouts;
  /** After a run was recorded, changed its status or ended. */
  onChange(run: RunView): void;
  /** After a run ended, with all that it folded to; before `onChange`. */
  onEnd(run: RunView): void;
  /** What a run is estimated to cost, in US dollars; null if no price applies. */
  costOf(run: Pick<RunView, 'connectionId' | 'model'>, quantities: Quantities): number | null;
  /** Milliseconds from any fixed point, never going back. */
  clock(): number;
  /** `usualPolling` unless given. */
  polling?: Polling;
}

export interface Runner {
  /**
   * From now on the run is live; its operation begins a moment later.
   * `view` is its current state, `ageMs` how long ago it began.
   */
  begin(run: StartedRun): void;
  /** Null if the run is not live. */
  find(runId: string): LiveRun | null;
  all(): LiveRun[];
  /** Whether the run's task is polled from now on. */
  follow(run: LiveRun, on: boolean): void;
  /**
   * Resolves once the run is no longer live. One that can continue later stays unchanged in the ledger; any
   * other is cancelled.
   */
  release(runId: string): Promise<void>;
  /** The computer has slept: what waits for the next poll continues at once. */
  wake(): void;
  /** Stops every run; those that can continue later stay unchanged in the ledger. */
  close(): Promise<void>;
}

export interface StartedRun {
  /** With the input to send, not the recorded one. */
  stored: StoredRun;
  view: RunView;
  ageMs: number;
  /** When its last event was, in milliseconds since its start. */
  lastAtMs: number;
  /** Null for one that continues after a restart: resolved when it is needed. */
  connection: ResolvedConnection | null;
  firstExchange: number;
}

export function createRunner(options: RunnerOptions): Runner {
  const { ledger, polling = defaultPolling } = options;
  const live = new Map<string, { run: LiveRun; ended: Promise<void> }>();
  let waking = new AbortController();
  const schedule = createPollSchedule(polling.spacingMs, options.clock, pause);

  function carryOut<Name extends OperationName>(
    operation: Name,
    run: LiveRun<Name>,
    of: Pick<RunContextOptions<Name>, 'stored' | 'connection' | 'firstExchange' | 'keep' | 'room'>,
  ): Promise<RunResult> {
    const context = createRunContext<Name>({
      ...of,
      run,
      reconnect: () => options.resolve(of.stored.connectionId),
      timeouts: options.timeoutsFor(operation),
      network: options.network,
      schedule,
      polling,
      waking: () => waking.signal,
      store: options.media,
    });
    return executors[operation](context).finally(() => context.close());
  }

  /** What is paid for or made is known at once: without its id a task that is billed could not be followed. */
  function keep(run: LiveRun, events: readonly RunEvent[]): void {
    const view = run.view();
    ledger.append(view.id, events);
    const changing = events.filter(({ kind }) => changesSummary.has(kind));
    if (changing.length === 0) return;
    const { status, startedAt, httpStatus, phase, media, seq } = view;
    const fields = { status, startedAt, httpStatus, phase, media, seq };
    const isResponse = changing.every(({ kind }) => kind === 'response');
    ledger.update(view.id, fields, isResponse ? 'with events' : 'at once');
    options.onChange(view);
  }

  async function end(run: LiveRun, reached: RunResult): Promise<void> {
    const { id, phase } = run.view();
    // A user's stop, and an end that was reached all the same, count for more than the closing.
    const isClosed = run.isInterrupted() && reached.status === 'cancelled';
    if (isClosed && phaseTraits[phase.name].outlivesMain) {
      // Still running in the ledger: the next start continues it, or the Undo of its deletion.
      await ledger.settled(id);
      live.delete(id);
      run.release();
      return;
    }
    // What it has answered is on disk before it says that it has ended.
    await ledger.settled(id);
    const outcome = isClosed ? cancelledByShutdown(run.view(), reached) : reached;
    const { events } = run.record([
      outcome.status === 'succeeded'
        ? { kind: 'finish', exchange: 0, timings: outcome.timings }
        : errorEvent(outcome),
    ]);
    const quantities = getQuantities(run.view());
    run.price(options.costOf(run.view(), quantities));
    const { status, finishedAt, error, timings, figures, cost, seq } = run.view();
    ledger.append(id, events);
    try {
      // Before the status: a run that main's death leaves unfinished is ended again at the next start.
      options.onEnd(run.view());
    } finally {
      ledger.update(id, {
        status,
        finishedAt,
        error,
        timings,
        figures,
        cost,
        quantities,
        ...(!mayBeBilled(run.view()) && { leastCost: null }),
        seq,
      });
      live.delete(id);
      options.onChange(run.view());
      ledger.pack(id);
    }
  }

  return {
    begin({ stored, view, ageMs, lastAtMs, connection, firstExchange }) {
      const run = createLiveRun(view, options.clock, { ageMs, lastAtMs });
      const ended = Promise.resolve()
        .then(() =>
          carryOut(stored.operation, run, {
            stored,
            connection,
            firstExchange,
            keep: (events) => keep(run, events),
            room: ledger.room,
          }),
        )
        .catch(failedBy)
        .then((ending) => end(run, ending));
      live.set(stored.id, { run, ended });
      options.onChange(view);
    },

    find: (runId) => live.get(runId)?.run ?? null,
    all: () => [...live.values()].map(({ run }) => run),

    follow(run, on) {
      keep(run, run.record([{ kind: 'following', exchange: 0, on }]).events);
    },

    async release(runId) {
      const found = live.get(runId);
      if (found === undefined) return;
      if (phaseTraits[found.run.view().phase.name].outlivesMain) found.run.interrupt();
      else found.run.cancel();
      await found.ended;
    },

    wake() {
      waking.abort();
      waking = new AbortController();
    },

    async close() {
      const running = [...live.values()];
      for (const { run } of running) run.interrupt();
      await Promise.allSettled(running.map(({ ended }) => ended));
    },
  };
}

/** Events after which lists show the run differently. */
const changesSummary = new Set<RunEvent['kind']>([
  'request',
  'response',
  'task',
  'following',
  'media',
]);

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A gateway that refuses a request, or never had it, bills nothing. */
function mayBeBilled({ status, httpStatus }: RunView): boolean {
  if (status !== 'failed') return true;
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}

/** Of an ending that may hold the whole reply, which is recorded already. */
function errorEvent({ status, error, timings }: Exclude<RunResult, { status: 'succeeded' }>) {
  return { kind: 'error' as const, exchange: 0, status, error, timings };
}
