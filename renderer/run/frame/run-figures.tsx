import { tooltip } from '../../ui/tooltip.ts';
import { type FiguresRun, figuresOf } from './format-figures.ts';
import styles from './run-figures.module.css';

interface RunFiguresProps {
  run: FiguresRun;
  /** The model asked for is named beside: only another one that answered is told. */
  besideModel?: boolean;
}

/** The line of figures under a result; empty until the run has ended. */
export function RunFigures({ run, besideModel = false }: RunFiguresProps) {
  if (run.timings === null && run.figures === null) return null;
  const figures = figuresOf(run).filter(
    ({ key, value }) => !(besideModel && key === 'model' && value === run.model),
  );
  return (
    <dl className={styles.figures}>
      {figures.map(({ key, label, value, help }) => (
        <div key={key} className={styles.figure} {...tooltip(help)}>
          <dt className={key === 'model' ? 'visually-hidden' : styles.label}>{label}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
