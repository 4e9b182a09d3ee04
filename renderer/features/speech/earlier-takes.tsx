import type { Media } from '../../../shared/media.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { formatClock } from '../../lib/format-quantity.ts';
import { AudioPlayer } from '../../media/players/audio-player.tsx';
import { getFacts } from '../../media/players/describe-media.ts';
import { useIsBlind } from '../../run/compare/live-comparisons.ts';
import { useRuns } from '../../run/list/use-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useRovingList } from '../../ui/roving-list.ts';
import styles from './earlier-takes.module.css';
import { speechForm } from './speech-store.ts';

export function EarlierTakes({ shownId }: { shownId: string | null }) {
  const { runs, hasMore, showMore } = useRuns({ operation: 'speech', pageSize: 8 });
  const isBlind = useIsBlind();
  const takes = runs.flatMap((run) => {
    const media = findPlayable(run);
    return media === null || run.id === shownId ? [] : [{ run, media }];
  });
  const roving = useRovingList({
    keys: takes.map(({ run }) => run.id),
    currentKey: null,
    getItemText: (index) => takes[index]?.run.preview ?? '',
  });
  if (takes.length === 0) return null;
  const now = Date.now();
  return (
    <section aria-label="Earlier takes" className="stack-8 fixed">
      <h2 className="label">Earlier takes</h2>
      <ul className={styles.list} {...roving.listProps}>
        {takes.map(({ run, media }, index) => (
          <li key={run.id} data-row={run.id} className={styles.take}>
            <button
              type="button"
              tabIndex={roving.getTabIndex(index)}
              className={classNames(styles.words, 'bare')}
              aria-description="Show this take"
              onClick={() => speechForm.change({ runId: run.id })}
            >
              <span className={styles.text} dir="auto">
                {run.preview}
              </span>
              <span className={styles.facts}>
                {!isBlind(run) && <TakeVoice runId={run.id} />} {getFacts(media).join(' · ')} ·{' '}
                {formatClock(run.createdAt, now)}
              </span>
            </button>
            <AudioPlayer
              compact
              media={media}
              title={`Take from ${formatClock(run.createdAt, now)}`}
              playsOnFrom="speech"
              tabIndex={-1}
              actions={null}
            />
          </li>
        ))}
      </ul>
      {hasMore && (
        <Button size="small" variant="quiet" className={styles.more} onClick={showMore}>
          Show more
        </Button>
      )}
    </section>
  );
}

/** Returns null if the run has no complete audio. */
function findPlayable({ media }: RunSummary): Media | null {
  return media.find(({ complete, kind }) => complete && kind === 'audio') ?? null;
}

function TakeVoice({ runId }: { runId: string }) {
  const { voice } = useRecordedInput(runId)?.request ?? {};
  return typeof voice === 'string' ? <>{voice} ·</> : null;
}
