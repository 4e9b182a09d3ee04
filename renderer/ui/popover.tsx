import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { useAnchoredPopup } from './anchored-popup.ts';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.ts';
import { firstStopIn } from './focus-guard.ts';
import list from './list-box.module.css';
import styles from './popover.module.css';
import { tooltip } from './tooltip.ts';

export interface PopoverProps {
  /** The trigger's accessible name. */
  label: string;
  /** The accessible name of what it opens; that of the trigger unless given. */
  title?: string;
  /** The trigger's content; the icon, for a button of that alone. */
  trigger?: ReactNode;
  icon?: ReactNode;
  /** Room for a form; it scrolls where the window has less. */
  wide?: boolean;
  side?: 'top' | 'bottom';
  align?: 'start' | 'center' | 'end';
  className?: string | undefined;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** What takes the focus when it closes; the trigger unless given. */
  finalFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** A few controls behind a button, on the platform's popover; Escape and a click beside it close it. */
export function Popover(props: PopoverProps) {
  const { label, title = label, icon, className, onOpenChange, trigger } = props;
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const open = props.open ?? isOpen;
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  return (
    <>
      <button
        {...(trigger === undefined ? tooltip(label) : {})}
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className={classNames(trigger === undefined && buttonStyles.iconButton, className)}
        onClick={() => change(!open)}
      >
        {trigger ?? icon}
      </button>
      {open && (
        <PopoverPopup {...props} {...{ id, title }} anchor={button} onClose={() => change(false)} />
      )}
    </>
  );
}

interface PopoverPopupProps extends PopoverProps {
  id: string;
  title: string;
  anchor: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

const gap = 6;

function PopoverPopup(props: PopoverPopupProps) {
  const { id, title, anchor, finalFocus, wide = false, side = 'top', align = 'end' } = props;
  const { onClose, children } = props;
  const popup = useRef<HTMLDivElement>(null);
  useAnchoredPopup({ anchor, popup, side, align, gap, onClose, finalFocus });
  useLayoutEffect(() => {
    (firstStopIn(popup.current) ?? popup.current)?.focus({ preventScroll: true });
  }, []);
  return (
    <div
      ref={popup}
      id={id}
      popover="manual"
      role="dialog"
      tabIndex={-1}
      aria-label={title}
      className={classNames(list.popup, styles.popup, wide && styles.wide)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {children}
    </div>
  );
}
