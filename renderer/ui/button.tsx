import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';
import { tooltip } from './tooltip.ts';

type ButtonElementProps = Omit<ComponentPropsWithRef<'button'>, 'children' | 'disabled'>;

export interface ButtonProps extends ButtonElementProps {
  /** `primary` at most once in a view. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'normal' | 'small';
  icon?: ReactNode;
  /** Shows a spinner and ignores clicks; keeps focus. */
  busy?: boolean;
  /** Takes no clicks. Keeps the focus, so that a press that disables it leaves the user where they were. */
  disabled?: boolean;
  /** Why it cannot be pressed now: it stays focusable, says so in its tooltip, and does nothing. */
  disabledReason?: string | null;
  /** It was pressed all the same, while there is a `disabledReason`. */
  onBlocked?: (() => void) | undefined;
  shortcut?: string;
  children: ReactNode;
}

export function Button({
  variant = 'secondary',
  size = 'normal',
  icon,
  busy = false,
  disabled = false,
  disabledReason = null,
  onBlocked,
  shortcut,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const blocked = busy || disabled || disabledReason !== null;
  return (
    <button
      {...rest}
      {...(disabledReason !== null
        ? tooltip(disabledReason)
        : shortcut !== undefined
          ? tooltip('', shortcut)
          : {})}
      type={type}
      className={classNames(
        styles.button,
        styles[variant],
        size === 'small' && styles.small,
        className,
      )}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      aria-description={disabledReason ?? undefined}
      onClick={(event) => {
        if (!blocked) return onClick?.(event);
        event.preventDefault();
        if (disabledReason !== null) onBlocked?.();
      }}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
