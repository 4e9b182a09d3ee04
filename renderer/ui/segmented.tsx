import { useId } from 'react';
import styles from './segmented.module.css';
import type { SelectOption } from './select.tsx';

export interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly SelectOption<Value>[];
  onValueChange: (value: Value) => void;
}

/** A few words of which one is chosen: radio buttons that lie side by side. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onValueChange,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      {options.map((option) => (
        <label key={option.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            className={styles.radio}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onValueChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
