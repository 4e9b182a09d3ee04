import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { classNames } from './class-names.ts';
import { leaveToShortcuts } from './press-guard.ts';
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
  return (
    <RadioGroup
      aria-label={label}
      className={classNames(styles.group, className)}
      value={value}
      onValueChange={onValueChange}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          disabled={option.disabled}
          onKeyDown={leaveToShortcuts}
          className={styles.choice}
          aria-description={option.problem}
          title={option.problem}
          data-view-control={(takesFocus && option.value === value) || undefined}
        >
          {option.label}
          {option.problem !== undefined && <span className={styles.problem} />}
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
