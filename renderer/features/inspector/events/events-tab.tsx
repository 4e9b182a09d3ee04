import { useEffect, useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { Exchange } from '../../../../shared/exchange.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import type { RunEventKind } from '../../../../shared/run.ts';
import { formatCount, formatDuration, pluralize } from '../../../lib/format-quantity.ts';
import { splitTextLines } from '../../../run/body/text-pane.tsx';
import { useRunPart } from '../../../run/live/live-runs.ts';
import { useRunEvents } from '../../../run/live/use-run-events.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { JsonView } from '../../../ui/json-view/json-view.tsx';
import { useRovingList } from '../../../ui/roving-list.ts';
import { TextField } from '../../../ui/text-field.tsx';
import styles from './events-tab.module.css';
import { type FrameRow, filterRows, getDelta, getFrameRows, getPiece } from './frame-rows.ts';

const kinds: readonly RunEventKind[] = ['chunk'];

interface EventsTabProps {
  runId: string;
  exchange: Exchange;
}

export function EventsTab({ runId, exchange }: EventsTabProps) {
  const seq = useRunPart(runId, (view) => view.seq) ?? 0;
  const { events, isRead, problem, retry } = useRunEvents(runId, seq, kinds, exchange.number);
  const [filter, setFilter] = useState('');
  const rows = useMemo(() => getFrameRows(events), [events]);
  const shown = useMemo(() => filterRows(rows, filter), [rows, filter]);

  if (rows.length === 0 && problem === null) {
    if (exchange.ending !== null && !isRead) return null;
    return (
      <EmptyState title="No events">
        {exchange.ending !== null
          ? 'This response wasn’t streamed. Open the Response tab.'
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
        <span className="hint">
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

const NEAR_END_PIXELS = 12;

/** Keeps the list scrolled to its end while the user is there. */
function FrameList({ rows }: { rows: FrameRow[] }) {
  const list = useRef<VListHandle>(null);
  const isAtEnd = useRef(false);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const count = rows.length;

  const roving = useRovingList({
    keys: useMemo(() => rows.map(({ seq }) => `${seq}`), [rows]),
    currentKey: null,
    getItemText: (index) => `${rows[index]?.number ?? ''} ${rows[index]?.label ?? ''}`,
    scrollTo: (index) => list.current?.scrollToIndex(index, { align: 'nearest' }),
  });

  useEffect(() => {
    if (isAtEnd.current && count > 0) list.current?.scrollToIndex(count - 1, { align: 'end' });
  }, [count]);

  function toggle(seq: number) {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(seq)) after.add(seq);
      return after;
    });
  }

  return (
    <>
      <div className={styles.columns} aria-hidden="true">
        <span>Event</span>
        <span>Time</span>
        <span>Gap</span>
        <span>Data</span>
      </div>
      <VList
        ref={list}
        data={rows}
        bufferSize={1200}
        keepMounted={count > 0 ? [roving.stop] : []}
        className={styles.list}
        {...roving.listProps}
        onScroll={(offset) => {
          const handle = list.current;
          if (!handle) return;
          isAtEnd.current =
            handle.scrollSize > handle.viewportSize &&
            offset + handle.viewportSize >= handle.scrollSize - NEAR_END_PIXELS;
        }}
      >
        {(row, index) => (
          <FrameItem
            key={row.seq}
            row={row}
            open={open.has(row.seq)}
            tabIndex={roving.getTabIndex(index)}
            onToggle={() => toggle(row.seq)}
          />
        )}
      </VList>
    </>
  );
}

const PREVIEW_CHARS = 240;
const MAX_LINES = 400;

interface FrameItemProps {
  row: FrameRow;
  open: boolean;
  tabIndex: number;
  onToggle: () => void;
}

function FrameItem({ row, open, tabIndex, onToggle }: FrameItemProps) {
  const piece = getPiece(row.data);
  return (
    <div className={styles.item} data-row={row.seq}>
      <button
        type="button"
        tabIndex={tabIndex}
        className={classNames(styles.frame, 'bare')}
        aria-expanded={open}
        onClick={onToggle}
      >
        <span className={styles.seq}>{row.number}</span>
        <span>{formatDuration(row.atMs)}</span>
        <span className={styles.gap}>{row.gapMs === null ? '' : formatGap(row.gapMs)}</span>
        <span className="truncate">
          {row.label !== '' && <span className={styles.label}>{row.label}</span>}
          {piece !== null && <span className={styles.piece}>{piece}</span>}
          {piece === null && <span className={styles.raw}>{row.data.slice(0, PREVIEW_CHARS)}</span>}
        </span>
      </button>
      {open && <FrameBody data={row.data} />}
    </div>
  );
}

function formatGap(gapMs: number): string {
  return gapMs < 1 ? formatDuration(gapMs) : `+${formatDuration(gapMs)}`;
}

function FrameBody({ data }: { data: string }) {
  const frame = useMemo(() => parseJson(data), [data]);
  const delta = useMemo(() => getDelta(frame), [frame]);
  const [showsAll, setShowsAll] = useState(false);
  if (frame === undefined) return <PlainFrame data={data} />;
  return (
    <div className={styles.body}>
      {delta !== null && !showsAll ? (
        <JsonView label="Delta" value={delta} />
      ) : (
        <JsonView label="Event" value={frame} source={data} />
      )}
      {delta !== null && (
        <Button size="small" variant="quiet" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show delta only' : 'Show full event'}
        </Button>
      )}
    </div>
  );
}

/** Shows data that isn't JSON, such as `[DONE]`. */
function PlainFrame({ data }: { data: string }) {
  const lines = splitTextLines(data);
  return (
    <div className={styles.body}>
      <CopyButton label="Copy event" content={() => data} />
      {lines.slice(0, MAX_LINES).map(({ text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their order.
        <code key={index} className={classNames(styles.bodyLine, 'verbatim mono')}>
          {text}
        </code>
      ))}
      {lines.length > MAX_LINES && (
        <p className="hint">
          {pluralize(lines.length - MAX_LINES, 'more line')}. Copy the event to see all.
        </p>
      )}
    </div>
  );
}
