import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/format-quantity.ts';
import { classNames } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons/status.tsx';
import styles from './text-diff.module.css';
import { useDifferenceSteps } from './use-difference-steps.ts';

export interface SharedDiffProps {
  /** Of the first text and of the second. */
  names: readonly [string, string];
  layout: 'side-by-side' | 'inline';
  /** How the texts are compared. */
  switches: ReactNode;
  /** What is shown is of texts before. */
  pending: boolean;
}

interface DiffFrameProps extends SharedDiffProps {
  summary: string;
  /** How many differences there are, and what one is in words. */
  count: number;
  describe: (index: number) => string;
  copyText: () => string;
  /** Draws a difference that is not on the page yet. */
  onReach: (index: number) => void;
  /** Grows while more is drawn. */
  drawnCount: number;
  /** `current`: index of the difference that the user has gone to; -1 for none. */
  children: (current: number) => ReactNode;
}

/** What stands above differences: how many there are, and the ways from one to the next. */
export function DiffFrame(props: DiffFrameProps) {
  const { names, layout, count, describe } = props;
  const steps = useDifferenceSteps(count, props.drawnCount, props.onReach);
  const { current } = steps;
  return (
    <section
      aria-label={`Differences between ${names[0]} and ${names[1]}`}
      aria-busy={props.pending}
      className={styles.diff}
      onKeyDown={steps.onKeyDown}
    >
      <div className={styles.bar}>
        <p className={styles.summary} aria-live="polite">
          {props.summary}
        </p>
        {props.switches}
        <div className={styles.steps}>
          <IconButton
            size="small"
            label="Previous difference"
            shortcut="P"
            icon={<ChevronLeftIcon size={14} />}
            disabled={count === 0}
            onClick={() => steps.go(-1)}
          />
          <span className={styles.place} aria-hidden="true">
            {current < 0 ? '–' : formatCount(current + 1)} / {formatCount(count)}
          </span>
          <IconButton
            size="small"
            label="Next difference"
            shortcut="N"
            icon={<ChevronRightIcon size={14} />}
            disabled={count === 0}
            onClick={() => steps.go(1)}
          />
          <CopyButton label="Copy differences as text" content={props.copyText} />
        </div>
      </div>
      <p className="visually-hidden" role="status">
        {current >= 0 &&
          `Difference ${formatCount(current + 1)} of ${formatCount(count)}: ${describe(current)}`}
      </p>
      <div className={classNames(styles.names, layout === 'inline' && styles.inlineNames)}>
        <p>
          <del className={styles.key}>{names[0]}</del>
        </p>
        <p>
          <ins className={styles.key}>{names[1]}</ins>
        </p>
      </div>
      <div ref={steps.root} className={classNames(styles.body, props.pending && styles.pending)}>
        {props.children(current)}
      </div>
    </section>
  );
}
