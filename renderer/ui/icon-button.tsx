// A native button: it needs nothing more than `aria-pressed` and `aria-disabled`.
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { useFocusPassing } from './pass-focus.ts';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps
  extends Omit<ComponentPropsWithRef<'button'>, 'children' | 'disabled'> {
  /** Used as both the accessible name and the tooltip. */
  label: string;
  icon: ReactNode;
  size?: 'normal' | 'small';
  shortcut?: string;
  pressed?: boolean;
  /** Ignores clicks; the button keeps focus. */
  disabled?: boolean;
}

export function IconButton({
  label,
  icon,
  size = 'normal',
  shortcut,
  pressed,
  disabled = false,
  onClick,
  className,
  type = 'button',
  ref,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button
        {...rest}
        ref={useFocusPassing(ref)}
        type={type}
        aria-label={label}
        aria-pressed={pressed}
        aria-disabled={disabled || undefined}
        onClick={disabled ? undefined : onClick}
        className={classNames(styles.iconButton, size === 'small' && styles.iconSmall, className)}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
