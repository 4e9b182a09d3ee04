import { useState } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './console.module.css';
import type { FormField } from './console-draft.ts';

interface PairRowsProps {
  title: string;
  /** The name of one row, such as `header`. */
  noun: string;
  pairs: readonly FormField[];
  findProblem?: (pair: FormField) => string | null;
  onChange: (pairs: readonly FormField[]) => void;
  onRemove: (pairs: readonly FormField[], message: string) => void;
}

const blank: FormField = { name: '', value: '' };

/** Edits names and values, one pair per row; typing in the blank last row adds a pair. */
export function PairRows(props: PairRowsProps) {
  const { title, noun, pairs, findProblem, onChange, onRemove } = props;
  const [isOpen, setOpen] = useState(pairs.length > 0);
  const [hadPairs, setHadPairs] = useState(isOpen);
  // Opens for the pairs of an opened request, but stays open if the user removes the last one.
  if (pairs.length > 0 !== hadPairs) {
    setHadPairs(pairs.length > 0);
    if (pairs.length > 0) setOpen(true);
  }
  return (
    <details
      className={styles.pairs}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="label">
        {title}
        {pairs.length > 0 && <span className="hint"> {pairs.length}</span>}
      </summary>
      <ul aria-label={title} className="stack-4">
        {[...pairs, blank].map((pair, index) => {
          const isBlank = index === pairs.length;
          const write = (changed: FormField) =>
            onChange(isBlank ? [...pairs, changed] : pairs.with(index, changed));
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no other identity.
            <li key={index} className={styles.pair}>
              <TextField
                label={`Name of ${noun} ${index + 1}`}
                hideLabel
                value={pair.name}
                onValueChange={(name) => write({ ...pair, name })}
                error={isBlank ? null : (findProblem?.(pair) ?? null)}
                placeholder="Name"
                monospace
                spellCheck={false}
              />
              <TextField
                label={`Value of ${noun} ${index + 1}`}
                hideLabel
                value={pair.value}
                onValueChange={(value) => write({ ...pair, value })}
                placeholder="Value"
                monospace
                spellCheck={false}
              />
              <IconButton
                size="small"
                label={`Remove ${noun} ${index + 1}`}
                icon={<TrashIcon size={14} />}
                className={isBlank ? styles.unused : undefined}
                disabled={isBlank}
                onClick={() =>
                  onRemove(
                    pairs.toSpliced(index, 1),
                    `${noun[0]?.toUpperCase()}${noun.slice(1)} removed`,
                  )
                }
              />
            </li>
          );
        })}
      </ul>
    </details>
  );
}
