import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import styles from './segmented.module.css';
import type { SelectOption } from './select.tsx';

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly SelectOption<Value>[];
  onValueChange: (value: Value) => void;
}

/** A row of choices. It uses radio buttons because exactly one choice is always selected. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onValueChange,
}: SegmentedProps<Value>) {
  return (
    <RadioGroup
      aria-label={label}
      className={styles.group}
      value={value}
      onValueChange={onValueChange}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          disabled={option.disabled}
          className={styles.choice}
        >
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
