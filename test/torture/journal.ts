/** Records everything that pages received from all host processes, none of which may be lost. */

import { isFinished, type RunStatus } from '../../shared/run.ts';
import { getResponse, type RunView } from '../../shared/run-view.ts';

export interface Sight {
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
  /** The last view that a page received; null before the first. */
  seen: Sight | null;
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
  /** Maps each conversation whose turn sends several requests to its job ID. */
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

export function noteSight(run: SeenRun, view: RunView): void {
  const { seq, status, phase } = view;
  const hasTask = phase.task !== null && !isFinished(status);
  run.seen = { seq, status, hasTask, text: getResponse(view).text };
}

/** Returns true if the answer is a single text that only grows. */
export function isText({ operation }: SeenRun): boolean {
  return operation !== 'speech' && operation !== 'video';
}
