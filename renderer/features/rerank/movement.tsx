import { classNames } from '../../ui/class-names.ts';
import styles from './ranking.module.css';
import { movementWords } from './ranking.ts';

/** How far a document went from where it stood among those sent: an arrow and a word. */
export function Movement({ movedUp }: { movedUp: number | null }) {
  if (movedUp === null) return <span className={styles.movement} />;
  const tone = movedUp > 0 ? styles.up : movedUp < 0 ? styles.down : undefined;
  return (
    <span className={classNames(styles.movement, tone)}>
      <span aria-hidden="true">{movedUp > 0 ? '↑' : movedUp < 0 ? '↓' : '='}</span>{' '}
      {movementWords(movedUp)}
    </span>
  );
}
