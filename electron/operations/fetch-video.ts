/** Downloads finished videos into the media store. */
import { type AppError, appError } from '../../shared/errors.ts';
import { isJsonObject } from '../../shared/json.ts';
import type { Media } from '../../shared/media.ts';
import { findResultReason, formatReason } from '../../shared/operations/response/error-reason.ts';
import { VIDEOS } from '../../shared/operations/video/image-fields.ts';
import type { VideoState } from '../../shared/operations/video/state.ts';
import { readTaskLayers } from '../../shared/operations/video/task-envelope.ts';
import type { Timings } from '../../shared/run.ts';
import { type FetchedFile, fetchFile, type NextSteps } from './fetch-file.ts';
import { getVariantAddress } from './poll-task.ts';
import type { RunContext } from './run-context.ts';
import type { RunResult } from './run-result.ts';

const TASK_STEPS = {
  look: 'Open the inspector to see the response, then follow the task again.',
  renew: 'Follow the task again to get a new link.',
  again: 'follow the task again',
};
const LINK_STEPS = {
  look: 'Open the inspector to see the response.',
  renew: 'Open the inspector to copy the link, or run again to make a new video.',
  again: 'run again to make a new video',
};

/**
 * `missing` means that the file may become available later, at this link or another; `unlinked`
 * means that the response had no link.
 */
export type FetchedVideos = { kind: 'ended' | 'missing' | 'unlinked'; ending: RunResult };

/**
 * Downloads the task's links that are not in `fetched`, or, if there are none, the first URL in
 * `content` that returns a video. `timings` are those of the last poll.
 */
export async function fetchVideos(
  context: RunContext<'video'>,
  timings: Timings,
  fetched: Set<string>,
  content: readonly string[] = [],
): Promise<FetchedVideos> {
  const { urls, media, taskId } = context.view().state;
  const steps = taskId === null ? LINK_STEPS : TASK_STEPS;
  if (urls.length === 0) {
    // The response contained the video itself.
    if (media.some(isVideo)) return { kind: 'ended', ending: { status: 'succeeded', timings } };
    return fetchContent(context, timings, content);
  }
  let ending: RunResult | null = null;
  let rejected: RunResult | null = null;
  let other: RunResult | null = null;
  for (const [index, url] of urls.entries()) {
    if (wasFetched(url, urls, fetched)) continue;
    const name = urls.length === 1 ? 'The video' : `Video ${index + 1} of ${urls.length}`;
    const got = await download(context, url, { ...steps, name });
    if (got.kind === 'missing') return { kind: 'missing', ending: got.ending };
    if (got.ending.status === 'cancelled') return { kind: 'ended', ending: got.ending };
    if (got.kind === 'other') other ??= got.ending;
    else if (got.ending.status === 'succeeded') ending = got.ending;
    else rejected ??= got.ending;
    if (got.kind === 'other' || got.ending.status === 'succeeded') fetched.add(url);
  }
  // Additional links may be cover images.
  if (context.view().state.media.some(isVideo)) ending ??= { status: 'succeeded', timings };
  return { kind: 'ended', ending: rejected ?? ending ?? other ?? { status: 'succeeded', timings } };
}

async function fetchContent(
  context: RunContext<'video'>,
  timings: Timings,
  addresses: readonly string[],
): Promise<FetchedVideos> {
  for (const address of addresses) {
    const { kind, ending } = await download(context, address, { ...TASK_STEPS, name: 'The video' });
    const isFetched = kind === 'ended' && ending.status === 'succeeded';
    if (isFetched || ending.status === 'cancelled') return { kind: 'ended', ending };
  }
  const error = createNoLinkError(context.view().state);
  return { kind: 'unlinked', ending: { status: 'failed', error, timings } };
}

const VARIANT_STEPS = { ...TASK_STEPS, name: 'The image' };

/** Downloads the requested variants; the run succeeds even if this fails. */
export async function fetchVariants(context: RunContext<'video'>): Promise<void> {
  const { variants, format } = context.input.request;
  const { taskId, fetchedUrls } = context.view().state;
  if (format !== VIDEOS || taskId === null || !Array.isArray(variants)) return;
  for (const variant of variants.filter((name) => typeof name === 'string')) {
    const url = getVariantAddress(taskId, variant);
    if (context.signal.aborted) return;
    if (fetchedUrls.includes(url)) continue;
    await fetchFile(context, url, {
      wanted: 'an image',
      stem: variant,
      isWanted: ({ kind, complete }) => kind === 'image' && complete,
      steps: VARIANT_STEPS,
    });
  }
}

/** Ignores the query string, because each poll may sign the same link differently. */
function wasFetched(url: string, urls: readonly string[], fetched: ReadonlySet<string>): boolean {
  if (fetched.has(url)) return true;
  const path = removeQuery(url);
  const isOnly = urls.filter((other) => removeQuery(other) === path).length === 1;
  return isOnly && [...fetched].some((known) => removeQuery(known) === path);
}

function removeQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

function download(context: RunContext, url: string, steps: NextSteps): Promise<FetchedFile> {
  return fetchFile(context, url, { wanted: 'a video', stem: 'video', isWanted: isVideo, steps });
}

function isVideo({ kind, complete }: Media): boolean {
  return kind === 'video' && complete;
}

const MAX_EXCERPT_LENGTH = 4096;

/** The error details show the response, so that the user can look for the video in it. */
function createNoLinkError({ taskId, reply }: VideoState): AppError {
  const { look } = taskId === null ? LINK_STEPS : TASK_STEPS;
  const error = isJsonObject(reply) ? findResultReason(readTaskLayers(reply).all) : null;
  const reason = error === null ? '.' : `: ${formatReason(error)}`;
  return appError(
    'malformed-response',
    `The gateway reported a finished video but returned no link${reason}`,
    look,
    {
      gateway: {
        status: null,
        type: null,
        param: null,
        code: error?.code ?? null,
        message: error?.message ?? null,
        requestId: null,
        bodyExcerpt: JSON.stringify(reply).slice(0, MAX_EXCERPT_LENGTH),
      },
    },
  );
}
