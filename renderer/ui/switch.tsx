import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { useId } from 'react';
import { leaveToShortcuts } from './press-guard.ts';
import styles from './switch.module.css';

interface SwitchProps {
  label: string;
  hideLabel?: boolean;
  help?: string;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
  /** Use -1 inside a row of a roving list. */
  tabIndex?: number;
}

/** Renders the label on the left and the switch on the right; `hideLabel` hides the label. */
export function Switch({ label, hideLabel = false, help, ...rest }: SwitchProps) {
  const helpId = useId();
  const control = (
    <BaseSwitch.Root
      {...rest}
      onKeyDown={leaveToShortcuts}
      className={styles.switch}
      aria-label={hideLabel ? label : undefined}
      aria-describedby={help === undefined ? undefined : helpId}
    >
      <BaseSwitch.Thumb className={styles.thumb} />
    </BaseSwitch.Root>
  );
  if (hideLabel) return control;
  const row = (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch contains a hidden checkbox
    <label className={`row-8 between ${styles.row}`}>
      <span className={styles.label}>{label}</span>
      {control}
    </label>
  );
  if (help === undefined) return row;
  return (
    <div>
      {row}
      <p id={helpId} className="hint">
        {help}
      </p>
    </div>
  );
}
