import type { ComponentPropsWithRef } from 'react';
import styles from './raw-text-area.module.css';

interface RawTextAreaProps
  extends Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'value' | 'className'> {
  label: string;
  className?: string | undefined;
  maxRows?: number;
}

/**
 * A text area that keeps its own text. The controlled one of ui/ reads and compares all of it on
 * every keystroke, which shows once somebody pastes a megabyte.
 */
export function RawTextArea({ label, className, maxRows = 10, ...rest }: RawTextAreaProps) {
  return (
    <div className={className}>
      <textarea
        autoComplete="off"
        spellCheck
        rows={2}
        {...rest}
        aria-label={label}
        className={styles.area}
        style={{ maxHeight: `calc(${maxRows}lh + 14px)` }}
      />
    </div>
  );
}
