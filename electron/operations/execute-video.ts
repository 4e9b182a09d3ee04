/** A video run: submit once, ask until the task has ended, fetch the video at once. */
import { type AppError, AppFailure, appError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/operations/reply-values.ts';
import { readVideoTask, type VideoTaskReply } from '../../shared/operations/video-reply.ts';
import { videoEndpoint } from '../../shared/operations/video-request.ts';
import type { VideoState } from '../../shared/operations/video-state.ts';
import { toJson } from '../../shared/to-json.ts';
import type { Ending } from '../runs/ending.ts';
import { pollPause } from '../runs/poll-schedule.ts';
import type { RunContext, SendResult } from '../runs/run-context.ts';
import { executeJson } from './execute-json.ts';
import { fetchVideo } from './fetch-video.ts';

/** A gateway that refuses a task this often in a row will not change its mind. */
const REFUSALS = 3;

/** Also goes on with a task that an earlier process submitted: the state has its id then. */
export async function executeVideo(context: RunContext): Promise<Ending> {
  const known = stateOf(context).taskId ?? followedTask(context.request);
  if (known === null) {
    const submitted = await executeJson(videoEndpoint, context);
    if (submitted.status !== 'succeeded') return submitted;
    const task = readVideoTask(parseJson(submitted.text ?? ''));
    if (!task || task.taskId === null) return failed(noTaskId, submitted);
    recordTask(context, task, submitted);
  }
  return follow(context, known ?? stateOf(context).taskId ?? '');
}

/** A run that follows a task somebody else submitted names nothing but its id. */
export function followedTask(request: JsonObject): string | null {
  return typeof request.task_id === 'string' ? request.task_id : null;
}

async function follow(context: RunContext, taskId: string): Promise<Ending> {
  let refusals = 0;
  /** A task that was just given is asked about at once. */
  let wait = stateOf(context).taskId === null ? 0 : pollPause(0, Math.random());
  for (;;) {
    await context.pauseWhileFollowed(wait, () => stateOf(context).following);
    if (context.signal.aborted) return stopped;
    await context.pollTurn();
    const poll = await context.send({
      method: 'GET',
      path: `${videoEndpoint.path}/${encodeURIComponent(taskId)}`,
      headers: [],
      body: null,
    });
    if (context.signal.aborted) return stopped;
    wait = pauseAfter(poll, stateOf(context).pollCount);
    const task = poll.text === null ? null : readVideoTask(parseJson(poll.text));
    if (poll.status !== 'succeeded') {
      refusals = isRefusal(poll.error) ? refusals + 1 : 0;
      if (refusals >= REFUSALS) return poll;
      continue;
    }
    refusals = 0;
    recordTask(context, { ...(task ?? nothingSaid), taskId }, poll);
    const state = stateOf(context);
    if (state.status === 'failed') return failed(taskFailed(state), poll);
    if (state.status === 'completed') return fetchVideo(context, state, poll);
  }
}

const nothingSaid: VideoTaskReply = {
  taskId: null,
  status: 'unknown',
  word: '',
  progress: null,
  url: null,
  format: null,
  metadata: null,
  error: null,
};

function recordTask(context: RunContext, task: VideoTaskReply, reply: SendResult): void {
  context.record({
    kind: 'task',
    exchange: reply.exchange,
    taskId: task.taskId ?? '',
    status: task.status,
    word: task.word,
    reply: toJson(parseJson(reply.text ?? '')),
  });
}

/** What the gateway asks for counts, within reason. */
function pauseAfter(poll: SendResult, count: number): number {
  const pause = pollPause(count, Math.random());
  if (poll.status === 'succeeded') return pause;
  const asked = 'retryAfterSeconds' in poll.error ? poll.error.retryAfterSeconds : null;
  return Math.max(pause, Math.min(asked ?? 0, 300) * 1000);
}

/** The gateway itself said no; a network that fails only slows the polling. */
function isRefusal({ kind }: AppError): boolean {
  return (
    kind === 'unauthorized' || kind === 'forbidden' || kind === 'not-found' || kind === 'gateway'
  );
}

function taskFailed({ error, word }: VideoState): AppError {
  const code = error?.code ? ` (code ${error.code})` : '';
  return appError(
    'task-failed',
    `The video task ended as ${word ?? 'failed'}${code}: ${error?.message ?? 'the gateway gave no reason.'}`,
    'Change the prompt or the settings and run it again.',
    {},
  );
}

const stopped: Ending = {
  status: 'cancelled',
  error: appError('cancelled', 'You stopped this run.', 'Run it again when you like.', {}),
  timings: null,
};

const noTaskId = appError(
  'malformed-response',
  'The gateway accepted the request, but its answer names no task, so it cannot be followed.',
  'Open the inspector to see the answer; the video may have been billed.',
  {},
);

function failed(error: AppError, { timings }: Ending): Ending {
  return { status: 'failed', error, timings };
}

function stateOf(context: RunContext): VideoState {
  const state = context.state();
  if (typeof state === 'object' && state !== null && 'taskId' in state) return state as VideoState;
  throw new AppFailure(notAVideo);
}

const notAVideo = appError(
  'unexpected',
  'This run is not a video run.',
  'Report this with the steps that led to it.',
  {},
);
