/** Starts, watches and ends runs: recorded first, sent after, kept whatever happens to the page. */
import { randomUUID } from 'node:crypto';
import type { RecordedRun, RunUpdate, StartInput } from '../../shared/contract/runs.ts';
import { AppFailure, appError } from '../../shared/errors.ts';
import { referencedMedia } from '../../shared/media-reference.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { phaseTraits, working } from '../../shared/operations/phase.ts';
import type { RunEvent } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { Changes } from '../changes.ts';
import type { ResolvedConnection } from '../connections/connections.ts';
import type { Network } from '../gateway/network.ts';
import type { MediaStore } from '../media/media-store.ts';
import { checkInput } from '../operations/check-input.ts';
import { executors } from '../operations/executors.ts';
import type { Ledger, StoredRun } from '../storage/ledger.ts';
import { type Ending, endedByClosing } from './ending.ts';
import { createLiveRun, type LiveRun } from './live-run.ts';
import { createPollSchedule, type Polling, usualPolling } from './poll-schedule.ts';
import { recordedInput } from './recorded-input.ts';
import { recoverRuns } from './recover-runs.ts';
import { createRunContext, type RunContextOptions } from './run-context.ts';
import { emptyView, storedView } from './stored-view.ts';
import { watchRun } from './watch-run.ts';

export interface EngineOptions {
  ledger: Ledger;
  changes: Pick<Changes, 'announce'>;
  media: MediaStore;
  network: Network;
  resolve(connectionId: string): Promise<ResolvedConnection>;
  timeoutsFor(operation: StoredRun['operation']): Timeouts;
  /** After a run was recorded, changed its status or ended. */
  onChange(run: RunView): void;
  /** After a run ended, with all that it folded to; before `onChange`. */
  onEnd(run: RunView): void;
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds from any fixed point, never going back. */
  clock(): number;
  /** `usualPolling` unless given. */
  polling?: Polling;
}

/** Announces every change of a run. */
export interface Engine {
  /** Records the run and begins to send it. `beforeSending` runs in between and may throw. */
  start(
    input: StartInput,
    more?: { conversationId?: string; beforeSending?: (runId: string) => void },
  ): Promise<string>;
  /** Stops the run; one that the gateway carries on by itself is only no longer followed. */
  cancel(runId: string): void;
  /** Asks about the run again, after `cancel`. */
  resume(runId: string): void;
  /** Ends the run here, whatever the gateway does with it, and deletes it. */
  remove(runId: string): Promise<void>;
  view(runId: string): Promise<RunView>;
  /** The view with what was asked, as it is recorded. */
  read(runId: string): Promise<RecordedRun>;
  watch(
    runId: string,
    after: number | null,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<RunUpdate, void>;
  /** Runs for which something is done now: not tasks that the user stopped following. */
  activeCount(): number;
  /** Ends what was going on when main last died. */
  recover(): Promise<void>;
  /** Stops every run and waits until each has recorded its end. */
  close(): Promise<void>;
}

export function createEngine(options: EngineOptions): Engine {
  const { ledger, changes, polling = usualPolling } = options;
  const live = new Map<string, Live>();
  const schedule = createPollSchedule(polling.spacingMs, options.clock, pause);

  let closing = false;

  function changed(run: RunView): void {
    options.onChange(run);
    changes.announce('runs', run.id);
  }

  function storedRun(runId: string): StoredRun {
    const run = ledger.run(runId);
    if (!run) throw new AppFailure(noSuchRun);
    return run;
  }

  function fileName(reference: string): string | null {
    const id = referencedMedia(reference);
    return id === null ? null : (options.media.get(id)?.name ?? null);
  }

  /** From now on the run is live; the operation begins a moment later. */
  function begin(
    stored: StoredRun,
    run: LiveRun,
    connect: () => Promise<ResolvedConnection>,
    firstExchange = 0,
  ): void {
    const ended = Promise.resolve()
      .then(connect)
      .then((connection) =>
        carryOut(stored.operation, run, {
          stored,
          connection,
          firstExchange,
          keep: (event) => keep(stored.id, run, event),
        }),
      )
      .catch(failedBy)
      .then((ending) => end(stored, run, ending));
    live.set(stored.id, { stored, run, ended });
    changed(run.view());
  }

  function carryOut<Name extends OperationName>(
    operation: Name,
    run: LiveRun<Name>,
    of: Pick<RunContextOptions<Name>, 'stored' | 'connection' | 'firstExchange' | 'keep'>,
  ): Promise<Ending> {
    const context = createRunContext<Name>({
      ...of,
      run,
      reconnect: () => options.resolve(of.stored.connectionId),
      timeouts: options.timeoutsFor(operation),
      network: options.network,
      schedule,
      polling,
      store: options.media,
    });
    return executors[operation](context).finally(() => context.close());
  }

  /** What lists show is written at once: without its id a task that is billed could not be followed. */
  function keep(runId: string, run: LiveRun, event: RunEvent): void {
    ledger.append(runId, [event]);
    if (!changesSummary.has(event.kind)) return;
    const { status, startedAt, httpStatus, phase, media, seq } = run.view();
    ledger.update(runId, { status, startedAt, httpStatus, phase, media, seq });
    changed(run.view());
  }

  function follow(runId: string, run: LiveRun, on: boolean): void {
    keep(runId, run, run.record({ kind: 'following', exchange: 0, on }));
  }

  function end(stored: StoredRun, run: LiveRun, reached: Ending): void {
    if (closing && phaseTraits[run.view().phase.name].outlivesMain) {
      // Still running in the ledger: the next start goes on with it.
      ledger.flush();
      live.delete(stored.id);
      return;
    }
    const outcome: Ending =
      closing && reached.status === 'cancelled' ? endedByClosing(run.view(), reached) : reached;
    const event = run.record(
      outcome.status === 'succeeded'
        ? { kind: 'finish', exchange: 0, timings: outcome.timings }
        : {
            kind: 'error',
            exchange: 0,
            status: outcome.status,
            error: outcome.error,
            timings: outcome.timings,
          },
    );
    const { status, finishedAt, error, timings, figures, seq } = run.view();
    ledger.append(stored.id, [event]);
    try {
      // Before the status: a run that main's death leaves unfinished is ended again at the next start.
      options.onEnd(run.view());
    } finally {
      ledger.update(stored.id, { status, finishedAt, error, timings, figures, seq });
      live.delete(stored.id);
      changed(run.view());
    }
  }

  async function view(runId: string): Promise<RunView> {
    const running = live.get(runId);
    if (running) return running.run.view();
    const stored = storedRun(runId);
    return storedView(ledger, stored);
  }

  return {
    async start(input, more = {}) {
      const checked = checkInput(input.operation, input, fileName);
      const connection = await options.resolve(input.connectionId);
      // The keyring may have been waited for meanwhile.
      if (closing) throw new AppFailure(isClosing);
      const createdAt = options.now();
      const stored: StoredRun = {
        id: randomUUID(),
        operation: input.operation,
        connectionId: input.connectionId,
        connectionName: connection.connection.name,
        model: checked.model,
        status: 'queued',
        createdAt,
        startedAt: null,
        finishedAt: null,
        httpStatus: null,
        error: null,
        timings: null,
        figures: null,
        conversationId: more.conversationId ?? null,
        phase: working,
        media: [],
        ...recordedInput(checked, connection.key),
        baseUrl: connection.baseUrl,
        seq: 0,
      };
      ledger.createRun(stored);
      try {
        more.beforeSending?.(stored.id);
      } catch (cause) {
        ledger.remove(stored.id);
        throw cause;
      }
      const run = createLiveRun(emptyView(stored), options.clock);
      const { request, extraBody, wireNames, follow } = checked;
      begin({ ...stored, request, extraBody, wireNames, follow }, run, async () => connection);
      return stored.id;
    },

    cancel(runId) {
      const found = live.get(runId);
      if (!found) return;
      if (phaseOf(found.run).goesOnElsewhere) {
        follow(runId, found.run, false);
      } else found.run.cancel();
    },

    resume(runId) {
      const found = live.get(runId);
      if (found === undefined || !phaseOf(found.run).outlivesMain) return;
      follow(runId, found.run, true);
    },

    async remove(runId) {
      const found = live.get(runId);
      found?.run.cancel();
      await found?.ended;
      const conversationId = ledger.run(runId)?.conversationId ?? null;
      ledger.remove(runId);
      changes.announce('runs', runId);
      // Its answers there no longer name a run.
      if (conversationId !== null) changes.announce('conversations', conversationId);
    },

    view,

    async read(runId) {
      const { request, extraBody, wireNames, follow, baseUrl } = storedRun(runId);
      return { view: await view(runId), request, extraBody, wireNames, follow, baseUrl };
    },

    async *watch(runId, after, signal) {
      const running = live.get(runId);
      if (running) return yield* watchRun(running.run, after, signal);
      const stored = storedRun(runId);
      const view = await storedView(ledger, stored);
      if (after !== view.seq) yield { type: 'snapshot', seq: view.seq, view };
    },

    activeCount: () => [...live.values()].filter(({ run }) => phaseOf(run).isActive).length,

    async recover() {
      const { ended, goingOn } = await recoverRuns(ledger);
      for (const view of ended) options.onEnd(view);
      for (const { stored, view, nextExchange } of goingOn) {
        const run = createLiveRun(view, options.clock, options.now() - view.createdAt);
        const connect = () => options.resolve(stored.connectionId);
        begin(stored, run, connect, nextExchange);
      }
    },

    async close() {
      closing = true;
      const running = [...live.values()];
      for (const { run } of running) run.cancel();
      await Promise.allSettled(running.map(({ ended }) => ended));
    },
  };
}

interface Live {
  stored: StoredRun;
  run: LiveRun;
  ended: Promise<void>;
}

/** Events after which lists show the run differently. */
const changesSummary = new Set<RunEvent['kind']>([
  'request',
  'response',
  'task',
  'following',
  'media',
]);

function phaseOf(run: LiveRun) {
  return phaseTraits[run.view().phase.name];
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** What was thrown in the middle of a run ends it: a known failure as such, anything else is a defect of ours. */
function failedBy(cause: unknown): Ending {
  if (cause instanceof AppFailure) {
    return { status: 'failed', timings: null, error: cause.error };
  }
  return {
    status: 'failed',
    timings: null,
    error: appError(
      'unexpected',
      'Something in Gatehouse failed while this request was going on.',
      'Run it again; if it happens again, report it with the detail below.',
      { detail: cause instanceof Error ? cause.message : String(cause) },
    ),
  };
}

const isClosing = appError(
  'cancelled',
  'Gatehouse is closing. Nothing was sent.',
  'Run it again after the next start.',
  {},
);
const noSuchRun = appError(
  'not-found',
  'This run is no longer in the history.',
  'Close it and pick another run.',
  {},
);
