import { Button } from '../../ui/button.tsx';
import styles from './draft-note.module.css';

/** Says that an editor does not begin with what is saved, and offers that instead. */
export function DraftNote({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p role="status" className={styles.note}>
      Unsaved changes restored
      <Button size="small" variant="quiet" onClick={onDiscard}>
        Discard changes
      </Button>
    </p>
  );
}
