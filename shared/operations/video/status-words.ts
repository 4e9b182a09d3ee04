/** The words for the state of a video task: the interface's four, and those of gateways in practice. */
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
  // Whatever ended without a video: polling such a task for ever would cost the user hours.
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

/** Those among `failed` for which neither the prompt nor the settings are the reason. */
const EARLY = new Set(['cancelled', 'canceled', 'aborted', 'expired', 'timeout', 'timed_out']);

/** Some gateways spell the name of the field before the word: `TASK_STATUS_SUCCEED`. */
const PREFIX = /^(?:task_|job_)?(?:status|state)_/;

/** `unknown` for a word that is none of them. */
export function readStatusWord(word: string): TaskStatus {
  const plain = plainWord(word);
  return statusOf.get(plain) ?? statusOf.get(plain.replace(PREFIX, '')) ?? 'unknown';
}

/** The task was ended before it could succeed or fail. */
export function isEndedEarly(word: string): boolean {
  return EARLY.has(plainWord(word).replace(PREFIX, ''));
}

function plainWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}
