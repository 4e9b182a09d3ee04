import { api } from '../../lib/api.ts';
import { useConnections } from '../../lib/connections.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { useCappedAttempt } from '../../lib/use-capped-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { InfoIcon } from '../../ui/icons/status.tsx';
import { useNow } from '../live/use-now.ts';
import styles from './comparison.module.css';
import type { LiveComparison } from './live-comparisons.ts';

/** Why some of it is not sent now, and the way on. */
export function ComparisonNotices({ live }: { live: LiveComparison }) {
  return (
    <>
      <Held live={live} />
      {live.sending.map(({ connectionId, pausedUntil, waiting }) =>
        pausedUntil === null || waiting === 0 ? null : (
          <Paused
            key={connectionId}
            connectionId={live.notes.blind?.isHidden === true ? null : connectionId}
            until={pausedUntil}
          />
        ),
      )}
    </>
  );
}

function Held({ live: { comparison, cells, heldBy } }: { live: LiveComparison }) {
  const { attempt, busy, error, runAnyway } = useCappedAttempt();
  const held = cells.filter(({ state }) => state === 'held');
  const places = held.map(({ place }) => place);
  if (places.length === 0) return null;
  const { id } = comparison;
  const wasCapped = held.some(({ problem }) => problem?.kind === 'beyond-cap');
  const count = pluralize(places.length, 'request');
  return (
    <div role="status" className={styles.notice}>
      <InfoIcon size={14} />
      <span className={styles.noticeText}>
        {wasCapped
          ? [`${count} not sent yet.`, heldBy?.message ?? ''].join(' ').trim()
          : `Gatehouse closed before sending ${count}.`}
      </span>
      <Button
        size="small"
        variant="primary"
        busy={busy}
        onClick={() =>
          void attempt((isAnyway) =>
            api.comparisons.resume({ id, beyondCap: isAnyway || heldBy !== null }),
          )
        }
      >
        {heldBy === null ? 'Send now' : 'Run anyway'}
      </Button>
      <Button size="small" onClick={() => void attempt(() => api.comparisons.stop({ id, places }))}>
        Don’t send
      </Button>
      {error !== null && <ErrorAlert compact error={error} onRetry={runAnyway} />}
    </div>
  );
}

interface PausedProps {
  /** Null if it would tell whose the requests are. */
  connectionId: string | null;
  until: number;
}

function Paused({ connectionId, until }: PausedProps) {
  const { connections } = useConnections();
  const now = useNow(500);
  const name = connections.find(({ id }) => id === connectionId)?.name ?? 'A connection';
  const seconds = Math.ceil((until - now) / 1000);
  if (seconds <= 0) return null;
  return (
    <div role="status" className={styles.notice}>
      <InfoIcon size={14} />
      <span className={styles.noticeText}>
        {name} is rate limited. Resuming in {seconds} s.
      </span>
    </div>
  );
}
