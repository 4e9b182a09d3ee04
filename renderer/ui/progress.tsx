import { Meter as BaseMeter } from '@base-ui/react/meter';
import { Progress as BaseProgress } from '@base-ui/react/progress';
import { classNames } from './class-names.ts';
import styles from './progress.module.css';

interface ProgressProps {
  label: string;
  value: number;
  /** If null or 0, the bar shows only that something is happening. */
  max: number | null;
  className?: string | undefined;
}

export function Progress({ label, value, max, className }: ProgressProps) {
  const range = max === null || max === 0 ? { value: null } : { value, max };
  return (
    <BaseProgress.Root {...range} aria-label={label} locale="en" className={className}>
      <BaseProgress.Track className={styles.track}>
        <BaseProgress.Indicator className={styles.done} />
      </BaseProgress.Track>
    </BaseProgress.Root>
  );
}

interface MeterProps {
  label: string;
  value: number;
  min: number;
  max: number;
  /** A value above this is marked as too high. */
  high: number;
}

export function Meter({ label, high, ...range }: MeterProps) {
  return (
    <BaseMeter.Root {...range} aria-label={label} locale="en" className={styles.meter}>
      <BaseMeter.Track className={classNames(styles.track, styles.levels)}>
        <BaseMeter.Indicator
          className={classNames(styles.level, range.value > high && styles.tooHigh)}
        />
      </BaseMeter.Track>
    </BaseMeter.Root>
  );
}
