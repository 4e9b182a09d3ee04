import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import type { ReactNode } from 'react';
import styles from './checkbox.module.css';
import { classNames } from './class-names.ts';
import { CheckIcon } from './icons/status.tsx';

interface CheckboxProps {
  checked: boolean;
  onCheckedChange: (checked: boolean, event: Event) => void;
  /** Use -1 inside a row of a roving list. */
  tabIndex?: number;
  className?: string | undefined;
  children: ReactNode;
}

/** A click on the label, which is part of the control, also toggles it. */
export function Checkbox({ className, children, onCheckedChange, ...rest }: CheckboxProps) {
  return (
    <BaseCheckbox.Root
      {...rest}
      nativeButton
      render={<button type="button" />}
      className={classNames(styles.checkbox, className)}
      onCheckedChange={(checked, { event }) => onCheckedChange(checked, event)}
    >
      <span className={styles.box} aria-hidden="true">
        <BaseCheckbox.Indicator className={styles.indicator}>
          <CheckIcon size={12} />
        </BaseCheckbox.Indicator>
      </span>
      {children}
    </BaseCheckbox.Root>
  );
}
