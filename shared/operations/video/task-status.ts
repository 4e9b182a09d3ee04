/** Maps task statuses of the API and of other gateways to a known status. */
import type { TaskStatus } from '../../run.ts';

const WORDS: Readonly<Record<Exclude<TaskStatus, 'unknown'>, readonly string[]>> = {
  queued: [
    'queued',
    'queueing',
    'queuing',
    'in_queue',
    'not_start',
    'not_started',
    'submitted',
    'pending',
    'waiting',
    'created',
    'scheduled',
    'accepted',
  ],
  in_progress: [
    'in_progress',
    'inprogress',
    'processing',
    'running',
    'generating',
    'rendering',
    'started',
    'starting',
    'working',
  ],
  completed: [
    'completed',
    'complete',
    'succeeded',
    'succeed',
    'success',
    'successful',
    'done',
    'finished',
    'ready',
  ],
  // Includes all statuses that end without a video, or polling would never stop.
  failed: [
    'failed',
    'fail',
    'failure',
    'error',
    'cancelled',
    'canceled',
    'aborted',
    'expired',
    'timeout',
    'timed_out',
    'rejected',
    'moderated',
    'blocked',
  ],
};

const statuses = new Map(
  (['queued', 'in_progress', 'completed', 'failed'] as const).flatMap((status) =>
    WORDS[status].map((word): [string, TaskStatus] => [word, status]),
  ),
);

/** Failure statuses that the prompt and settings can't have caused. */
const EARLY = new Set(['cancelled', 'canceled', 'aborted', 'expired', 'timeout', 'timed_out']);

/** Some gateways prefix the status with the field name, such as `TASK_STATUS_SUCCEED`. */
const PREFIX = /^(?:task_|job_)?(?:status|state)_/;

/** Matches longer words such as `content_moderated`, or polling an ended task would never stop. */
const ENDED_IN =
  /(?:^|_)(?:fail(?:ed|ure)?|error(?:ed)?|cancell?ed|rejected|refused|denied|moderated|blocked|violation|expired|not_found)$/;

export function readStatusWord(word: string): TaskStatus {
  const plain = normalizeWord(word);
  const known = statuses.get(plain) ?? statuses.get(plain.replace(PREFIX, ''));
  return known ?? (ENDED_IN.test(plain) ? 'failed' : 'unknown');
}

/** Returns true if the task was stopped before it succeeded or failed. */
export function isEndedEarly(word: string): boolean {
  return EARLY.has(normalizeWord(word).replace(PREFIX, ''));
}

function normalizeWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}
