import { type ReactNode, useMemo, useState } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { isFinished } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { useConnections } from '../../lib/connections.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { useAttempt, useCappedAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { InfoIcon } from '../../ui/icons/status.tsx';
import { useFocusPassing } from '../../ui/pass-focus.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { Form } from '../form/form.ts';
import { RunError } from '../frame/run-error.tsx';
import { useNow } from '../live/use-now.ts';
import { hasFailed, isStopped } from './cell-status.ts';
import { countTally, getColumns, shuffle } from './compare-columns.ts';
import {
  type ComparedResultsProps,
  type CompareFact,
  type CompareFigure,
  costFigure,
} from './compare-panel.ts';
import styles from './comparison.module.css';
import { ComparisonActions } from './comparison-actions.tsx';
import { createFiguresTable } from './figures-table.ts';
import { FiguresView } from './figures-view.tsx';
import type { LiveComparison } from './live-comparisons.ts';

interface ComparisonFrameProps {
  live: LiveComparison;
  form: Form<OperationName>;
  figures: readonly CompareFigure[];
  facts?: readonly CompareFact[] | undefined;
  /** Shows a note if the comparison was run with different input. */
  about?: ReactNode;
  tools?: ReactNode;
  /** Fills the available height, so that the results scroll separately. */
  fills?: boolean;
  children: (results: ComparedResultsProps) => ReactNode;
}

type Shows = 'results' | 'figures';

/** Renders the status, actions and metrics around the results. */
export function ComparisonFrame(props: ComparisonFrameProps) {
  const { live, form, about, tools, fills = false, children } = props;
  const { comparison, notes, cells } = live;
  const [shows, setShows] = useState<Shows>('results');
  const { attempt, error } = useAttempt();
  const isHidden = notes.blind?.isHidden ?? false;
  const columns = useMemo(() => getColumns(comparison, notes), [comparison, notes]);
  const table = useMemo(
    () =>
      createFiguresTable(
        comparison,
        columns,
        cells,
        withoutRevealing([...props.figures, costFigure], isHidden),
        props.facts,
      ),
    [comparison, columns, cells, props.figures, props.facts, isHidden],
  );

  function setHidden(hidden: boolean): void {
    form.change({ blind: hidden });
    const ids = comparison.variants.map(({ id }) => id);
    const order = hidden ? shuffle(ids) : (notes.blind?.order ?? ids);
    void attempt(() =>
      api.comparisons.note({
        id: comparison.id,
        change: { kind: 'blind', blind: { isHidden: hidden, order } },
      }),
    );
  }

  return (
    <section
      ref={useFocusPassing()}
      aria-label="Comparison"
      className={classNames(styles.comparison, fills && styles.fills)}
      data-focus-fallback="run"
    >
      <header className={styles.head}>
        <div className={styles.summary}>
          <span>{getSummary(live)}</span>
          {about}
        </div>
        <div className={styles.tools}>
          {shows === 'results' && tools}
          {comparison.variants.length > 1 && (
            <Switch label="Blind" checked={isHidden} onCheckedChange={setHidden} />
          )}
          <Segmented
            label="Show"
            value={shows}
            options={[
              { value: 'results', label: 'Results' },
              { value: 'figures', label: 'Metrics' },
            ]}
            onValueChange={setShows}
          />
          <ComparisonActions live={live} form={form} table={table} />
        </div>
      </header>
      {error !== null && <RunError compact error={error} />}
      <ComparisonNotices live={live} />
      {!isHidden && <Tally picks={countTally(comparison, columns, cells, notes)} />}
      {shows === 'figures' ? (
        <FiguresView table={table} />
      ) : (
        children({ comparison, notes, cells, columns })
      )}
    </section>
  );
}

/** Removes speed and cost while names are hidden, because they give a model away. */
export function withoutRevealing(figures: readonly CompareFigure[], isHidden: boolean) {
  return isHidden ? figures.filter(({ revealsModel }) => revealsModel !== true) : figures;
}

function Tally({ picks }: { picks: ReturnType<typeof countTally> }) {
  if (picks.length === 0) return null;
  return (
    <ul aria-label="Blind picks" className={styles.tally}>
      {picks.map(({ name, picks: count }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: variants may have the same name.
        <li key={at}>
          {name} <strong>{count}</strong>
        </li>
      ))}
    </ul>
  );
}

/** Returns text such as `4 of 6 requests done · 1 failed · 1 stopped`. */
function getSummary({ cells }: LiveComparison): string {
  const failed = cells.filter(hasFailed).length;
  const ended = cells.filter(
    (cell) => !hasFailed(cell) && cell.state === 'sent' && cell.run && isFinished(cell.run.status),
  );
  const stopped = ended.filter(isStopped).length;
  return [
    `${ended.length + failed} of ${pluralize(cells.length, 'request')} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(stopped > 0 ? [`${stopped} stopped`] : []),
  ].join(' · ');
}

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
          ? [`${count} waiting.`, heldBy?.message ?? ''].join(' ').trim()
          : `Gatehouse closed before sending ${count}.`}
      </span>
      <Button
        size="small"
        variant="primary"
        busy={busy}
        onClick={() =>
          void attempt((isAnyway) =>
            api.comparisons.resume({ id, overCap: isAnyway || heldBy !== null }),
          )
        }
      >
        {heldBy === null ? 'Send now' : 'Run anyway'}
      </Button>
      <Button size="small" onClick={() => void attempt(() => api.comparisons.stop({ id, places }))}>
        Don’t send
      </Button>
      {error !== null && <RunError compact error={error} onRetry={runAnyway} />}
    </div>
  );
}

interface PausedProps {
  /** Null until names are revealed. */
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
