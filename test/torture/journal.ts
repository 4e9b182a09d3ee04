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
  /** Lists sights, oldest first; keeps only the newest of those older than a few seconds. */
  sights: Sight[];
}

export interface Journal {
  /** Contains runs that a host started, or that were unfinished when it started. */
  open: Map<string, SeenRun>;
  /** Contains the text of finished runs, which must not change. */
  ended: Map<string, { run: SeenRun; text: string; status: RunStatus }>;
  /** Maps complete media to the SHA-256 of the bytes sent. */
  media: Map<string, string>;
  /** Maps unfinished recordings to their confirmed bytes. */
  recordings: Map<string, Buffer>;
  /** Maps comparisons to their number of cells. */
  comparisons: Map<string, number>;
  removed: Set<string>;
  /** Maps runs to their video tasks, which each host polls again. */
  tasks: Map<string, string>;
  /** Maps conversations with a turn of several requests to the job ID in the user's message. */
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
