import type { CSSProperties } from 'react';
import { Field, type FieldProps } from './field.tsx';
import styles from './slider.module.css';

export interface SliderProps extends FieldProps {
  value: number;
  onValueChange: (value: number) => void;
  min: number;
  max: number;
  step: number;
  disabled?: boolean | undefined;
}

export function Slider({
  label,
  hideLabel,
  help,
  error,
  className,
  value,
  onValueChange,
  min,
  max,
  step,
  disabled,
}: SliderProps) {
  const share = max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0;
  const style: CSSProperties & { '--filled': string } = { '--filled': `${share * 100}%` };
  return (
    <Field label={label} hideLabel={hideLabel} help={help} error={error} className={className}>
      {(ids) => (
        <input
          {...ids}
          type="range"
          className={styles.slider}
          style={style}
          value={value}
          min={min}
          max={max}
          step={step}
          disabled={disabled}
          onChange={(event) => onValueChange(event.target.valueAsNumber)}
        />
      )}
    </Field>
  );
}
