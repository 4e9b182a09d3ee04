import { type ReactNode, type RefObject, useId, useState } from 'react';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.ts';
import { latePopup } from './late-popup.tsx';
import { useLateTrigger } from './late-trigger.ts';
import { tooltip } from './tooltip.ts';

const PopoverPopup = latePopup(async () => (await import('./popover-popup.tsx')).PopoverPopup);

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

const openingKeys: readonly string[] = [];

/** A few controls behind a button that is there at once; they, on Base UI, are loaded as it is approached. */
export function Popover({ trigger: content, ...props }: PopoverProps) {
  const { label, title = label, icon, wide = false, side = 'top', align = 'end' } = props;
  const { className, onOpenChange, finalFocus, children } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const open = props.open ?? isOpen;
  const { popupProps, isNear, buttonProps } = useLateTrigger({
    ...{ keys: openingKeys, open },
    onOpenChange(next) {
      setOpen(next);
      onOpenChange?.(next);
    },
  });
  return (
    <>
      <button
        {...(content === undefined ? tooltip(label) : {})}
        {...buttonProps}
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className={classNames(content === undefined && buttonStyles.iconButton, className)}
      >
        {content ?? icon}
      </button>
      {(isNear || open) && (
        <PopoverPopup {...popupProps} {...{ id, title, wide, side, align, finalFocus, children }} />
      )}
    </>
  );
}
