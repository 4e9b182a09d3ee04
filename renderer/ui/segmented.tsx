// Native radio buttons: Base UI scrolls the chosen one into view when it mounts, and so lays the page out twice.
import { useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './segmented.module.css';
import type { SelectOption } from './select.tsx';

interface SegmentedOption<Value extends string> extends SelectOption<Value> {
  /** Describes a problem, which is marked by a dot; undefined for none. */
  problem?: string | undefined;
}

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly SegmentedOption<Value>[];
  onValueChange: (value: Value) => void;
  className?: string | undefined;
  /** Marks the chosen option to receive focus when the focused view is removed. */
  takesFocus?: boolean;
}

/** Renders choices in a row as radio buttons, because exactly one choice is always selected. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onValueChange,
  className,
  takesFocus = false,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classNames(styles.group, className)}>
      {options.map((option) => (
        <label key={option.value} className={styles.choice} title={option.problem}>
          <input
            type="radio"
            name={name}
            className={styles.radio}
            checked={option.value === value}
            disabled={option.disabled}
            aria-description={option.problem}
            data-view-control={(takesFocus && option.value === value) || undefined}
            onChange={() => onValueChange(option.value)}
            onKeyDown={(event) => {
              // Enter would submit the form; Mod+Enter is a shortcut.
              const isShortcut = event.ctrlKey || event.metaKey;
              if (event.key === 'Enter' && !isShortcut) event.preventDefault();
            }}
          />
          {option.label}
          {option.problem !== undefined && <span className={styles.problem} />}
        </label>
      ))}
    </div>
  );
}
