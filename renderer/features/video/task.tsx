import type { ReactNode } from 'react';
import type { JsonObject } from '../../../shared/json.ts';
import type { Media } from '../../../shared/media.ts';
import { formatReason } from '../../../shared/operations/response/error-reason.ts';
import { VIDEOS } from '../../../shared/operations/video/image-fields.ts';
import type { VideoState } from '../../../shared/operations/video/state.ts';
import { isFinished } from '../../../shared/run.ts';
import { ComparedFacts, MediaFacts } from '../../media/players/media-details.tsx';
import { MediaView } from '../../media/players/media-view.tsx';
import { VideoPlayer } from '../../media/players/video-player.tsx';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { RunError } from '../../run/frame/run-error.tsx';
import { getStopLabel } from '../../run/frame/run-status.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { useNow } from '../../run/live/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { compareFacts, describeTask, isSubmitting, listOtherMetadata } from './describe-task.ts';
import { StoredVideo } from './stored-video.tsx';
import styles from './task.module.css';
import { useTaskActions } from './task-actions.ts';
import { TaskProgress, TaskTime } from './task-progress.tsx';
import { useVideoInput } from './video-store.ts';

interface ShownTaskProps {
  runId: string;
  onDeleted: () => void;
  onRemix: () => void;
}

export function ShownTask({ runId, onDeleted, onRemix }: ShownTaskProps) {
  const view = useRun('video', runId);
  const recorded = useRecordedInput(runId);
  const actions = useTaskActions();
  const { busy, problem } = actions;
  const formPrompt = useVideoInput((input) => input.prompt.trim());
  const live = view !== null && !isFinished(view.status);
  const now = useNow(live ? 1000 : null);
  if (view === null || recorded === null) return null;
  const requested: JsonObject = { ...recorded.request, ...recorded.extraBody };
  const { state, error, connectionId } = view;
  const { taskId } = state;
  const task = describeTask(view);
  const prompt = typeof requested.prompt === 'string' ? requested.prompt : '';
  const hasVideo = !live && getVideos(state).length > 0;
  const progress = <TaskProgress view={view} live={live} now={now} />;
  const about = (
    <>
      {prompt !== '' && prompt.trim() !== formPrompt && (
        <p className={classNames(styles.prompt, 'verbatim reading')} dir="auto">
          {prompt}
        </p>
      )}
      {hasVideo ? (
        <>
          {taskId !== null && <StoredVideo run={view} taskId={taskId} onRemix={onRemix} />}
          <details className={styles.about}>
            <summary className="caption">Task details</summary>
            {progress}
          </details>
        </>
      ) : (
        progress
      )}
    </>
  );
  const follow =
    task.next === 'follow' && taskId !== null ? (
      <Button
        size="small"
        busy={busy}
        onClick={() => void actions.follow(taskId, connectionId, runId)}
      >
        Follow again
      </Button>
    ) : undefined;
  return (
    <ResultFrame
      run={view}
      mark={<StatusMark {...task} className={styles.mark} />}
      figures={<TaskTime run={view} />}
      hasSettings={recorded.follow === null || Object.keys(recorded.request).length > 1}
      actions={
        <div className="row-4">
          {task.next === 'stop' && (
            <Button size="small" busy={busy} onClick={() => void actions.stopFollowing(runId)}>
              {getStopLabel(view)}
            </Button>
          )}
          {task.next === 'resume' && (
            <Button size="small" busy={busy} onClick={() => void actions.resume(runId)}>
              Resume
            </Button>
          )}
          {error === null && follow}
          <IconButton
            size="small"
            label="Delete"
            icon={<TrashIcon size={14} />}
            disabled={isSubmitting(view)}
            onClick={() => void actions.remove(view).then((deleted) => deleted && onDeleted())}
          />
        </div>
      }
    >
      <ResultContent
        error={error}
        failedAt={view.finishedAt}
        noResult={view.figures?.noResult ?? null}
        warnings={[
          ...getWarnings(state, task.next === 'stop'),
          ...(view.status === 'succeeded' ? findMissingImages(recorded.request, state) : []),
        ]}
        // A run that only follows a task has no submit to repeat.
        onRetry={
          view.status === 'failed' && follow === undefined && recorded.follow === null
            ? () => void actions.retry(view)
            : undefined
        }
        errorActions={follow}
      >
        {!hasVideo && about}
        {problem !== null && <RunError compact error={problem} />}
        <div className={classNames(styles.stage, 'stack-12')}>
          <TaskVideos
            state={state}
            live={live}
            title={prompt === '' ? 'Video' : prompt}
            facts={<TaskFacts state={state} requested={requested} />}
          />
        </div>
        {hasVideo && about}
      </ResultContent>
    </ResultFrame>
  );
}

/** Unless the status is `failed`, an error isn't final and may be gone in the next response. */
function getWarnings(
  { warnings, statusProblem, error, status }: VideoState,
  isChecked: boolean,
): string[] {
  const shown = [...warnings];
  if (statusProblem !== null) {
    shown.push(isChecked ? `${statusProblem} Still checking.` : statusProblem);
  }
  if (error !== null && status !== 'failed') {
    shown.push(`The gateway reported an error: ${formatReason(error)}`);
  }
  return shown;
}

/** Warns about missing images, because a video without its images has still succeeded. */
function findMissingImages(
  { format, variants }: JsonObject,
  { fetchedUrls }: Pick<VideoState, 'fetchedUrls'>,
): string[] {
  if (format !== VIDEOS || !Array.isArray(variants)) return [];
  const missing = variants.filter(
    (variant) => !fetchedUrls.some((url) => url.endsWith(`=${variant}`)),
  );
  return missing.map(
    (variant) => `Couldn’t download the ${variant}. Open the inspector to see why.`,
  );
}

function TaskFacts({ state, requested: fields }: { state: VideoState; requested: JsonObject }) {
  const video = getVideos(state)[0] ?? null;
  const media = video ?? state.media.findLast(({ complete }) => complete) ?? null;
  const facts = compareFacts(fields, state, video);
  const others = listOtherMetadata(state.metadata);
  if (media === null && facts.length === 0) return null;
  return (
    <div className="stack-8">
      {media !== null && <MediaFacts media={media} />}
      {facts.length > 0 && (
        <details className={styles.about} open={facts.some(({ differs }) => differs)}>
          <summary className="caption">Requested and received</summary>
          <ComparedFacts
            label="Requested and received"
            columns={['Video', 'Requested', 'Reported', 'Measured']}
            facts={[
              ...facts.map(({ name, requested, reported, measured, differs }) => ({
                name,
                values: [requested, reported, measured],
                differs,
              })),
              ...others.map(([name, value]) => ({ name, values: [null, value, null] })),
            ]}
          />
        </details>
      )}
    </div>
  );
}

interface TaskVideosProps {
  state: Pick<VideoState, 'media'>;
  live: boolean;
  title: string;
  facts: ReactNode;
}

function getVideos({ media }: Pick<VideoState, 'media'>): Media[] {
  return media.filter(({ complete, kind }) => complete && kind === 'video');
}

function TaskVideos({ state, live, title, facts }: TaskVideosProps) {
  const media = state.media.findLast(({ complete }) => complete);
  // Describe an interrupted download only if no more data is coming.
  if (media === undefined || live) return facts;
  const videos = getVideos(state);
  const others = state.media.filter(({ complete, kind }) => complete && kind !== 'video');
  if (videos.length === 0) {
    return (
      <>
        <MediaView media={media} title="Received file (not a video)" />
        {facts}
      </>
    );
  }
  const name = title.length > 80 ? `${title.slice(0, 79)}…` : title;
  return (
    <>
      {videos.map((video, index) => (
        <VideoPlayer
          key={video.id}
          media={video}
          title={videos.length === 1 ? name : `${name} (${index + 1} of ${videos.length})`}
          {...(index === 0 && { details: facts })}
        />
      ))}
      {others.map((other) => (
        <MediaView key={other.id} media={other} title="File received with the video" />
      ))}
    </>
  );
}
