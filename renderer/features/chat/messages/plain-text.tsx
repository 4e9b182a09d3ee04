import { useState } from 'react';
import { formatCount } from '../../../lib/format-quantity.ts';
import { Button } from '../../../ui/button.tsx';
import styles from './message.module.css';

const SHOWN_LENGTH = 20_000;
const PIECE_LENGTH = 4000;

interface PlainTextProps {
  text: string;
}

/** Text exactly as it was written; a very long one is shown in part until asked for. */
export function PlainText({ text }: PlainTextProps) {
  const [whole, setWhole] = useState(false);
  const isCut = !whole && text.length > SHOWN_LENGTH;
  const shown = isCut ? text.slice(0, SHOWN_LENGTH) : text;
  const pieces = Array.from({ length: Math.ceil(shown.length / PIECE_LENGTH) }, (_, index) =>
    shown.slice(index * PIECE_LENGTH, (index + 1) * PIECE_LENGTH),
  );
  return (
    <div className={styles.plainText}>
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces never change places.
        <span key={index}>{piece}</span>
      ))}
      {isCut && (
        <Button size="small" variant="quiet" onClick={() => setWhole(true)}>
          Show all {formatCount(text.length)} characters
        </Button>
      )}
    </div>
  );
}
