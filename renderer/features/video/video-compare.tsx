import { isFinished } from '../../../shared/run.ts';
import { MediaFacts } from '../../media/players/media-details.tsx';
import { VideoPlayer } from '../../media/players/video-player.tsx';
import {
  type ComparedCellProps,
  type ComparePanel,
  sizeFigure,
  totalFigure,
} from '../../run/compare/compare-panel.ts';
import { runStatusLabel } from '../../run/frame/run-status.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useNow } from '../../run/live/use-now.ts';
import { classNames } from '../../ui/class-names.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import { describeTask } from './describe-task.ts';
import { TaskProgress } from './task-progress.tsx';
import styles from './video.module.css';
import { VideosInStepButton } from './videos-in-step.tsx';

function VideoCell({ run, title }: ComparedCellProps) {
  const view = useRun('video', run.id);
  const live = view !== null && !isFinished(view.status);
  const now = useNow(live ? 1000 : null);
  if (view === null) return null;
  const task = describeTask(view);
  const videos = view.state.media.filter(({ complete, kind }) => complete && kind === 'video');
  return (
    <div className={classNames(styles.cell, 'stack-8')}>
      {view.status !== 'succeeded' && task.label !== runStatusLabel(run).label && (
        <StatusMark {...task} />
      )}
      {!live &&
        videos.map((media) => (
          <VideoPlayer
            key={media.id}
            media={media}
            title={`Video of ${title}`}
            details={<MediaFacts media={media} />}
          />
        ))}
      <TaskProgress view={view} live={live} now={now} />
    </div>
  );
}

export const videoComparePanel: ComparePanel = {
  figures: [totalFigure, sizeFigure],
  cellFigures: ['total', 'cost'],
  Result: VideoCell,
  Overview: VideosInStepButton,
};
