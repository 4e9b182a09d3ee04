/** Video tasks: what their events fold into, and what that says. */
import type { Phase, RunEvent, RunEventOf } from '../../run.ts';
import type { Operation } from '../operation.ts';
import { working } from '../phase.ts';
import { emptyReply, knownFacts, previewLine } from '../reply/describe-reply.ts';
import { addWarnings, upsertMedia } from '../reply/values.ts';
import type { VideoRequest } from './request.ts';
import { emptyVideoState, type VideoState } from './state.ts';
import { readVideoTask } from './task-reply.ts';

function fold(state: VideoState, event: RunEvent): VideoState {
  switch (event.kind) {
    case 'task':
      return foldTask(state, event);
    case 'following':
      return { ...state, following: event.on };
    case 'media':
      return { ...state, media: upsertMedia(state.media, event.media) };
    case 'progress':
      return event.direction === 'download'
        ? { ...state, download: { doneBytes: event.doneBytes, totalBytes: event.totalBytes } }
        : state;
    default:
      return state;
  }
}

function foldTask(state: VideoState, event: RunEventOf<'task'>): VideoState {
  // A known task before its first poll: it has no status yet.
  if (event.reply === null) {
    return { ...state, taskId: event.taskId, acceptedAtMs: event.atMs };
  }
  const task = readVideoTask(event.reply);
  const next: VideoState = {
    ...state,
    taskId: state.taskId ?? event.taskId,
    status: event.status,
    word: event.word === '' ? state.word : event.word,
    progress: task?.progress ?? state.progress,
    acceptedAtMs: state.acceptedAtMs ?? event.atMs,
    lastPollAtMs: event.atMs,
    pollCount: state.taskId === null ? 0 : state.pollCount + 1,
    url: task?.url ?? state.url,
    format: task?.format ?? state.format,
    metadata: task?.metadata ?? state.metadata,
    error: task?.error ?? state.error,
    reply: event.reply,
  };
  if (event.status !== 'unknown') return next;
  const status = event.word === '' ? 'No status' : `Unrecognized status “${event.word}”`;
  return addWarnings(next, [`${status}. Still checking.`]);
}

/** Once the gateway has accepted the task it works on it by itself, whoever looks. */
function phase({ taskId, status, word, progress, following }: VideoState): Phase {
  if (taskId === null) return working;
  const name = !following ? 'unfollowed' : status === 'completed' ? 'downloading' : 'following';
  return { name, task: { id: taskId, status, word, progress } };
}

export const videoOperation: Operation<VideoRequest, VideoState> = {
  method: 'POST',
  path: '/v1/video/generations',
  draft: {},
  renamable: {
    image: [],
    fps: [],
    seed: [],
    n: [],
    response_format: [],
    user: [],
    metadata: [],
  },
  followable: true,
  initialState: emptyVideoState,
  fold,
  produced: (before, after) => before.status !== after.status,
  figures: ({ word }) => ({
    model: null,
    usage: null,
    finishReasons: word === null ? [] : [word],
  }),
  noResult: ({ media, url }) => {
    if (media.length === 0) return url === null ? 'The task completed without a video.' : null;
    return media.every(({ sizeBytes }) => sizeBytes === 0) ? 'The video file is empty.' : null;
  },
  phase,
  reply: ({ taskId, word, progress, url, warnings }) => ({
    ...emptyReply,
    text: word === null ? '' : `Task ${word}`,
    warnings,
    facts: knownFacts([
      ['task_id', taskId],
      ['status', word],
      ['progress', progress],
      ['url', url],
    ]),
  }),
  codeReply: () => ({ kind: 'text' }),
  preview: ({ prompt }) => previewLine(prompt),
};
