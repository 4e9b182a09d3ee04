/** Records everything that pages received from all host processes, none of which may be lost. */

import { isFinished, type RunStatus } from '../../shared/run.ts';
import { getResponse, type RunView } from '../../shared/run-view.ts';

export interface Sight {
  /** Milliseconds from `performance.now()`. */
  atMs: number;
  seq: number;
  text: string;
  status: RunStatus;
  /** True if the gateway has the run's task. */
  hasTask: boolean;
}

export interface SeenRun {
  id: string;
  jobId: string;
  operation: RunView['operation'];
  conversationId: string | null;
  /** Sights, oldest first. Of those older than a few seconds, only the newest stays. */
  sights: Sight[];
}

export interface Journal {
  /** Runs that a host started, or that were unfinished when it started. */
  open: Map<string, SeenRun>;
  /** The text of finished runs, which must not change. */
  ended: Map<string, { run: SeenRun; text: string; status: RunStatus }>;
  /** The SHA-256 of the bytes sent, by complete media item. */
  media: Map<string, string>;
  /** The confirmed bytes of unfinished recordings. */
  recordings: Map<string, Buffer>;
  /** The number of cells of each comparison. */
  comparisons: Map<string, number>;
  removed: Set<string>;
  /** Video tasks by run. Every host polls them again. */
  tasks: Map<string, string>;
  /** The job ID in the user's message, by conversation with a turn of several requests. */
  turns: Map<string, string>;
}

export function createJournal(): Journal {
  const maps = { open: new Map(), ended: new Map(), media: new Map(), recordings: new Map() };
  return {
    ...maps,
    comparisons: new Map(),
    removed: new Set(),
    tasks: new Map(),
    turns: new Map(),
  };
}

const KEPT_MS = 3000;

export function noteSight(run: SeenRun, view: RunView): void {
  const atMs = performance.now();
  const { seq, status, phase } = view;
  const hasTask = phase.task !== null && !isFinished(status);
  run.sights.push({ atMs, seq, status, hasTask, text: getResponse(view).text });
  const old = run.sights.findLastIndex((sight) => sight.atMs < atMs - KEPT_MS);
  if (old > 0) run.sights.splice(0, old);
}

/** Returns true if the answer is a single text that only grows. */
export function isText({ operation }: SeenRun): boolean {
  return operation !== 'speech' && operation !== 'video';
}
