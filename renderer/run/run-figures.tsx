import type { RunSummary } from '../../shared/run.ts';
import { figuresOf } from '../lib/format-figures.ts';
import { tooltip } from '../ui/tooltip.ts';
import styles from './run-figures.module.css';

type FiguresRun = Pick<RunSummary, 'timings' | 'figures' | 'model'>;

/** The line of figures under a result; empty until the run has ended. */
export function RunFigures({ run }: { run: FiguresRun }) {
  if (run.timings === null && run.figures === null) return null;
  return (
    <dl className={styles.figures}>
      {figuresOf(run).map(({ key, label, value, help }) => (
        <div key={key} className={styles.figure} {...tooltip(help)}>
          <dt className={key === 'model' ? 'visually-hidden' : styles.label}>{label}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
