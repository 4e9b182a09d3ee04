import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './discard-question.module.css';

/**
 * Asks before a dialog with unsaved changes is closed. `close` is for every way out of it; `question`
 * stands in place of its actions while it is asked.
 */
export function useDiscardQuestion(isChanged: boolean, onClose: () => void) {
  const [asking, setAsking] = useState(false);
  const isAsking = asking && isChanged;
  const close = () => {
    if (isAsking) setAsking(false);
    else if (isChanged) setAsking(true);
    else onClose();
  };
  const question = isAsking ? (
    <div role="alertdialog" aria-label="Discard changes?" className={styles.question}>
      <p className={styles.text}>Discard changes?</p>
      <Button autoFocus onClick={() => setAsking(false)}>
        Keep editing
      </Button>
      <Button variant="danger" onClick={onClose}>
        Discard
      </Button>
    </div>
  ) : null;
  return { close, question };
}
