import { type ReactNode, useMemo, useState } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { isFinished } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { Form } from '../form/form.ts';
import { getColumns, shuffle, tally } from './blind.ts';
import { hasFailed } from './cell-status.ts';
import type { ComparedResultsProps, CompareFact, CompareFigure } from './compare-panel.ts';
import styles from './comparison.module.css';
import { ComparisonActions } from './comparison-actions.tsx';
import { ComparisonNotices } from './comparison-notices.tsx';
import { figuresTable } from './figures-table.ts';
import { FiguresView } from './figures-view.tsx';
import type { LiveComparison } from './live-comparisons.ts';
import { costFigure } from './shared-figures.ts';

interface ComparisonFrameProps {
  live: LiveComparison;
  form: Form<OperationName>;
  figures: readonly CompareFigure[];
  facts?: readonly CompareFact[] | undefined;
  /** What it was sent with, where that is to be said. */
  about?: ReactNode;
  /** The panel's own controls, beside those of the comparison. */
  tools?: ReactNode;
  /** As high as there is room; its results scroll by themselves. */
  fills?: boolean;
  children: (results: ComparedResultsProps) => ReactNode;
}

type Shows = 'results' | 'figures';

/** What stands around the results of a comparison: how it goes, what can be done to it, and its figures in their place. */
export function ComparisonFrame(props: ComparisonFrameProps) {
  const { live, form, about, tools, fills = false, children } = props;
  const { comparison, notes, cells } = live;
  const [shows, setShows] = useState<Shows>('results');
  const { attempt, error } = useAttempt();
  const columns = useMemo(() => getColumns(comparison, notes), [comparison, notes]);
  const table = useMemo(
    () => figuresTable(comparison, columns, cells, [...props.figures, costFigure], props.facts),
    [comparison, columns, cells, props.figures, props.facts],
  );
  const isHidden = notes.blind?.isHidden ?? false;

  function setHidden(hidden: boolean): void {
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
      aria-label="Comparison"
      className={classNames(styles.comparison, fills && styles.fills)}
      data-focus-fallback="run"
    >
      <header className={styles.head}>
        <div className={styles.summary}>
          <span>{getSummary(live)}</span>
          {about}
        </div>
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
      </header>
      {error !== null && <ErrorAlert compact error={error} />}
      <ComparisonNotices live={live} />
      {!isHidden && <Tally picks={tally(comparison, columns, cells, notes)} />}
      {shows === 'figures' ? (
        <FiguresView table={table} />
      ) : (
        children({ comparison, notes, cells, columns })
      )}
    </section>
  );
}

/** How often each was picked in the blind. */
function Tally({ picks }: { picks: ReturnType<typeof tally> }) {
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

/** `4 of 6 requests done · 1 failed · 1 stopped`. */
function getSummary({ cells }: LiveComparison): string {
  const failed = cells.filter(hasFailed).length;
  const ended = cells.filter(
    (cell) => !hasFailed(cell) && cell.state === 'sent' && cell.run && isFinished(cell.run.status),
  );
  const stopped = ended.filter(({ run }) => run?.status === 'cancelled').length;
  return [
    `${ended.length + failed} of ${pluralize(cells.length, 'request')} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(stopped > 0 ? [`${stopped} stopped`] : []),
  ].join(' · ');
}
