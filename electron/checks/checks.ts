/** Plans, starts, stops, resumes, follows and deletes checks; their requests are comparisons. */
import { randomUUID } from 'node:crypto';
import type {
  Check,
  CheckFormat,
  CheckHint,
  CheckInput,
  CheckState,
  ListedCheck,
  ProbeBody,
  RowVerdict,
  StopReason,
} from '../../shared/checks/check.ts';
import { PROBE_RULES_VERSION } from '../../shared/checks/probe/judge-row.ts';
import type { Comparison, ComparisonPlan } from '../../shared/comparison.ts';
import type { Connection } from '../../shared/connection.ts';
import type { CheckPlan, CheckUpdate } from '../../shared/contract/checks.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { isSameJson } from '../../shared/json.ts';
import { hasResult, isFinished, type RunSummary } from '../../shared/run.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import { createDelayed, type Delayed, type Timer } from '../base/timer.ts';
import type { Comparisons } from '../comparisons/comparisons.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Engine } from '../runs/engine.ts';
import type { Deletions } from '../storage/deletions.ts';
import type { CheckStore } from './check-store.ts';
import { type EstimateOptions, estimateCheck, type PlannedCheck } from './estimate-check.ts';
import { exportCheck } from './export-check.ts';
import { createLoadProgress, type LoadProgress } from './load-progress.ts';
import { countLoadRequests, planLoad } from './plan-load.ts';
import { planProbe } from './probe.ts';
import { createProbeProgress, type ProbeProgress } from './probe-progress.ts';
import { storeProbeRecording } from './probe-recording.ts';
import { type RunReader, readAttempts } from './read-attempts.ts';

export interface ChecksOptions extends EstimateOptions {
  store: CheckStore;
  comparisons: Pick<
    Comparisons,
    'startCheck' | 'stop' | 'resume' | 'get' | 'describeHold' | 'isWaiting' | 'forget'
  >;
  engine: Pick<Engine, 'read' | 'release' | 'restored'>;
  ledger: RunReader;
  deletions: Pick<Deletions, 'softDeleteSlowly'>;
  changes: Pick<ChangeEmitter, 'announce'>;
  media: Pick<MediaStore, 'begin' | 'readBytes' | 'remove'>;
  listConnections: () => readonly Connection[];
  redact: (text: string) => string;
  reportDefect: (cause: unknown) => void;
  now: () => number;
  timer: Timer;
}

/** Methods throw `not-found` for an unknown ID. */
export interface Checks {
  /** Returns what `start` would ask; throws `invalid-request` if it is too much. */
  plan(input: CheckInput): Promise<CheckPlan>;
  /** Records all requests and returns the ID; throws `beyond-cap` unless `overCap` is set. */
  start(input: CheckInput, overCap?: boolean): Promise<string>;
  list(): ListedCheck[];
  get(id: string): Check;
  /** Yields the check and its progress whenever they change, until it is deleted. */
  watch(id: string, signal: AbortSignal | undefined): AsyncGenerator<CheckUpdate, void>;
  /** Cancels running requests and keeps the results so far. */
  stop(id: string): Promise<void>;
  /** Sends the requests that a restart, a cap or `stop` has left; throws `beyond-cap`. */
  resume(id: string, overCap?: boolean): Promise<void>;
  /** Deletes the check or, if `keepsResults`, only its runs; returns an ID for Undo. */
  remove(id: string, keepsResults: boolean): Promise<string>;
  /** Yields the file in chunks, with recorded keys removed. */
  export(id: string, format: CheckFormat): AsyncGenerator<string, void>;
  /** Returns the latest verdict on each row of the model, except for “unclear” ones. */
  listHints(connectionId: string, model: string): CheckHint[];
  /** Measures or judges what an earlier process left; call this once its runs have ended. */
  recover(): Promise<void>;
  /**
   * Returns the title of the check that ends with the run of this comparison, before `follow` has
   * the run; null if there are others.
   */
  getEndedTitle(comparisonId: string): string | null;
  /** Call this when a run changes, before the next request is sent. */
  follow(run: RunSummary): void;
  /** Call this when a request of the check couldn't start. */
  review(id: string): void;
  /** Writes what isn't saved yet. */
  close(): void;
}

interface LiveCheck {
  check: Check;
  comparisons: readonly Comparison[];
  counts: ReturnType<CheckStore['count']>;
  running: Set<string>;
  /** Stays “running” until the results of the last request are saved. */
  state: CheckState;
  /** Resolves when `load` or `probe` knows the runs so far. */
  prepared: Promise<void> | null;
  load: LoadProgress | null;
  probe: ProbeProgress | null;
  /** Judges one after the other, and saves. */
  refreshing: Promise<void>;
  nextRefresh: Delayed;
  stopTimer: () => void;
  watchers: Set<() => void>;
  /** Counts what reads or resumes the check, which stays open meanwhile. */
  holds: number;
  isDeleted: boolean;
}

/** Judging and measuring wait for other requests that end within this time. */
const REFRESH_MS = 250;

export function createChecks(options: ChecksOptions): Checks {
  const { store, comparisons, engine, ledger, media, changes, timer, now } = options;
  const all = new Map<string, LiveCheck>();
  const byComparison = new Map<string, LiveCheck>();

  function planInput(input: CheckInput, recordingId = 'planned'): PlannedCheck & CheckPlan {
    const planned = input.kind === 'load' ? planLoad(input) : planProbe(input, recordingId);
    return { ...planned, estimate: estimateCheck(planned, options) };
  }

  function createBody(
    input: CheckInput,
    { asked, estimate }: CheckPlan,
    comparisonIds: string[],
  ): Check['body'] {
    const connection = options.listConnections().find(({ id }) => id === input.connectionId);
    if (connection === undefined) throw new UserFacingError(noConnection);
    const head = { connectionName: connection.name, comparisonIds, estimate, stopped: null };
    if (input.kind === 'probe') {
      return { ...input, ...head, rulesVersion: PROBE_RULES_VERSION, asked, verdicts: [] };
    }
    const { requests, extraBody: _, wireNames: __, ...kept } = input;
    const sent = { first: requests[0] ?? {}, count: requests.length };
    return { ...kept, ...head, sent, results: [] };
  }

  function open(id: string): LiveCheck {
    const check = store.get(id);
    const known = all.get(id);
    if (known !== undefined) return known;
    const { body } = check;
    const own = body.comparisonIds.flatMap((each) => findComparison(each) ?? []);
    const live: LiveCheck = {
      check,
      comparisons: own,
      counts: store.count(id),
      running: new Set(store.listRunning(id)),
      state: 'running',
      prepared: null,
      load: null,
      probe: null,
      refreshing: Promise.resolve(),
      nextRefresh: createDelayed(timer, () => void refresh(live)),
      stopTimer: () => undefined,
      watchers: new Set(),
      holds: 0,
      isDeleted: false,
    };
    live.state = getState(live);
    all.set(id, live);
    for (const each of own) byComparison.set(each.id, live);
    return live;
  }

  /** Reads the runs so far, which takes a while for thousands of them, and then calls `work`. */
  async function prepare(live: LiveCheck, work: () => void): Promise<void> {
    live.holds += 1;
    try {
      live.prepared ??= readRuns(live);
      await live.prepared;
      work();
    } finally {
      live.holds -= 1;
      live.nextRefresh.start(REFRESH_MS);
    }
  }

  async function readRuns(live: LiveCheck): Promise<void> {
    const { check, comparisons: own } = live;
    if (check.body.kind === 'load') live.load = createLoadProgress(check.body, own);
    else live.probe = createProbeProgress(check.body, own, options);
    for (const { id } of own) {
      for await (const run of readAttempts(ledger, id)) {
        live.load?.add(run, false);
        live.probe?.follow(run);
      }
    }
  }

  /** Returns undefined if the comparison was deleted. */
  function findComparison(id: string): Comparison | undefined {
    try {
      return comparisons.get(id).comparison;
    } catch (cause) {
      if (cause instanceof UserFacingError) return undefined;
      throw cause;
    }
  }

  function getState({ check, running }: LiveCheck): CheckState {
    const isSending = running.size > 0 || check.body.comparisonIds.some(comparisons.isWaiting);
    return isSending ? 'running' : store.getIdleState(check);
  }

  function change(live: LiveCheck, body: Check['body'], isSettled: boolean): void {
    live.check = { ...live.check, body };
    store.save(live.check.id, body, isSettled);
    changes.announce('checks', live.check.id);
  }

  /** Judges or measures finished runs, saves the results and notifies watchers. */
  function refresh(live: LiveCheck): Promise<void> {
    live.refreshing = live.refreshing.then(() => refreshOnce(live)).catch(options.reportDefect);
    return live.refreshing;
  }

  /** Returns no verdicts if the runs can't be read, so that the check still ends. */
  async function judge({ probe: progress }: LiveCheck): Promise<RowVerdict[]> {
    try {
      return (await progress?.judge()) ?? [];
    } catch (cause) {
      options.reportDefect(cause);
      return [];
    }
  }

  async function refreshOnce(live: LiveCheck): Promise<void> {
    await live.prepared;
    const state = getState(live);
    const isOver = state !== 'running';
    const isSettled = isOver && state !== 'held';
    const verdicts = await judge(live);
    if (all.get(live.check.id) !== live) return;
    const { body } = live.check;
    if (body.kind === 'probe' && (verdicts.length > 0 || isOver)) {
      change(live, mergeVerdicts(body, verdicts), isSettled);
    }
    const isWhole = live.comparisons.length === body.comparisonIds.length;
    const isMeasured = isWhole && (isOver || live.watchers.size > 0);
    if (body.kind === 'load' && live.load !== null && isMeasured) {
      const isCut = state === 'done' && live.counts.requests < countLoadRequests(body);
      const stopped = isCut ? 'requests' : body.stopped;
      const measured = { ...body, stopped, results: live.load.measure() };
      // Saving each change would write more than the requests do.
      if (isOver) change(live, measured, isSettled);
      else live.check = { ...live.check, body: measured };
    } else if (body.kind === 'load' && isOver) {
      // Keeps the results if the runs were deleted.
      change(live, body, isSettled);
    }
    // A request may have been resumed meanwhile.
    live.state = getState(live) === 'running' ? 'running' : state;
    for (const wake of live.watchers) wake();
    if (live.state !== 'running') release(live);
    else if (isOver) live.nextRefresh.start(REFRESH_MS);
  }

  function release(live: LiveCheck): void {
    if (live.holds > 0 || all.get(live.check.id) !== live) return;
    live.stopTimer();
    live.nextRefresh.cancel();
    live.load = null;
    live.probe = null;
    live.prepared = null;
    if (live.watchers.size > 0 && !live.isDeleted) return;
    all.delete(live.check.id);
    for (const { id } of live.comparisons) byComparison.delete(id);
  }

  /** Starts the time limit of a load, which a pause doesn't count for. */
  function limitTime(live: LiveCheck): void {
    const { body } = live.check;
    const seconds = body.kind === 'load' ? body.limits.seconds : null;
    live.stopTimer();
    if (seconds === null) return;
    live.stopTimer = timer.after(seconds * 1000, () => void stopFor(live, 'seconds'));
  }

  async function stopFor(live: LiveCheck, reason: StopReason): Promise<void> {
    const { body } = live.check;
    if (!['running', 'held'].includes(getState(live))) return;
    if (body.stopped === null) {
      live.check = { ...live.check, body: { ...body, stopped: reason } };
    }
    await Promise.all(body.comparisonIds.map((id) => comparisons.stop(id, null)));
    await refresh(live);
  }

  function countEnd(live: LiveCheck, run: RunSummary): void {
    live.load?.add(run, true);
    const { counts } = live;
    const isFailure = !hasResult(run) && run.status !== 'cancelled';
    live.counts = {
      ...counts,
      ended: counts.ended + 1,
      failed: counts.failed + (isFailure ? 1 : 0),
      dollars: run.cost === null ? counts.dollars : (counts.dollars ?? 0) + run.cost,
    };
  }

  /** Updates the evidence after its runs were deleted or restored. */
  function readAgain(live: LiveCheck | undefined): void {
    if (live === undefined) return;
    live.check = store.get(live.check.id);
    for (const wake of live.watchers) wake();
  }

  function describeHold({ body }: Check): CheckUpdate['heldBy'] {
    const existing = body.comparisonIds.filter((id) => findComparison(id) !== undefined);
    return existing.flatMap((id) => comparisons.describeHold(id) ?? [])[0] ?? null;
  }

  return {
    async plan(input: CheckInput): Promise<CheckPlan> {
      const { asked, estimate } = planInput(input);
      return { asked, estimate };
    },

    async start(input: CheckInput, overCap = false): Promise<string> {
      const isHeard = input.kind === 'probe' && input.operations.includes('transcription');
      const recordingId = isHeard ? await storeProbeRecording(media) : undefined;
      const id = randomUUID();
      const title = input.models.join(', ').slice(0, 200);
      try {
        const planned = planInput(input, recordingId);
        const plans = planned.comparisons.map(
          (plan): ComparisonPlan => ({
            ...plan,
            repeats: 1,
            sourceComparisonId: null,
            checkId: id,
          }),
        );
        await comparisons.startCheck(plans, overCap, (ids) =>
          store.create({ id, title, createdAt: now(), body: createBody(input, planned, ids) }),
        );
      } catch (cause) {
        if (recordingId !== undefined) media.remove(recordingId);
        throw cause;
      }
      const live = open(id);
      await prepare(live, () => limitTime(live));
      changes.announce('checks', id);
      return id;
    },

    list(): ListedCheck[] {
      return store.list().map((check) => {
        const { id, title, createdAt, body } = check;
        const { kind, connectionId, connectionName, models, comparisonIds } = body;
        const state = all.get(id)?.state ?? store.getIdleState(check);
        const operations = body.kind === 'probe' ? body.operations : [body.operation];
        const target = { connectionId, connectionName, models, operations, comparisonIds };
        return { id, title, createdAt, kind, ...target, state };
      });
    },

    get: (id: string) => all.get(id)?.check ?? store.get(id),

    async *watch(id: string, signal: AbortSignal | undefined) {
      const live = open(id);
      let last: Check | null = null;
      let changed = Promise.withResolvers<void>();
      const watcher = () => changed.resolve();
      live.watchers.add(watcher);
      signal?.addEventListener('abort', watcher);
      try {
        while (signal?.aborted !== true && !live.isDeleted) {
          changed = Promise.withResolvers();
          const { check, counts, state, running } = live;
          yield {
            check: check === last ? null : check,
            progress: { ...counts, state, running: running.size },
            heldBy: ['held', 'stopped'].includes(state) ? describeHold(check) : null,
          };
          last = check;
          await changed.promise;
        }
      } finally {
        live.watchers.delete(watcher);
        signal?.removeEventListener('abort', watcher);
        if (live.state !== 'running') release(live);
      }
    },

    stop: (id: string) => stopFor(open(id), 'user'),

    async resume(id: string, overCap = false): Promise<void> {
      const live = open(id);
      // Throws if its runs were deleted, whose results a new measurement would replace.
      for (const each of live.check.body.comparisonIds) comparisons.get(each);
      await prepare(live, () => {
        const { body } = live.check;
        for (const each of body.comparisonIds) comparisons.resume(each, overCap, true);
        live.state = 'running';
        change(live, { ...body, stopped: null }, false);
        limitTime(live);
      });
    },

    async remove(id: string, keepsResults: boolean): Promise<string> {
      const live = open(id);
      await stopFor(live, 'user');
      await Promise.all(store.listRunning(id).map((runId) => engine.release(runId)));
      return options.deletions.softDeleteSlowly({
        hide(deletedAt) {
          store.hide(id, deletedAt, keepsResults);
        },
        async hideRuns(deletedAt) {
          live.isDeleted = !keepsResults;
          for (const wake of live.watchers) wake();
          release(live);
          comparisons.forget(live.check.body.comparisonIds);
          await store.hideRuns(id, deletedAt);
          if (keepsResults) readAgain(all.get(id));
          changes.announce('checks', id);
        },
        restoreSlowly: store.showRuns,
        onRestored() {
          for (const runId of store.listRunning(id)) engine.restored(runId);
          changes.announce('runs');
          readAgain(all.get(id));
          changes.announce('checks', id);
        },
      });
    },

    async *export(id: string, format: CheckFormat): AsyncGenerator<string, void> {
      const check = all.get(id)?.check ?? store.get(id);
      for await (const chunk of exportCheck(check, format, ledger)) yield options.redact(chunk);
    },

    listHints(connectionId: string, model: string): CheckHint[] {
      const hints = store.listProbes(connectionId, model).flatMap(({ id: checkId, body }) => {
        const verdicts = body.kind === 'probe' ? body.verdicts : [];
        const own = verdicts.filter((each) => each.model === model && each.verdict !== 'unclear');
        return own.map(({ rowId, format, verdict, sentence, atMs }) => {
          return { rowId, format, verdict, sentence, atMs, checkId };
        });
      });
      const byRow = Map.groupBy(hints, ({ rowId, format }) => `${rowId} ${format}`);
      return [...byRow.values()].flatMap(([latest]) => latest ?? []);
    },

    async recover(): Promise<void> {
      for (const id of store.listUnsettled()) {
        const live = open(id);
        await prepare(live, () => void refresh(live));
        await live.refreshing;
      }
    },

    getEndedTitle(comparisonId: string): string | null {
      const live = byComparison.get(comparisonId);
      if (live === undefined || live.running.size > 1) return null;
      const { title, body } = live.check;
      return body.comparisonIds.some(comparisons.isWaiting) ? null : title;
    },

    follow(run: RunSummary): void {
      const live = run.comparisonId === null ? undefined : byComparison.get(run.comparisonId);
      if (live === undefined) return;
      live.probe?.follow(run);
      live.state = 'running';
      if (!isFinished(run.status)) live.running.add(run.id);
      else if (live.running.delete(run.id)) {
        countEnd(live, run);
        const reason = live.load?.findLimit(live.counts.dollars) ?? live.probe?.findLimit(run);
        if (reason) void stopFor(live, reason);
      }
      live.nextRefresh.start(REFRESH_MS);
    },

    review(id: string): void {
      all.get(id)?.nextRefresh.start(REFRESH_MS);
    },

    close(): void {
      for (const live of all.values()) {
        live.nextRefresh.close();
        live.stopTimer();
      }
    },
  };
}

/** Replaces earlier verdicts on the rows, unless they say the same. */
function mergeVerdicts(body: ProbeBody, verdicts: readonly RowVerdict[]): ProbeBody {
  const getKey = ({ rowId, model, format }: RowVerdict) => JSON.stringify([rowId, model, format]);
  const all = new Map(body.verdicts.map((each) => [getKey(each), each]));
  for (const each of verdicts) {
    const earlier = all.get(getKey(each));
    if (!isSameJson({ ...earlier, atMs: each.atMs }, each)) all.set(getKey(each), each);
  }
  return { ...body, verdicts: [...all.values()] };
}

const noConnection = appError(
  'not-found',
  'This connection no longer exists.',
  'Choose another connection.',
);
