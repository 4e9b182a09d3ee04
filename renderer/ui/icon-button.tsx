import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { tooltip } from './tooltip.ts';

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  /** The accessible name and the tooltip. */
  label: string;
  icon: ReactNode;
  size?: 'normal' | 'small';
  shortcut?: string;
  /** For a toggle. */
  pressed?: boolean;
}

export function IconButton({
  label,
  icon,
  size = 'normal',
  shortcut,
  pressed,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...tooltip(label, shortcut)}
      {...rest}
      type={type}
      aria-label={label}
      aria-pressed={pressed}
      className={classNames(styles.iconButton, size === 'small' && styles.iconSmall, className)}
    >
      {icon}
    </button>
  );
}
