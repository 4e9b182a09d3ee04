import { memo } from 'react';
import type { RelevanceLabel } from '../../run/compare/metrics/rank-quality.ts';
import { classNames } from '../../ui/class-names.ts';
import { tooltip } from '../../ui/tooltip.ts';
import { RESULT_HEIGHT } from './rank-lines.ts';
import styles from './ranked-lists.module.css';
import { describeMovement } from './ranking.ts';

const labelNames: readonly { label: RelevanceLabel; name: string }[] = [
  { label: 0, name: 'Not relevant' },
  { label: 1, name: 'Related' },
  { label: 2, name: 'Relevant' },
  { label: 3, name: 'Exact answer' },
];

interface RankedResultProps {
  /** In its list, from 0. */
  place: number;
  /** Of a document in the request; null if it is none that was sent. */
  index: number | null;
  /** What is odd about it; null if nothing is. */
  problem: string | null;
  scoreText: string | null;
  text: string | null;
  /** Against the list that is compared with; null if it cannot be said. */
  movedUp: number | null;
  label: RelevanceLabel | undefined;
  isActive: boolean;
  tabIndex: 0 | -1;
  onActive: (index: number | null) => void;
}

/** A document at its place in one list. */
export const RankedResult = memo(function RankedResult(props: RankedResultProps) {
  const { place, index, problem, scoreText, text, movedUp, label, isActive, tabIndex, onActive } =
    props;
  return (
    <li
      data-row={place}
      className={classNames(styles.result, isActive && styles.activeResult)}
      style={{ top: place * RESULT_HEIGHT, height: RESULT_HEIGHT }}
      onPointerEnter={() => onActive(index)}
      onFocus={() => onActive(index)}
    >
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.document}
        onClick={() => onActive(index)}
      >
        <span className={styles.facts}>
          <span className={styles.rank}>{place + 1}</span>
          {index !== null && <span>Document {index + 1}</span>}
          {problem !== null && <span className={styles.problemWords}>{problem}</span>}
          {movedUp !== null && movedUp !== 0 && (
            <span className={movedUp > 0 ? styles.up : styles.down}>
              <span aria-hidden="true">
                {movedUp > 0 ? '↑' : '↓'}
                {Math.abs(movedUp)}
              </span>
              <span className="visually-hidden">{describeMovement(movedUp)}</span>
            </span>
          )}
          {scoreText !== null && <span className={styles.score}>{scoreText}</span>}
          {label !== undefined && <span className="visually-hidden">labeled {label}</span>}
        </span>
        <span className={styles.text}>{text ?? 'The text of this document is not available.'}</span>
      </button>
      {index !== null && (
        <span className={styles.labels}>
          {labelNames.map((one) => (
            <button
              key={one.label}
              type="button"
              data-label={one.label}
              tabIndex={-1}
              aria-pressed={label === one.label}
              aria-label={`Label document ${index + 1} as ${one.label}: ${one.name}`}
              className={styles.label}
              {...tooltip(one.name, String(one.label))}
            >
              {one.label}
            </button>
          ))}
        </span>
      )}
    </li>
  );
});
