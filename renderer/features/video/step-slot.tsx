import { useEffect, useEffectEvent, useState } from 'react';
import { getMediaUrl, type Media } from '../../../shared/media.ts';
import type { VideoState } from '../../../shared/operations/video/state.ts';
import { isFinished } from '../../../shared/run.ts';
import { MediaFacts, MediaFailed } from '../../media/players/media-details.tsx';
import type { FrameRate } from '../../media/players/step-clock.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { useNow } from '../../run/live/use-now.ts';
import { classNames } from '../../ui/class-names.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import { describeTask } from './describe-task.ts';
import { TaskProgress } from './task-progress.tsx';
import type { SteppedVideo } from './use-videos-in-step.ts';
import styles from './videos-in-step.module.css';

/** A task that was sent for one cell of the comparison. */
export interface StepTask {
  id: string;
  runId: string;
  name: string;
  state: string;
  hasVideo: boolean;
}

interface StepSlotProps {
  task: StepTask;
  muted: boolean;
  /** Called with null when the video unmounts. */
  onReady: (video: SteppedVideo | null) => void;
}

export function StepSlot({ task, muted, onReady }: StepSlotProps) {
  const view = useRun('video', task.runId);
  const live = view !== null && !isFinished(view.status);
  const now = useNow(live ? 1000 : null);
  if (view === null) return <article aria-label={task.name} className={styles.slot} />;
  const media = view.state.media.find(({ complete, kind }) => complete && kind === 'video');
  return (
    <article aria-label={task.name} className={styles.slot}>
      <header className="row-8 fixed between">
        <span className={classNames(styles.slotName, 'truncate')}>{task.name}</span>
        <StatusMark {...describeTask(view)} />
      </header>
      {media === undefined || live ? (
        <div className={classNames(styles.slotState, 'stack-8 grow')}>
          <TaskProgress view={view} live={live} now={now} />
          {view.error !== null && <p>{view.error.message}</p>}
        </div>
      ) : (
        <StepVideo
          media={media}
          name={task.name}
          muted={muted}
          frameRate={getFrameRate(media, view.state)}
          onReady={onReady}
        />
      )}
    </article>
  );
}

function getFrameRate({ frameRate }: Media, { metadata }: VideoState): FrameRate | null {
  if (frameRate !== null) return { framesPerSecond: frameRate, source: 'measured' };
  const fps = metadata?.fps;
  return typeof fps === 'number' && fps > 0 ? { framesPerSecond: fps, source: 'reported' } : null;
}

interface StepVideoProps extends Pick<StepSlotProps, 'muted' | 'onReady'> {
  media: Media;
  name: string;
  frameRate: FrameRate | null;
}

function StepVideo({ media, name, muted, frameRate, onReady }: StepVideoProps) {
  const [hasFailed, setFailed] = useState(false);
  const leave = useEffectEvent(() => onReady(null));
  useEffect(() => () => leave(), []);
  return (
    <>
      {hasFailed && <MediaFailed media={media} what="video" />}
      <video
        aria-label={`Video of ${name}`}
        className={styles.video}
        src={getMediaUrl(media.id)}
        muted={muted}
        playsInline
        preload="auto"
        onError={() => setFailed(true)}
        onLoadedMetadata={({ currentTarget: element }) =>
          onReady({ element, durationSeconds: element.duration, frameRate })
        }
      />
      <MediaFacts media={media} />
    </>
  );
}
