/**
 * Starts, watches and ends runs, which are recorded before they are sent and don't need the page.
 */
import type {
  ActiveCounts,
  RecordedRun,
  RunUpdate,
  StartInput,
} from '../../shared/contract/runs.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { findReferencedMedia } from '../../shared/media.ts';
import { isFinished, phaseTraits, type RunSummary, type SentRequest } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import { checkInput } from '../operations/check-input.ts';
import { redactAll } from '../redaction/redactor.ts';
import type { Deletions } from '../storage/deletions.ts';
import type { StoredRun } from '../storage/ledger.ts';
import { countTokens } from './count-tokens.ts';
import { createUpdatePace, type LiveRun, streamUpdates } from './live-run.ts';
import { buildRun, findMediaRun } from './new-run.ts';
import { type PreviewInput, previewRequest } from './preview-request.ts';
import { type ContinuingRun, endOrContinue, resumeRun, stopFollowing } from './recover-runs.ts';
import { createRunner, type RunnerOptions } from './runner.ts';
import type { Spending } from './spending.ts';
import { createEmptyView, readStoredView } from './stored-view.ts';

export interface EngineOptions extends RunnerOptions {
  changes: Pick<ChangeEmitter, 'announce'>;
  deletions: Pick<Deletions, 'softDelete' | 'onPurgeInSteps'>;
  spending: Pick<Spending, 'check' | 'price'>;
  reportDefect(cause: unknown): void;
  now(): number;
}

export interface RunPlace {
  conversationId?: string | null;
  cell?: { comparisonId: string; place: number; checkId?: string | undefined } | null;
  /** Called in the transaction that records the run; an exception rolls back the run. */
  record?: (runId: string) => void;
}

/**
 * `view`, `read`, `chain` and `watch` throw a `not-found` `UserFacingError` if the run was deleted;
 * other methods ignore an unknown run.
 */
export interface Engine {
  /** Records the run and starts sending; if a `UserFacingError` is thrown, nothing is recorded. */
  start(input: StartInput, place?: RunPlace): Promise<string>;
  /** Returns the request that `start` would send; throws the errors of `start`. */
  preview(input: PreviewInput): Promise<SentRequest>;
  /** Asks the gateway for the input tokens of a chat request; throws if it doesn't count them. */
  countTokens(input: PreviewInput, signal: AbortSignal | undefined): Promise<number>;
  /** Stops the run. The gateway continues a task, but Gatehouse stops polling it. */
  cancel(runId: string): Promise<void>;
  /**
   * Polls a task again that the user stopped following; ignores other runs. Throws the reason if
   * the task can't be continued.
   */
  resume(runId: string): Promise<void>;
  /** Stops and deletes the run and returns an ID for undo, or null if the run doesn't exist. */
  remove(runId: string): Promise<string | null>;
  /** Stops the run before it is deleted; resolves when its events are on disk. */
  release(runId: string): Promise<void>;
  /** Continues and announces a run whose deletion was undone. */
  restored(runId: string): void;
  view(runId: string): Promise<RunView>;
  /** Returns the run with its input and the connection's URL at that time. */
  read(runId: string): Promise<RecordedRun>;
  /** Returns the run that produced this run's input, and the runs that used its output. */
  chain(runId: string): { source: RunSummary | null; next: RunSummary[] };
  /**
   * Yields a snapshot, then changes until the run ends or `signal` aborts. `after` is the number of
   * the last event that the caller knows, or null; nothing is yielded if a finished run has no more.
   */
  watch(
    runId: string,
    after: number | null,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<RunUpdate, void>;
  /** Counts active runs, except tasks that the user stopped following. */
  activeCount(): number;
  /** Returns the runs that `activeCount` counts, and those whose end isn't announced yet. */
  active(): RunSummary[];
  /** Omits panels that have no active run. */
  activeCounts(): ActiveCounts;
  /** Masks secrets that active runs have received split across chunks so far. */
  cutSecrets(): Promise<void>;
  /** Polls tasks at once after sleep. */
  wake(): void;
  /** Announces a change of the run and of its conversation. */
  announce(runId: string): void;
  /** Resolves when the run's events are readable, which takes a while after a crash. */
  waitUntilReadable(runId: string): Promise<void>;
  /**
   * Ends or continues the runs of an earlier process, one at a time and in steps; resolves when all
   * are done. A caller that needs one of them waits for it. If `isRestored`, the runs come from a
   * backup, so that only the user continues them.
   */
  recover(options?: { isRestored?: boolean }): Promise<void>;
  /** Interrupts active runs; resolves when their last events are recorded. */
  close(): Promise<void>;
}

export function createEngine(options: EngineOptions): Engine {
  const { ledger, changes, deletions } = options;
  const pace = createUpdatePace();
  const closed = new AbortController();
  const returning = new Map<string, Promise<void>>();
  const runner = createRunner({
    ...options,
    onChange(run) {
      options.onChange(run);
      changes.announce('runs', run.id);
    },
  });

  /** The conversation also changes, because its answers refer to the run. */
  function announce(runId: string, conversationId: string | null): void {
    changes.announce('runs', runId);
    if (conversationId !== null) changes.announce('conversations', conversationId);
  }

  async function continueStored(run: StoredRun): Promise<void> {
    const view = await readStoredView(ledger, run);
    if (!closed.signal.aborted) continueRun(resumeRun(ledger, run, view));
  }

  async function continueRestored(run: StoredRun): Promise<void> {
    try {
      await continueStored(run);
    } catch (cause) {
      options.reportDefect(cause);
      // The user can resume a task only if it is no longer marked as followed.
      await stopFollowing(ledger, run).catch(options.reportDefect);
    }
    returning.delete(run.id);
    announce(run.id, run.conversationId);
  }

  async function findLive(runId: string): Promise<LiveRun | null> {
    await returning.get(runId);
    return runner.find(runId);
  }

  /**
   * Like `findLive`, but retries a task that couldn't be continued; throws the reason if it fails.
   */
  async function findOrContinue(runId: string): Promise<LiveRun | null> {
    const live = await findLive(runId);
    const run = live === null ? ledger.run(runId) : null;
    if (run === null || isFinished(run.status)) return live;
    // Continuing any other run would send its request again.
    if (!phaseTraits[run.phase.name].outlivesMain) return null;
    const continued = continueStored(run).finally(() => returning.delete(runId));
    returning.set(
      runId,
      continued.catch(() => undefined),
    );
    await continued;
    return runner.find(runId);
  }

  function continueRun({ stored, view, nextExchange, lastAtMs }: ContinuingRun): void {
    runner.begin({
      stored,
      view,
      // Keep event times increasing even if the clock was set back.
      ageMs: Math.max(lastAtMs, options.now() - view.createdAt),
      lastAtMs,
      connection: null,
      firstExchange: nextExchange,
    });
  }

  async function release(runId: string): Promise<void> {
    await returning.get(runId);
    await runner.release(runId);
    // Write the last events before the deletion's transaction, which may be rolled back.
    ledger.save(runId);
  }

  function restoreRun(runId: string): void {
    const run = ledger.run(runId);
    if (run !== null && !isFinished(run.status)) returning.set(runId, continueRestored(run));
    else announce(runId, run?.conversationId ?? null);
  }

  deletions.onPurgeInSteps('runs', ledger.purge);

  function getStoredRun(runId: string): StoredRun {
    const run = ledger.run(runId);
    if (!run) throw new UserFacingError(noSuchRun);
    return run;
  }

  function fileName(reference: string): string | null {
    const id = findReferencedMedia(reference);
    return id === null ? null : (options.media.get(id)?.name ?? null);
  }

  const listActive = () => runner.all().filter((run) => getTraits(run).isActive);
  const listUnended = () => listActive().filter((run) => !isFinished(run.view().status));

  async function view(runId: string): Promise<RunView> {
    const live = await findLive(runId);
    if (live !== null) ledger.save(runId);
    // A stored view names its files as they were renamed since.
    if (live === null || isFinished(live.view().status)) {
      return readStoredView(ledger, getStoredRun(runId));
    }
    return live.view();
  }

  /** A connection that was deleted, or whose keyring is locked, has no secrets. */
  const getRedactor = (connectionId: string) =>
    options.resolve(connectionId).then(
      ({ access }) => redactAll(access.secrets),
      () => redactAll([]),
    );

  async function recoverRun(runId: string, isRestored: boolean): Promise<void> {
    if (!(await ledger.recoverJournal(runId, getRedactor, closed.signal))) return;
    const run = ledger.run(runId);
    if (run === null || isFinished(run.status)) return;
    const continuing = await endOrContinue(ledger, run, options, isRestored);
    if (continuing !== null && !closed.signal.aborted) continueRun(continuing);
    announce(runId, run.conversationId);
  }

  return {
    async start(
      input: StartInput,
      { conversationId = null, cell = null, record }: RunPlace = {},
    ): Promise<string> {
      const checked = checkInput(input.operation, input, fileName);
      const connection = await options.resolve(input.connectionId);
      const { operation, connectionId, overCap = false } = input;
      const price = options.spending.price({ ...checked, operation, connectionId });
      const sourceRunId =
        input.sourceRunId ?? findMediaRun(operation, checked.request, options.media);
      const stored = buildRun(input, checked, connection, {
        sourceRunId,
        createdAt: options.now(),
        conversationId,
        comparisonId: cell?.comparisonId ?? null,
        cell: cell?.place ?? null,
        checkId: cell?.checkId ?? null,
      });
      await ledger.writeTogether(() => {
        // Shutdown may begin while the key is being read.
        if (closed.signal.aborted) throw new UserFacingError(closingError);
        // Runs that were recorded just before count for the cap.
        if (!overCap) options.spending.check([{ price, times: 1 }]);
        const leastCost = price.cost()?.dollars || null;
        ledger.createRun({ ...stored, leastCost }, () => record?.(stored.id));
      });
      const { request, extraBody, wireNames, follow } = checked;
      runner.begin({
        stored: { ...stored, request, extraBody, wireNames, follow },
        view: createEmptyView(stored),
        // Many runs wait for each other until they are recorded.
        ageMs: Math.max(0, options.now() - stored.createdAt),
        lastAtMs: 0,
        connection,
        firstExchange: 0,
      });
      if (stored.sourceRunId !== null) changes.announce('runs', stored.sourceRunId);
      return stored.id;
    },

    preview: (input: PreviewInput) => previewRequest(input, options.media, options.resolve),

    countTokens(input: PreviewInput, signal: AbortSignal | undefined): Promise<number> {
      const { media, network, resolve } = options;
      const timeouts = options.getTimeouts('chat');
      return countTokens(input, { media, network, resolve, timeouts, signal });
    },

    async cancel(runId: string): Promise<void> {
      const run = await findOrContinue(runId);
      if (run === null) return;
      if (getTraits(run).runsAtGateway) runner.follow(run, false);
      else run.cancel();
    },

    async resume(runId: string): Promise<void> {
      const run = await findOrContinue(runId);
      if (run !== null && getTraits(run).outlivesMain) runner.follow(run, true);
    },

    async remove(runId: string): Promise<string | null> {
      await release(runId);
      const run = ledger.run(runId);
      if (run === null) return null;
      const deletionId = deletions.softDelete({
        hide: (deletedAt) => ledger.hide(runId, deletedAt),
        onRestored: () => restoreRun(runId),
      });
      announce(runId, run.conversationId);
      return deletionId;
    },

    release,
    restored: restoreRun,
    view,

    async read(runId: string): Promise<RecordedRun> {
      const { request, extraBody, wireNames, follow, baseUrl } = getStoredRun(runId);
      return { view: await view(runId), request, extraBody, wireNames, follow, baseUrl };
    },

    chain(runId: string): { source: RunSummary | null; next: RunSummary[] } {
      const { sourceRunId } = getStoredRun(runId);
      const source = sourceRunId === null ? null : ledger.summary(sourceRunId);
      return { source, next: ledger.next(runId) };
    },

    async *watch(
      runId: string,
      after: number | null,
      signal: AbortSignal | undefined,
    ): AsyncGenerator<RunUpdate, void> {
      const run = await findLive(runId);
      if (run !== null)
        return yield* streamUpdates(run, after, signal, pace, () => ledger.save(runId));
      const view = await readStoredView(ledger, getStoredRun(runId));
      if (after !== view.seq) yield { type: 'snapshot', seq: view.seq, view, quietMs: 0 };
    },

    activeCount: () => listUnended().length,
    active: () => listActive().map((run) => getSummary(run.view())),
    activeCounts(): ActiveCounts {
      const counts: ActiveCounts = {};
      for (const run of listUnended()) {
        const { id, operation } = run.view();
        const panel = runner.isOfCheck(id) ? 'check' : operation;
        counts[panel] = (counts[panel] ?? 0) + 1;
      }
      return counts;
    },

    cutSecrets: () => runner.cutSecrets(),
    wake: () => runner.wake(),
    announce: (runId: string) => announce(runId, ledger.run(runId)?.conversationId ?? null),

    waitUntilReadable: (runId: string) => returning.get(runId) ?? Promise.resolve(),

    async recover({ isRestored = false } = {}): Promise<void> {
      const ids = new Set([...ledger.listUnfinished(), ...ledger.listLeftJournals()]);
      let last = Promise.resolve();
      for (const runId of ids) {
        last = last
          .then(() => recoverRun(runId, isRestored))
          .catch(options.reportDefect)
          .finally(() => returning.delete(runId));
        returning.set(runId, last);
      }
      await last;
    },

    async close(): Promise<void> {
      closed.abort();
      await Promise.all(returning.values());
      await runner.close();
    },
  };
}

function getSummary({ state: _state, seq: _seq, ...summary }: RunView): RunSummary {
  return summary;
}

function getTraits(run: LiveRun) {
  return phaseTraits[run.view().phase.name];
}

const closingError = appError(
  'cancelled',
  'Gatehouse is closing. The request wasn’t sent.',
  'Restart Gatehouse, then retry.',
);
const noSuchRun = appError('not-found', 'This run was deleted.', 'Choose another run.');
