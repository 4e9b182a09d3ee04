import { Button } from '../../ui/button.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './draft-note.module.css';

interface DraftNoteProps {
  /** Of the Undo of a discarded draft. */
  place: string;
  /** Whether the editor does not begin with what is saved. */
  restored: boolean;
  onDiscard: () => void;
}

/** Says that an editor does not begin with what is saved, and offers that instead; what was discarded comes back by Undo. */
export function DraftNote({ place, restored, onDiscard }: DraftNoteProps) {
  return (
    <>
      <UndoBars place={place} />
      {restored && (
        <p role="status" className={styles.note}>
          Unsaved changes restored
          <Button size="small" variant="quiet" onClick={onDiscard}>
            Discard changes
          </Button>
        </p>
      )}
    </>
  );
}
