import type { ContentPart } from '../../../../shared/operations/chat/message.ts';
import { PartChip } from './part-chip.tsx';
import styles from './parts.module.css';

interface PartChipsProps {
  parts: readonly ContentPart[];
  onChange: (parts: ContentPart[]) => void;
}

/** The attachments of a message that is being written. */
export function PartChips({ parts, onChange }: PartChipsProps) {
  if (parts.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Attachments">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same medium may stand there twice.
        <li key={index}>
          <PartChip
            part={part}
            onChange={(changed) => onChange(parts.with(index, changed))}
            onRemove={() => onChange(parts.toSpliced(index, 1))}
          />
        </li>
      ))}
    </ul>
  );
}
