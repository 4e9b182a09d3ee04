/** A video run: submit once, poll until the task has ended, download the video at once. */
import { type AppError, appError } from '../../shared/errors.ts';
import type { VideoState } from '../../shared/operations/video/state.ts';
import { isEndedEarly } from '../../shared/operations/video/status-words.ts';
import { readVideoTask, type VideoTaskReply } from '../../shared/operations/video/task-reply.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { toJson } from '../../shared/to-json.ts';
import { cancelledError } from '../gateway/outcome.ts';
import type { RunResult } from '../runs/ending.ts';
import { type FinishedExchange, noTimings, type RunContext } from '../runs/run-context.ts';
import { executeJson } from './execute-json.ts';
import { accountFix, fetchVideos } from './fetch-video.ts';
import { harvestMedia } from './harvest-media.ts';

/** A gateway that refuses a task this often in a row will not change its mind. */
const REFUSALS = 3;
/** The longest pause that a gateway's Retry-After can set. */
const MAX_PAUSE_MS = 300_000;

/** The file of a completed task may appear later than its status. A minute in all. */
const FILE_PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

type VideoContext = RunContext<'video'>;

/** Also continues what an earlier process submitted: the state has the ID of its task then, or a link. */
export async function executeVideo(context: VideoContext): Promise<RunResult> {
  const { follow: known } = context.input;
  const { state } = context.view();
  const fetched = new Set(state.fetchedUrls);
  if (state.taskId === null) {
    if (state.urls.length > 0) return fetchAlone(context, fetched);
    if (known === null) {
      const refused = await submit(context, fetched);
      if (refused) return refused;
    } else {
      const { status, word } = unknownTask;
      const taskId = context.redact(known);
      context.record({ kind: 'task', exchange: 0, taskId, status, word, reply: null });
    }
  }
  return follow(context, known ?? context.view().state.taskId ?? '', fetched);
}

/** Sent once, whatever comes of it. Null if the gateway took the task. */
async function submit(context: VideoContext, fetched: Set<string>): Promise<RunResult | null> {
  const submitted = await executeJson(context);
  const task = readTask(submitted);
  const isDone = task?.status === 'completed' && task.addresses.length > 0;
  if (task !== null && (isDone || task.taskId !== null)) recordTask(context, task, submitted);
  if (task?.status === 'failed') {
    return failed(taskFailed(task, true), submitted);
  }
  // Some gateways make the video while the request waits.
  if (isDone) {
    const { state } = context.view();
    if (state.taskId === null && state.urls.length > 0) return fetchAlone(context, fetched);
    const got = await fetchVideos(context, submitted.timings, fetched);
    if (got.kind === 'ended' || state.taskId === null) return got.ending;
  }
  if (task?.taskId != null) return null;
  if (submitted.status !== 'succeeded') return submitted;
  return failed(noTaskId, submitted);
}

/** A video that came without a task: there is nothing to ask for another link. */
async function fetchAlone(context: VideoContext, fetched: Set<string>): Promise<RunResult> {
  for (const pauseMs of FILE_PAUSES_MS) {
    const got = await fetchVideos(context, noTimings, fetched);
    if (got.kind === 'ended') return got.ending;
    await context.pause(pauseMs);
    if (context.signal.aborted) return stopped;
  }
  return (await fetchVideos(context, noTimings, fetched)).ending;
}

async function follow(
  context: VideoContext,
  taskId: string,
  fetched: Set<string>,
): Promise<RunResult> {
  let refusals = 0;
  let failures = 0;
  /** How often the file of a completed task was not there. */
  let missed = 0;
  /** A known task is polled at once, one that was just submitted after a moment. */
  let wait = context.view().state.word === null ? 0 : context.pollPause(0);
  for (;;) {
    await context.pauseWhileFollowed(wait, () => context.view().state.following);
    if (context.signal.aborted) return stopped;
    const unusable = await context.pollTurn();
    if (context.signal.aborted) return stopped;
    if (unusable !== null) {
      // A deleted connection does not return; a key that a keyring withholds may.
      if (unusable.kind === 'not-found')
        return { status: 'failed', error: unusable, timings: null };
      failures += 1;
      wait = context.pollPause(context.view().state.pollCount + failures);
      continue;
    }
    const poll = await context.send({
      method: 'GET',
      path: `${videoOperation.path}/${encodeURIComponent(taskId)}`,
      headers: [],
      body: null,
      harvest: harvestMedia,
      accepts: 'json-list',
    });
    if (context.signal.aborted) return stopped;
    const task = readTask(poll);
    if (task === null && poll.status !== 'succeeded') {
      failures += 1;
      refusals = isRefusal(poll.error) ? refusals + 1 : 0;
      if (refusals >= REFUSALS) return { ...poll, error: refused(poll.error) };
    } else {
      failures = 0;
      refusals = 0;
      recordTask(context, { ...(task ?? unknownTask), taskId: context.redact(taskId) }, poll);
      const state = context.view().state;
      if (state.status === 'failed')
        return failed(taskFailed(state, context.input.follow === null), poll);
      // Stopped during this poll: it is polled and fetched once it is followed again.
      if (state.status === 'completed' && state.following) {
        const got = await fetchVideos(context, poll.timings, fetched);
        const patience = FILE_PAUSES_MS[missed];
        if (got.kind === 'ended' || patience === undefined) return got.ending;
        missed += 1;
        await context.pause(patience);
        wait = 0;
        continue;
      }
    }
    wait = pauseAfter(context, poll, context.view().state.pollCount + failures);
  }
}

/**
 * The task in a reply. One that names a status counts although an `error` is beside it:
 * a failed task has one, and some gateways send an empty one always.
 */
function readTask(reply: FinishedExchange): VideoTaskReply | null {
  const task = reply.text === null ? null : readVideoTask(parseJson(reply.text));
  if (task === null || reply.status === 'succeeded') return task;
  const status = reply.error.gateway?.status ?? 0;
  // A number is that of the refusal.
  return status >= 200 && status < 300 && /\D/.test(task.word) ? task : null;
}

const unknownTask: VideoTaskReply = {
  taskId: null,
  status: 'unknown',
  word: '',
  progress: null,
  addresses: [],
  format: null,
  metadata: null,
  error: null,
};

function recordTask(context: VideoContext, task: VideoTaskReply, reply: FinishedExchange): void {
  context.record({
    kind: 'task',
    exchange: reply.exchange,
    taskId: task.taskId ?? '',
    status: task.status,
    word: task.word,
    reply: toJson(parseJson(reply.text ?? '')),
  });
}

/** Retry-After counts, within reason. */
function pauseAfter(context: VideoContext, poll: FinishedExchange, count: number): number {
  const pause = context.pollPause(count);
  const retryAfterSeconds =
    poll.status !== 'succeeded' && 'retryAfterSeconds' in poll.error
      ? poll.error.retryAfterSeconds
      : null;
  return Math.max(pause, Math.min((retryAfterSeconds ?? 0) * 1000, MAX_PAUSE_MS));
}

/** The gateway itself refused; a network that fails, or a gateway that is busy, only slows the polling. */
function isRefusal({ kind, gateway }: AppError): boolean {
  if (kind === 'gateway' && gateway?.status === 200) return true;
  const status = gateway?.status ?? 0;
  return status >= 300 && status < 500 && !BUSY.includes(status);
}

/** Timeout, too early, too many requests. */
const BUSY = [408, 425, 429];

function whatRefuses(error: AppError): string {
  const status = error.gateway?.status ?? 0;
  if (error.kind === 'forbidden') return 'Check that the key can see this task';
  if (status >= 300 && status < 400) return 'Check the base URL of this connection';
  return accountFix(error) ?? 'Check the task ID and the connection';
}

/** The task itself continues at the gateway. */
function refused(error: AppError): AppError {
  return { ...error, nextStep: `${whatRefuses(error)}, then follow the task again.` };
}

/** `isOurs`: this run has submitted it. */
function taskFailed(
  { error, word }: Pick<VideoState, 'error' | 'word'>,
  isOurs: boolean,
): AppError {
  const code = error?.code ? ` (code ${error.code})` : '';
  const isPlain = word === null || word.toLowerCase() === 'failed';
  const ended = isPlain ? 'The video task failed' : `The video task ended with status “${word}”`;
  return appError(
    'task-failed',
    `${ended}${code}: ${error?.message ?? 'the gateway gave no reason.'}`,
    isOurs ? stepAfter(word ?? '') : 'Generate a new video.',
    {},
  );
}

function stepAfter(word: string): string {
  return isEndedEarly(word)
    ? 'Run it again.'
    : 'Change the prompt or the settings and run it again.';
}

const stopped: RunResult = {
  status: 'cancelled',
  error: cancelledError,
  timings: null,
};

const noTaskId = appError(
  'malformed-response',
  'The response contains neither a task ID nor a video, so there is nothing to follow.',
  'Open the inspector to see the response. The video may have been billed.',
  {},
);

function failed(error: AppError, { timings }: RunResult): RunResult {
  return { status: 'failed', error, timings };
}
