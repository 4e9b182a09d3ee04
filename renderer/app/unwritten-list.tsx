import { classNames } from '../ui/class-names.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import styles from './unwritten-list.module.css';
import type { UnwrittenText } from './unwritten-texts.ts';

interface UnwrittenListProps {
  texts: readonly UnwrittenText[];
  /** A line of each, where the panel below still shows them. */
  compact?: boolean;
}

/** Texts that are only on this page, to copy to another one. */
export function UnwrittenList({ texts, compact = false }: UnwrittenListProps) {
  if (texts.length === 0) return null;
  return (
    <section
      className={classNames(styles.unwritten, compact && styles.compact)}
      aria-label="Unsaved text"
    >
      {!compact && <h2 className={styles.heading}>Unsaved text, only on this page</h2>}
      <ul className={styles.list}>
        {texts.map(({ title, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two texts may have the same title.
          <li key={index}>
            <div className={styles.head}>
              <span>{title}</span>
              <CopyButton label={`Copy ${title}`} words="Copy" content={() => text} />
            </div>
            <pre className={styles.text}>{text}</pre>
          </li>
        ))}
      </ul>
    </section>
  );
}
