import { useState } from 'react';
import { pluralize } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import styles from './run-record.module.css';

/** More would push everything else out of sight. */
const longest = 4000;
/** A megabyte in one paragraph holds the page up. */
const most = 200_000;

/** A text as it was written, folded to its start where it is long. */
export function RecordedText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? most : longest;
  const hidden = text.length - shown;
  return (
    <>
      <p className={styles.text}>{hidden > 0 ? `${text.slice(0, shown)}…` : text}</p>
      {hidden > 0 && !isOpen && (
        <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
          Show {pluralize(hidden, 'more character')}
        </Button>
      )}
      {hidden > 0 && isOpen && <p className={styles.rest}>Select Inspect to see the rest.</p>}
    </>
  );
}
