import { useId } from 'react';
import styles from './switch.module.css';

export interface SwitchProps {
  label: string;
  hideLabel?: boolean;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
  /** -1 in a row of a roving list. */
  tabIndex?: number;
}

/** Label at the left, switch at the right; with `hideLabel` the switch alone. */
export function Switch({
  label,
  hideLabel = false,
  checked,
  onCheckedChange,
  disabled = false,
  tabIndex = 0,
}: SwitchProps) {
  const id = useId();
  const control = (
    <button
      id={id}
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={hideLabel ? label : undefined}
      disabled={disabled}
      tabIndex={tabIndex}
      className={styles.switch}
      onClick={() => onCheckedChange(!checked)}
    >
      <span className={styles.track} />
    </button>
  );
  if (hideLabel) return control;
  return (
    <div className={styles.row}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {control}
    </div>
  );
}
