import { useMemo, useState } from 'react';
import type { Exchange } from '../../../../shared/exchange.ts';
import type { RunEventKind } from '../../../../shared/run.ts';
import { formatCount, pluralize } from '../../../lib/format-quantity.ts';
import { useRunPart } from '../../../run/live/live-runs.ts';
import { useRunEvents } from '../../../run/live/use-run-events.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import styles from './events-tab.module.css';
import { FrameList } from './frame-list.tsx';
import { filterRows, frameRows } from './frame-rows.ts';

const kinds: readonly RunEventKind[] = ['chunk'];

interface EventsTabProps {
  runId: string;
  exchange: Exchange;
}

/** Every SSE frame as received, live during the exchange. */
export function EventsTab({ runId, exchange }: EventsTabProps) {
  const seq = useRunPart(runId, (view) => view.seq) ?? 0;
  const { events, isRead, problem, retry } = useRunEvents(runId, seq, kinds, exchange.number);
  const [filter, setFilter] = useState('');
  const rows = useMemo(() => frameRows(events), [events]);
  const shown = useMemo(() => filterRows(rows, filter), [rows, filter]);

  if (rows.length === 0 && problem === null) {
    if (exchange.ending !== null && !isRead) return null;
    return (
      <EmptyState title="No events">
        {exchange.ending !== null
          ? 'The response was not a stream. See Response.'
          : 'Stream events appear here as they arrive.'}
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
            ? pluralize(rows.length, 'event')
            : `${formatCount(shown.length)} of ${pluralize(rows.length, 'event')}`}
        </span>
      </div>
      {problem !== null && <ErrorAlert error={problem} onRetry={retry} compact />}
      <FrameList rows={shown} />
    </div>
  );
}
