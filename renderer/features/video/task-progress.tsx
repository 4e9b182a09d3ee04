import { getShownUrls, type VideoState } from '../../../shared/operations/video/state.ts';
import { sanitizeLink } from '../../../shared/outside-link.ts';
import { isFinished, type RunSummary } from '../../../shared/run.ts';
import { getTotalMs, timingTooltips } from '../../../shared/run-times.ts';
import type { RunView } from '../../../shared/run-view.ts';
import {
  formatBytes,
  formatDuration,
  formatElapsed,
  pluralize,
} from '../../lib/format-quantity.ts';
import { Fact, FactList } from '../../run/body/fact-table.tsx';
import { TextFigure } from '../../run/frame/run-figures.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { useNow } from '../../run/live/use-now.ts';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { describeTask, isSubmitting } from './describe-task.ts';
import { type Estimate, estimateProgress } from './estimate-progress.ts';
import styles from './task.module.css';

interface TaskProgressProps {
  view: RunView<'video'>;
  live: boolean;
  now: number;
}

export function TaskProgress({ view, live, now }: TaskProgressProps) {
  const { state } = view;
  const { taskId, word, progress, pollCount, lastPollAtMs, download } = state;
  const urls = getShownUrls(state);
  const downloading = live && state.status === 'completed';
  const estimate = useEstimate(view, live && !downloading && taskId !== null, now);
  return (
    <>
      <FactList>
        {taskId !== null && (
          <Fact name="Task">
            <span className="row-4">
              <span className={classNames(styles.mono, 'truncate mono')}>{taskId}</span>
              <CopyButton label="Copy task ID" content={() => taskId} />
            </span>
          </Fact>
        )}
        {word !== null && !isInLabel(word, describeTask(view).label) && (
          <Fact name="Status">{word}</Fact>
        )}
        {estimate === null && progress !== null && <Fact name="Progress">{progress}</Fact>}
        {pollCount > 0 && (
          <Fact name="Checked">{pollCount === 1 ? 'once' : `${pollCount} times`}</Fact>
        )}
        {live && !downloading && lastPollAtMs !== null && pollCount > 0 && (
          <Fact name="Last checked">{formatAgo(now - view.createdAt - lastPollAtMs)} ago</Fact>
        )}
        {urls.map((url, index) => {
          const name = urls.length === 1 ? 'URL' : `URL ${index + 1}`;
          return (
            <Fact key={state.urls[index]} name={name}>
              <span className="row-4">
                <VideoLink name={name} url={url} />
                <CopyButton label={`Copy ${name}`} content={() => url} />
              </span>
            </Fact>
          );
        })}
      </FactList>
      {estimate !== null && <EstimatedProgress estimate={estimate} reported={progress} />}
      {downloading && (
        <div className={classNames(styles.progress, 'caption tabular')}>
          <Progress
            className={styles.bar}
            label="Downloading video"
            value={download?.doneBytes ?? 0}
            max={download?.totalBytes ?? null}
          />
          <span>{describeDownload(download)}</span>
        </div>
      )}
      {live && <p className="caption">{describeFollowing(view)}</p>}
    </>
  );
}

/** Returns true if the status shown above says what the gateway's word says, such as `in_progress`. */
function isInLabel(word: string, label: string): boolean {
  return word.replaceAll(/[_-]/g, ' ').toLowerCase() === label.toLowerCase();
}

/** Uses the latest successful tasks of the same model. */
function useEstimate(view: RunView<'video'>, isOn: boolean, now: number): Estimate | null {
  const { runs } = useRuns({
    operation: 'video',
    model: view.model,
    status: 'succeeded',
    pageSize: 20,
  });
  if (!isOn) return null;
  const elapsedMs = Math.max(0, now - (view.startedAt ?? view.createdAt));
  return estimateProgress(
    elapsedMs,
    view.state.progress,
    runs.flatMap((run) => getTotalMs(run) ?? []),
  );
}

interface EstimatedProgressProps {
  estimate: Estimate;
  reported: string | null;
}

function EstimatedProgress({ estimate, reported }: EstimatedProgressProps) {
  const { done, leftMs, basis } = estimate;
  const words = [
    ...(reported === null ? [] : [reported]),
    ...(leftMs !== null
      ? [
          `about ${formatAgo(Math.max(1000, leftMs))} left, from ${pluralize(basis, 'earlier task')}`,
        ]
      : basis > 0
        ? ['longer than earlier tasks']
        : []),
  ];
  return (
    <div className={classNames(styles.progress, 'caption tabular')}>
      <Progress className={styles.bar} label="Generating video" value={done} max={1} />
      <span>{words.join(' · ')}</span>
    </div>
  );
}

/** Returns a duration such as `8 s` or `3 min`. */
function formatAgo(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}

function describeFollowing(view: RunView<'video'>): string {
  if (isSubmitting(view)) return 'Waiting for the gateway to accept the task…';
  if (view.phase.task === null) {
    return 'The gateway returned the video immediately. If you close Gatehouse, the download restarts when you reopen it.';
  }
  return view.state.following
    ? 'Gatehouse keeps checking, including after a restart. The API can’t cancel tasks; “Stop following” only stops checking.'
    : 'Gatehouse isn’t checking this task. It keeps running and may be billed; the API can’t cancel it.';
}

function describeDownload(download: VideoState['download']): string {
  if (download === null) return 'Downloading…';
  const done = formatBytes(download.doneBytes);
  return download.totalBytes === null ? done : `${done} of ${formatBytes(download.totalBytes)}`;
}

/** Shows a relative path as text, because its base isn't known until its URL has been fetched. */
function VideoLink({ name, url }: { name: string; url: string }) {
  const href = sanitizeLink(url);
  return href === null ? (
    <span className={classNames(styles.mono, 'truncate mono')}>{url}</span>
  ) : (
    <a
      className={classNames(styles.mono, 'truncate mono')}
      aria-label={`Open ${name}: ${url}`}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
    >
      {url}
    </a>
  );
}

interface TaskTimeProps {
  run: Pick<RunSummary, 'status' | 'createdAt' | 'startedAt' | 'finishedAt' | 'timings'>;
}

export function TaskTime({ run }: TaskTimeProps) {
  const live = !isFinished(run.status);
  const now = useNow(live ? 100 : null);
  const total = getTotalMs(run);
  if (live)
    return <span className="tabular">{formatElapsed(now - (run.startedAt ?? run.createdAt))}</span>;
  return total === null ? null : (
    <TextFigure label="Total time" value={formatDuration(total)} help={timingTooltips.total} />
  );
}
