/** Folds video task events into a video state and describes the state. */

import type { JsonObject } from '../../json.ts';
import { findReferencedMedia } from '../../media.ts';
import { initialPhase, type Phase, type RunEvent, type RunEventOf } from '../../run.ts';
import type { Operation } from '../operation.ts';
import { emptyResponse, listKnownFacts, previewLine } from '../response/describe-response.ts';
import { formatReason } from '../response/error-reason.ts';
import { getBilledTokens, getSeconds, type Usage } from '../response/usage.ts';
import { addWarnings, readNumber, upsertMedia } from '../response/values.ts';
import { generationsFields } from './generations-fields.ts';
import { imageFieldNames, joinedImageFields } from './image-fields.ts';
import type { VideoRequest } from './request.ts';
import { emptyVideoState, getShownUrls, isTaskLink, type VideoState } from './state.ts';
import { readVideoTask, type VideoTaskResponse } from './task-response.ts';
import { videosFormat } from './videos-format.ts';

function fold(state: VideoState, event: RunEvent): VideoState {
  switch (event.kind) {
    case 'request':
      return foldRequest(state, event);
    case 'task':
      return foldTask(state, event);
    case 'following':
      return { ...state, following: event.on };
    case 'media':
      return {
        ...state,
        media: upsertMedia(state.media, [event.media]),
        ...(event.url !== undefined && { fetchedUrls: [...state.fetchedUrls, event.url] }),
      };
    case 'progress':
      return event.direction === 'download'
        ? { ...state, download: { doneBytes: event.doneBytes, totalBytes: event.totalBytes } }
        : state;
    default:
      return state;
  }
}

function foldTask(state: VideoState, event: RunEventOf<'task'>): VideoState {
  // Before the first poll, a followed task has no status.
  if (event.reply === null) {
    const pollingUrl = isTaskLink(event.taskId) ? event.taskId : null;
    return { ...state, taskId: event.taskId || null, pollingUrl, acceptedAtMs: event.atMs };
  }
  const task = readVideoTask(event.reply, state.requestUrl);
  const isNamed = state.taskId !== null && !isTaskLink(state.taskId);
  const next: VideoState = {
    ...state,
    // The task ID is empty if the gateway returned the video directly.
    taskId: isNamed ? state.taskId : event.taskId || state.taskId,
    pollingUrl: task?.pollingUrl ?? state.pollingUrl,
    status: event.status,
    word: event.word === '' ? state.word : event.word,
    progress: task?.progress ?? state.progress,
    acceptedAtMs: state.acceptedAtMs ?? event.atMs,
    lastPollAtMs: event.atMs,
    pollCount: state.taskId === null ? 0 : state.pollCount + 1,
    urls: getLinks(task) ?? state.urls,
    format: task?.format ?? state.format,
    metadata: task?.metadata ?? state.metadata,
    error: task === null ? state.error : task.error,
    ...(task?.usage && { usage: task.usage }),
    reply: event.reply,
    statusProblem: describeStatusProblem(event),
  };
  return addWarnings(next, describeWithheld(task));
}

/** A task that ended without a video fails with this reason. */
function describeWithheld(task: VideoTaskResponse | null): string[] {
  if (task === null || task.withheld === null || task.status === 'failed') return [];
  return [`The gateway withheld part of the result: ${task.withheld}`];
}

function describeStatusProblem({
  status,
  word,
}: Pick<RunEventOf<'task'>, 'status' | 'word'>): string | null {
  if (status !== 'unknown') return null;
  return word === '' ? 'No status received.' : `Unrecognized status “${word}”.`;
}

/** The main process resolves relative links, because the state doesn't know the base URL. */
function foldRequest(state: VideoState, { link, url }: RunEventOf<'request'>): VideoState {
  if (link === undefined) {
    return state.requestUrl === url ? state : { ...state, requestUrl: url };
  }
  if (state.resolved?.[link] === url) return state;
  return { ...state, resolved: { ...state.resolved, [link]: url } };
}

/** Excludes inline videos, which are in `media`; returns null if there are no links. */
function getLinks(task: VideoTaskResponse | null): string[] | null {
  const links = task?.addresses.filter((address) => findReferencedMedia(address) === null) ?? [];
  return links.length === 0 ? null : links;
}

/** The gateway continues an accepted task by itself; a link may also arrive without a task. */
function phase({ taskId, status, word, progress, following, urls }: VideoState): Phase {
  if (taskId === null) {
    return status === 'completed' && urls.length > 0
      ? { name: 'downloading', task: null }
      : initialPhase;
  }
  const name = !following ? 'unfollowed' : status === 'completed' ? 'downloading' : 'following';
  return { name, task: { id: taskId, status, word, progress } };
}

/** Some gateways report the billed seconds, which count if the file has no duration. */
function readSeconds(usage: (Usage & JsonObject) | undefined): number | null {
  const names = ['seconds', 'video_seconds', 'video_duration', 'output_video_duration'];
  const [name] = names.filter((one) => readNumber(usage?.[one]) !== null);
  return name === undefined ? null : readNumber(usage?.[name]);
}

const reader = {
  fold,
  rest: () => 'more',
} satisfies Pick<Operation<VideoRequest, VideoState>, 'fold' | 'rest'>;

export const videoOperation: Operation<VideoRequest, VideoState> = {
  ...reader,
  method: 'POST',
  path: '/v1/video/generations',
  formatTitle: 'Video generations',
  fields: generationsFields,
  formats: [{ ...videosFormat, ...reader }],
  draft: {},
  renamable: {
    ...imageFieldNames,
    fps: [],
    seed: [],
    n: [],
    response_format: [],
    user: [],
    metadata: [],
  },
  joined: joinedImageFields,
  followable: true,
  readsLists: true,
  initialState: emptyVideoState,
  hasNewOutput: (before, after) => before.status !== after.status,
  figures: ({ word, usage = null }) => ({
    model: null,
    usage,
    finishReasons: word === null ? [] : [word],
  }),
  noResult: ({ media, urls }) => {
    if (media.length === 0) return urls.length === 0 ? 'The task completed without a video.' : null;
    return media.every(({ sizeBytes }) => sizeBytes === 0) ? 'The video file is empty.' : null;
  },
  quantities: ({ usage }, media) => ({
    ...getBilledTokens(usage),
    videoSeconds: getSeconds(media, 'video') ?? readSeconds(usage),
  }),
  phase,
  response: (state) => ({
    ...emptyResponse,
    text: state.word === null ? '' : `Task ${state.word}`,
    warnings:
      state.statusProblem === null ? state.warnings : [...state.warnings, state.statusProblem],
    facts: listKnownFacts([
      ['task_id', state.taskId],
      ['status', state.word],
      ['progress', state.progress],
      ...getShownUrls(state).map((url): [string, string] => ['url', url]),
      ['error', state.error === null ? null : formatReason(state.error)],
    ]),
  }),
  codeResponse: () => ({ kind: 'text' }),
  preview: ({ prompt = '' }) => (prompt === '' ? 'Image to video' : previewLine(prompt)),
};
