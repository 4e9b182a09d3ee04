// Hand-written because Base UI's number field parses “0,5” as 5 and discards invalid text.
import { Field as BaseField } from '@base-ui/react/field';
import { useState } from 'react';
import styles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';

interface NumberFieldProps extends FieldProps {
  /** Null if the field is empty. The caller checks `min` and `max`. */
  value: number | null;
  onValueChange: (value: number | null) => void;
  min?: number | undefined;
  max?: number | undefined;
  /** The amount that arrow keys add or subtract; the default is 1. */
  step?: number | undefined;
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
}

export function NumberField(props: NumberFieldProps) {
  const { value, onValueChange, min, max, step = 1, placeholder, disabled, ...field } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed !== null && readNumber(typed) === value ? typed : formatNumber(value);
  const unreadable = typed !== null && typed.trim() !== '' && readNumber(typed) === null;
  const change = (text: string) => {
    setTyped(text);
    onValueChange(readNumber(text));
  };
  const stepBy = (direction: number) => {
    const next = roundTo((value ?? 0) + direction * step, step);
    change(formatNumber(Math.min(max ?? next, Math.max(min ?? next, next))));
  };
  return (
    <Field {...field} error={field.error ?? (unreadable ? 'Enter a number.' : null)}>
      <BaseField.Control
        render={<input type="text" autoComplete="off" />}
        role="spinbutton"
        inputMode="decimal"
        aria-valuenow={value ?? undefined}
        aria-valuemin={min}
        aria-valuemax={max}
        className={styles.control}
        value={unreadable ? typed : shown}
        placeholder={placeholder}
        disabled={disabled}
        onValueChange={change}
        onBlur={() => setTyped((text) => (unreadable ? text : null))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          stepBy(event.key === 'ArrowUp' ? 1 : -1);
        }}
      />
    </Field>
  );
}

function readNumber(text: string): number | null {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : null;
}

function formatNumber(value: number | null): string {
  return value === null ? '' : String(value);
}

/** Rounds off floating-point errors, so that 0.1 + 0.2 gives 0.3. */
export function roundTo(value: number, step: number): number {
  const decimals = String(step).split('.')[1]?.length ?? 0;
  return Number(value.toFixed(decimals));
}
