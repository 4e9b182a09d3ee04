/** Submits a video task, polls it until it ends, then downloads the video. */
import { type AppError, appError } from '../../shared/errors.ts';
import { toJson } from '../../shared/json.ts';
import { isTaskLink, type VideoState } from '../../shared/operations/video/state.ts';
import {
  readVideoTask,
  type VideoTaskResponse,
} from '../../shared/operations/video/task-response.ts';
import { isEndedEarly, readStatusWord } from '../../shared/operations/video/task-status.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';
import { getTaskPath } from '../../shared/operations/write-request.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { noTimings } from '../../shared/run.ts';
import { cancelledError } from '../gateway/outcome.ts';
import { executeJson } from './execute-json.ts';
import { describeAccountFix } from './fetch-file.ts';
import { type FetchedVideos, fetchVariants, fetchVideos } from './fetch-video.ts';
import {
  getAddress,
  getContentAddresses,
  getPollTargets,
  type PollTarget,
  pollTask,
} from './poll-task.ts';
import type { FinishedExchange, RunContext } from './run-context.ts';
import type { RunResult } from './run-result.ts';

const MAX_REJECTIONS = 3;
/** Limits the gateway's Retry-After to five minutes. */
const MAX_PAUSE_MS = 300_000;

/** The file may become available up to a minute after the task completes. */
const FILE_PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];
/**
 * Limits retries after 403, which means an expired link or, at some hosts, a file that is not
 * ready.
 */
const MAX_FORBIDDEN = 3;
/** A link may appear seconds after the task completes. */
const MAX_UNLINKED = 4;

type VideoContext = RunContext<'video'>;

export async function executeVideo(context: VideoContext): Promise<RunResult> {
  const ending = await makeVideo(context);
  if (ending.status === 'succeeded') await fetchVariants(context);
  return ending;
}

/** Continues a task from an earlier process if the state contains a task ID or a link. */
async function makeVideo(context: VideoContext): Promise<RunResult> {
  const { follow: known } = context.input;
  const { state } = context.view();
  const fetched = new Set(state.fetchedUrls);
  if (state.taskId === null) {
    if (state.urls.length > 0) return fetchOnly(context, fetched);
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

/** Resolves to null if the gateway accepted the task; never submits it twice. */
async function submit(context: VideoContext, fetched: Set<string>): Promise<RunResult | null> {
  const submitted = await executeJson(context);
  const task = readTask(context, submitted);
  const isDone = task?.status === 'completed' && task.addresses.length > 0;
  if (task !== null && (isDone || task.taskId !== null)) recordTask(context, task, submitted);
  if (task?.status === 'failed') {
    return failRun(createTaskError(task, true), submitted);
  }
  // Some gateways return the video in the first response.
  if (isDone) {
    const { state } = context.view();
    if (state.taskId === null && state.urls.length > 0) return fetchOnly(context, fetched);
    const got = await fetchVideos(context, submitted.timings, fetched);
    if (got.kind === 'ended' || state.taskId === null) return got.ending;
  }
  if (task?.taskId != null) return null;
  if (submitted.status !== 'succeeded') return submitted;
  return failRun(noTaskId, submitted);
}

/** Retries the known link, because a response without a task has no other link. */
async function fetchOnly(context: VideoContext, fetched: Set<string>): Promise<RunResult> {
  for (let missed = 0; ; missed += 1) {
    const got = await fetchVideos(context, noTimings, fetched);
    const pauseMs = getFilePause(got, missed);
    if (got.kind === 'ended' || pauseMs === undefined) return got.ending;
    await context.pause(pauseMs);
    if (context.signal.aborted) return stopped;
  }
}

async function follow(
  context: VideoContext,
  taskId: string,
  fetched: Set<string>,
): Promise<RunResult> {
  let rejections = 0;
  let failures = 0;
  /** Number of polls of a completed task that returned no file. */
  let missed = 0;
  let link = isTaskLink(taskId) ? taskId : context.view().state.pollingUrl;
  /**
   * Null until the connection is known, and again after the gateway returns another polling URL.
   */
  let targets: PollTarget[] | null = null;
  // Poll a continued task immediately, but a new task only after a pause.
  let wait = context.view().state.word === null ? 0 : context.pollPause(0);
  for (;;) {
    await context.pauseWhileFollowed(wait, () => context.view().state.following);
    if (context.signal.aborted) return stopped;
    const unusable = await context.pollTurn();
    if (context.signal.aborted) return stopped;
    if (unusable !== null) {
      // A deleted connection is permanent, but a locked keyring may be unlocked later.
      if (unusable.kind === 'not-found')
        return { status: 'failed', error: unusable, timings: null };
      failures += 1;
      wait = context.pollPause(context.view().state.pollCount + failures);
      continue;
    }
    const taskPath = getTaskPath(videoOperation, context.getEndpoint(), context.input);
    targets ??= getPollTargets(context, taskId, link, taskPath);
    const poll = await pollTask(context, targets, (response) => isRefused(context, response));
    if (context.signal.aborted) return stopped;
    const task = readTask(context, poll);
    const [target] = targets;
    if (task?.pollingUrl != null && task.pollingUrl !== link) {
      link = task.pollingUrl;
      targets = null;
    } else if (task?.status === 'unknown' && task.word === '') {
      // Another polling URL may return the status.
      targets.push(...targets.splice(0, 1));
    }
    if (isVideoFile(poll) && target !== undefined) {
      const address = target instanceof URL ? target.href : getAddress(target);
      const got = await fetchVideos(context, poll.timings, fetched, [address]);
      if (got.kind === 'ended') return got.ending;
    }
    if (task === null && poll.status !== 'succeeded') {
      failures += 1;
      rejections = isRejection(poll.error) ? rejections + 1 : 0;
      if (rejections >= MAX_REJECTIONS) return { ...poll, error: addFollowStep(poll.error) };
    } else {
      failures = 0;
      rejections = 0;
      const known = (isTaskLink(taskId) ? task?.taskId : null) ?? taskId;
      recordTask(context, { ...(task ?? unknownTask), taskId: context.redact(known) }, poll);
      const state = context.view().state;
      if (state.status === 'failed')
        return failRun(createTaskError(state, context.input.follow === null), poll);
      // If the user stopped following the task during this poll, download the video later.
      if (state.status === 'completed' && state.following) {
        const content = missed === 0 ? getContentAddresses(target, taskId) : [];
        const got = await fetchVideos(context, poll.timings, fetched, content);
        const pauseMs = getFilePause(got, missed);
        if (got.kind === 'ended' || pauseMs === undefined) return got.ending;
        missed += 1;
        await context.pause(pauseMs);
        wait = 0;
        continue;
      }
    }
    wait = getPause(context, poll, context.view().state.pollCount + failures);
  }
}

/** Returns true if the polling URL returns the video itself. */
function isVideoFile(poll: FinishedExchange): boolean {
  if (poll.status === 'succeeded') return false;
  return /^(?:video\/|application\/octet-stream)/i.test(poll.error.detail ?? '');
}

/** Returns undefined if the file is no longer expected. */
function getFilePause({ kind, ending }: FetchedVideos, missed: number): number | undefined {
  const isExpired = ending.status !== 'succeeded' && ending.error.kind === 'forbidden';
  const tries = kind === 'unlinked' ? MAX_UNLINKED : isExpired ? MAX_FORBIDDEN : Infinity;
  return missed + 1 < tries ? FILE_PAUSES_MS[missed] : undefined;
}

/** Returns true if another polling URL of the task may work. */
function isRefused(context: VideoContext, poll: FinishedExchange): boolean {
  if (poll.status === 'succeeded' || isVideoFile(poll)) return false;
  if (readTask(context, poll) !== null) return false;
  return isRejection(poll.error) || poll.error.kind === 'malformed-response';
}

/**
 * Accepts a task that has a status even if `error` is set, because some gateways always send it.
 */
function readTask(context: VideoContext, response: FinishedExchange): VideoTaskResponse | null {
  const { text } = response;
  const { requestUrl = null } = context.view().state;
  const task = text === null ? null : readVideoTask(parseJson(text), requestUrl);
  if (task === null || response.status === 'succeeded') return task;
  const status = response.error.gateway?.status ?? 0;
  // A numeric status is the status of the error.
  return status >= 200 && status < 300 && /\D/.test(task.word) ? task : null;
}

const unknownTask: VideoTaskResponse = {
  taskId: null,
  pollingUrl: null,
  status: 'unknown',
  word: '',
  progress: null,
  addresses: [],
  format: null,
  metadata: null,
  error: null,
  withheld: null,
  usage: null,
};

function recordTask(
  context: VideoContext,
  task: VideoTaskResponse,
  response: FinishedExchange,
): void {
  context.record({
    kind: 'task',
    exchange: response.exchange,
    taskId: task.taskId ?? '',
    status: task.status,
    word: task.word,
    reply: toJson(parseJson(response.text ?? '')),
  });
}

function getPause(context: VideoContext, poll: FinishedExchange, count: number): number {
  const pause = context.pollPause(count);
  const retryAfterSeconds =
    poll.status !== 'succeeded' && 'retryAfterSeconds' in poll.error
      ? poll.error.retryAfterSeconds
      : null;
  return Math.max(pause, Math.min((retryAfterSeconds ?? 0) * 1000, MAX_PAUSE_MS));
}

/** Returns false for network errors and overloaded gateways, which only delay the next poll. */
function isRejection({ kind, gateway }: AppError): boolean {
  if (kind === 'gateway' && gateway?.status === 200) return true;
  const status = gateway?.status ?? 0;
  return status >= 300 && status < 500 && !BUSY.includes(status);
}

const BUSY = [408, 425, 429];

function suggestFix(error: AppError): string {
  const status = error.gateway?.status ?? 0;
  if (error.kind === 'forbidden') return 'Check that this API key has access to the task';
  if (status >= 300 && status < 400) return 'Check this connection’s base URL';
  return describeAccountFix(error) ?? 'Check the task ID and the connection';
}

/** The gateway continues the task even if a poll fails. */
function addFollowStep(error: AppError): AppError {
  return { ...error, nextStep: `${suggestFix(error)}, then follow the task again.` };
}

/** `isOurs` is true if this run submitted the task. */
function createTaskError(
  { error, word }: Pick<VideoState, 'error' | 'word'>,
  isOurs: boolean,
): AppError {
  const code = error?.code ? ` (code ${error.code})` : '';
  const isPlain = word === null || word.toLowerCase() === 'failed';
  const isDone = word !== null && readStatusWord(word) === 'completed';
  const ended = isPlain
    ? 'The video task failed'
    : isDone
      ? 'The video task completed without a video'
      : `The video task ended: “${word}”`;
  return appError(
    'task-failed',
    `${ended}${code}: ${error?.message ?? 'the gateway gave no reason.'}`,
    isOurs ? getNextStep(word ?? '') : 'Generate a new video.',
  );
}

function getNextStep(word: string): string {
  return isEndedEarly(word) ? 'Retry.' : 'Retry, or change the prompt or the settings first.';
}

const stopped: RunResult = {
  status: 'cancelled',
  error: cancelledError,
  timings: null,
};

const noTaskId = appError(
  'malformed-response',
  'The response has no task ID and no video.',
  'Open the inspector to see the response. The video may have been billed.',
);

function failRun(error: AppError, { timings }: RunResult): RunResult {
  return { status: 'failed', error, timings };
}
