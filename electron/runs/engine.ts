/** Starts, watches and ends runs: recorded first, sent after, kept whatever happens to the page. */
import { randomUUID } from 'node:crypto';
import type { RecordedRun, RunUpdate, StartInput } from '../../shared/contract/runs.ts';
import { AppFailure, appError } from '../../shared/errors.ts';
import { referencedMedia } from '../../shared/media-reference.ts';
import type { RunEventBody, RunView } from '../../shared/run.ts';
import type { Timeouts } from '../../shared/settings.ts';
import type { Changes } from '../changes.ts';
import type { ResolvedConnection } from '../connections/connections.ts';
import type { Network } from '../gateway/network.ts';
import type { MediaStore } from '../media/media-store.ts';
import { type AnyOperation, findOperation } from '../operations/operations.ts';
import type { Ledger, StoredRun } from '../storage/ledger.ts';
import { type Ending, endedByClosing } from './ending.ts';
import { createLiveRun, type LiveRun } from './live-run.ts';
import { createPollSchedule, type Polling, usualPolling } from './poll-schedule.ts';
import { recordedInput } from './recorded-input.ts';
import { recoverRuns } from './recover-runs.ts';
import { createRunContext } from './run-context.ts';
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
    operation: AnyOperation,
    connect: () => Promise<ResolvedConnection>,
    firstExchange = 0,
  ): void {
    const ended = Promise.resolve()
      .then(connect)
      .then((connection) => carryOut(stored, run, operation, connection, firstExchange))
      .catch(failedBy)
      .then((ending) => end(stored, run, operation, ending));
    live.set(stored.id, { stored, run, operation, ended });
    changed(run.view());
  }

  function carryOut(
    stored: StoredRun,
    run: LiveRun,
    operation: AnyOperation,
    connection: ResolvedConnection,
    firstExchange: number,
  ): Promise<Ending> {
    const context = createRunContext({
      stored,
      run,
      connection,
      reconnect: () => options.resolve(stored.connectionId),
      timeouts: options.timeoutsFor(stored.operation),
      network: options.network,
      schedule,
      polling,
      firstExchange,
      produced: operation.produced,
      store: options.media,
      keep(event) {
        ledger.append(stored.id, [event]);
        // Without its id a task that is billed could not be followed.
        if (event.kind === 'task') ledger.flush();
      },
      onProgress() {
        const { status, startedAt, httpStatus, seq } = run.view();
        ledger.update(stored.id, { status, startedAt, httpStatus, seq });
        changed(run.view());
      },
    });
    return operation.execute(context).finally(() => context.close());
  }

  function record(stored: StoredRun, run: LiveRun, body: RunEventBody): void {
    ledger.append(stored.id, [run.record(body)]);
    changed(run.view());
  }

  function end(stored: StoredRun, run: LiveRun, operation: AnyOperation, reached: Ending): void {
    if (closing && operation.outlivesMain(run.state())) {
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
    return storedView(ledger, stored, findOperation(stored.operation));
  }

  return {
    async start(input, more = {}) {
      const operation = findOperation(input.operation);
      const asked = operation.check(input, fileName);
      const connection = await options.resolve(input.connectionId);
      const createdAt = options.now();
      const stored: StoredRun = {
        id: randomUUID(),
        operation: input.operation,
        connectionId: input.connectionId,
        connectionName: connection.connection.name,
        model: asked.model,
        status: 'queued',
        createdAt,
        startedAt: null,
        finishedAt: null,
        httpStatus: null,
        error: null,
        timings: null,
        figures: null,
        conversationId: more.conversationId ?? null,
        ...recordedInput(asked, connection.key),
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
      const run = createLiveRun(operation, emptyView(stored, operation), options.clock);
      const { request, extraBody, wireNames, follow } = asked;
      const sent = { ...stored, request, extraBody, wireNames, follow };
      begin(sent, run, operation, async () => connection);
      return stored.id;
    },

    cancel(runId) {
      const found = live.get(runId);
      if (!found) return;
      if (found.operation.goesOnElsewhere(found.run.state())) {
        record(found.stored, found.run, { kind: 'following', exchange: 0, on: false });
      } else found.run.cancel();
    },

    resume(runId) {
      const found = live.get(runId);
      if (!found?.operation.outlivesMain(found.run.state())) return;
      record(found.stored, found.run, { kind: 'following', exchange: 0, on: true });
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
      const view = await storedView(ledger, stored, findOperation(stored.operation));
      if (after !== view.seq) yield { type: 'snapshot', seq: view.seq, view };
    },

    activeCount: () =>
      [...live.values()].filter(({ operation, run }) => !operation.rests(run.state())).length,
    async recover() {
      const { ended, goingOn } = await recoverRuns(ledger, (run) => findOperation(run.operation));
      for (const view of ended) options.onEnd(view);
      for (const { stored, view, nextExchange } of goingOn) {
        const operation = findOperation(stored.operation);
        const run = createLiveRun(operation, view, options.clock, options.now() - view.createdAt);
        const connect = () => options.resolve(stored.connectionId);
        begin(stored, run, operation, connect, nextExchange);
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
  operation: AnyOperation;
  ended: Promise<void>;
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

const noSuchRun = appError(
  'not-found',
  'This run is no longer in the history.',
  'Close it and pick another run.',
  {},
);
