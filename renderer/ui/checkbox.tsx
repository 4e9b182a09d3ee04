import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import type { ReactNode } from 'react';
import styles from './checkbox.module.css';
import { classNames } from './class-names.ts';
import { CheckIcon } from './icons/status.tsx';
import { leaveToShortcuts } from './press-guard.ts';

interface CheckboxProps {
  checked: boolean;
  /** True if some but not all of the checkbox's items are checked. */
  indeterminate?: boolean;
  onCheckedChange: (checked: boolean, event: Event) => void;
  /** Use -1 inside a row of a roving list. */
  tabIndex?: number;
  className?: string | undefined;
  children: ReactNode;
}

/** A click on the label, which is part of the control, also toggles it. */
export function Checkbox({ className, children, onCheckedChange, ...rest }: CheckboxProps) {
  const isMixed = rest.indeterminate === true;
  return (
    <BaseCheckbox.Root
      {...rest}
      nativeButton
      render={<button type="button" />}
      onKeyDown={leaveToShortcuts}
      className={classNames(styles.checkbox, className)}
      onCheckedChange={(checked, { event }) => onCheckedChange(checked, event)}
    >
      <CheckMark state={isMixed ? 'mixed' : rest.checked ? 'checked' : 'unchecked'} />
      {children}
    </BaseCheckbox.Root>
  );
}

interface CheckMarkProps {
  state: 'checked' | 'unchecked' | 'mixed';
}

/** Shows a checkbox's state inside another control, such as an option. */
export function CheckMark({ state }: CheckMarkProps) {
  return (
    <span className={styles.box} data-state={state} aria-hidden="true">
      {state === 'checked' && <CheckIcon size={12} />}
      {state === 'mixed' && <span className={styles.dash} />}
    </span>
  );
}
