import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './discard-question.module.css';

/**
 * Confirms before a dialog with unsaved changes is closed. `close` is for every way out of it; `question`
 * replaces its actions meanwhile.
 */
export function useDiscardQuestion(isChanged: boolean, onClose: () => void) {
  const [wantsToClose, setWantsToClose] = useState(false);
  const isConfirming = wantsToClose && isChanged;
  const close = () => {
    if (isConfirming) setWantsToClose(false);
    else if (isChanged) setWantsToClose(true);
    else onClose();
  };
  const question = isConfirming ? (
    <div role="alertdialog" aria-label="Discard changes?" className={styles.question}>
      <p className={styles.text}>Discard changes?</p>
      <Button autoFocus onClick={() => setWantsToClose(false)}>
        Keep editing
      </Button>
      <Button variant="danger" onClick={onClose}>
        Discard
      </Button>
    </div>
  ) : null;
  return { close, question };
}
