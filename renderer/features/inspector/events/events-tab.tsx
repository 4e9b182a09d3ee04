import { useMemo, useState } from 'react';
import { isFinished } from '../../../../shared/is-finished.ts';
import type { RunEventKind } from '../../../../shared/run.ts';
import { formatCount } from '../../../lib/format-quantity.ts';
import { useRunPart } from '../../../run/live/live-runs.ts';
import { useRunEvents } from '../../../run/live/use-run-events.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import styles from './events-tab.module.css';
import { FrameList } from './frame-list.tsx';
import { filterRows, frameRows } from './frame-rows.ts';

const kinds: readonly RunEventKind[] = ['chunk'];

/** Every SSE frame as it came, live while the run goes on. */
export function EventsTab({ runId }: { runId: string }) {
  const stands = useRunPart(runId, ({ seq, status }) => ({ seq, ended: isFinished(status) }));
  const { events, problem, retry } = useRunEvents(runId, stands?.seq ?? 0, kinds);
  const [filter, setFilter] = useState('');
  const rows = useMemo(() => frameRows(events), [events]);
  const shown = useMemo(() => filterRows(rows, filter), [rows, filter]);

  if (rows.length === 0 && problem === null) {
    return (
      <EmptyState title="No events">
        {stands?.ended
          ? 'The reply was not a stream. See Response.'
          : 'Frames of a stream appear here as they come.'}
      </EmptyState>
    );
  }
  return (
    <div className={styles.events}>
      <div className={styles.bar}>
        <TextField
          label="Filter events"
          hideLabel
          className={styles.filter}
          value={filter}
          onValueChange={setFilter}
          placeholder="Filter events"
          type="search"
        />
        <span className={styles.count}>
          {filter.trim() === ''
            ? `${formatCount(rows.length)} events`
            : `${formatCount(shown.length)} of ${formatCount(rows.length)} events`}
        </span>
      </div>
      {problem !== null && <ErrorAlert error={problem} onRetry={retry} compact />}
      <FrameList rows={shown} />
    </div>
  );
}
