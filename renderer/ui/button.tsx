// A native button: a disabled Base UI button ignores clicks, which `onBlocked` has to report.
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { useFocusPassing } from './pass-focus.ts';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';

type ButtonElementProps = Omit<ComponentPropsWithRef<'button'>, 'children' | 'disabled'>;

export interface ButtonProps extends ButtonElementProps {
  /** Use `primary` at most once per view. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'normal' | 'small';
  icon?: ReactNode;
  /** Shows a spinner and ignores clicks; the button keeps focus. */
  busy?: boolean;
  /** Ignores clicks; the button keeps focus. */
  disabled?: boolean;
  /** If set, disables the button and shows the reason in a tooltip; the button stays focusable. */
  disabledReason?: string | null;
  /** Called when the user clicks while `disabledReason` is set. */
  onBlocked?: (() => void) | undefined;
  shortcut?: string;
  tooltip?: string;
  children: ReactNode;
}

export function Button({
  variant = 'secondary',
  size = 'normal',
  icon,
  busy = false,
  disabled = false,
  disabledReason,
  onBlocked,
  shortcut,
  tooltip,
  className,
  children,
  onClick,
  type = 'button',
  ref,
  ...rest
}: ButtonProps) {
  const reason = disabledReason ?? null;
  const blocked = busy || disabled || reason !== null;
  const button = (
    <button
      {...rest}
      ref={useFocusPassing(ref)}
      type={type}
      className={classNames(
        styles.button,
        styles[variant],
        size === 'small' && styles.small,
        className,
      )}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      aria-description={reason ?? undefined}
      onClick={(event) => {
        if (!blocked) return onClick?.(event);
        event.preventDefault();
        if (reason !== null) onBlocked?.();
      }}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
  // A long answer has hundreds of buttons that never show a tooltip.
  if (disabledReason === undefined && tooltip === undefined && shortcut === undefined) {
    return button;
  }
  return (
    <Tooltip text={reason ?? tooltip} shortcut={reason === null ? shortcut : undefined}>
      {button}
    </Tooltip>
  );
}
