/** Maps the API's four task statuses and other gateways' spellings to a known status. */
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
  // Includes every status that ends without a video, because polling such a task would never end.
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

const statusOf = new Map(
  (['queued', 'in_progress', 'completed', 'failed'] as const).flatMap((status) =>
    WORDS[status].map((word): [string, TaskStatus] => [word, status]),
  ),
);

/** Statuses in `failed` that the prompt and the settings don't explain. */
const EARLY = new Set(['cancelled', 'canceled', 'aborted', 'expired', 'timeout', 'timed_out']);

/** Some gateways prefix the status with the field name, such as `TASK_STATUS_SUCCEED`. */
const PREFIX = /^(?:task_|job_)?(?:status|state)_/;

/** Matches longer words such as `content_moderated`, because polling an ended task never ends. */
const ENDED_IN =
  /(?:^|_)(?:fail(?:ed|ure)?|error(?:ed)?|cancell?ed|rejected|refused|denied|moderated|blocked|violation|expired|not_found)$/;

export function readStatusWord(word: string): TaskStatus {
  const plain = plainWord(word);
  const known = statusOf.get(plain) ?? statusOf.get(plain.replace(PREFIX, ''));
  return known ?? (ENDED_IN.test(plain) ? 'failed' : 'unknown');
}

/** Returns true if the task was stopped before the task could succeed or fail. */
export function isEndedEarly(word: string): boolean {
  return EARLY.has(plainWord(word).replace(PREFIX, ''));
}

function plainWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}
