/** Everything the pages were shown and promised over all lives of the host. None of it may be lost. */

import { isFinished, type RunStatus } from '../../shared/run.ts';
import { getResponse, type RunView } from '../../shared/run-view.ts';

export interface Sight {
  /** On the clock of `performance`. */
  atMs: number;
  seq: number;
  text: string;
  status: RunStatus;
  /** The gateway has the run's task. */
  hasTask: boolean;
}

export interface SeenRun {
  id: string;
  jobId: string;
  operation: RunView['operation'];
  conversationId: string | null;
  /** Oldest first; of those older than some seconds, only the newest. */
  sights: Sight[];
}

export interface Journal {
  /** Runs that were unfinished when a life of the host began, or began in it. */
  open: Map<string, SeenRun>;
  /** The text of finished runs, which must not change. */
  ended: Map<string, { run: SeenRun; text: string; status: RunStatus }>;
  /** Complete media with the SHA-256 of what was sent. */
  media: Map<string, string>;
  /** Unfinished recordings with the size that was confirmed. */
  recordings: Map<string, Buffer>;
  /** With the number of their cells. */
  comparisons: Map<string, number>;
  removed: Set<string>;
  /** Tasks by their run; polled again in each life. */
  tasks: Map<string, string>;
  /** Conversations with a turn of several requests, and the ID in its message. */
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

/** Whether its answer is one text that only grows. */
export function isText({ operation }: SeenRun): boolean {
  return operation !== 'speech' && operation !== 'video';
}
