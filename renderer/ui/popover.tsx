import { Popover as BasePopover } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.ts';
import list from './list-box.module.css';
import menu from './menu.module.css';
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

/** A few controls behind a button; Escape and a click beside it close it. */
export function Popover(props: PopoverProps) {
  const { label, title = label, icon, align = 'end', className, open, onOpenChange } = props;
  const { trigger, finalFocus, wide = false, side = 'top' } = props;
  return (
    <BasePopover.Root
      {...(open === undefined ? {} : { open })}
      onOpenChange={(next) => onOpenChange?.(next)}
    >
      <BasePopover.Trigger
        {...(trigger === undefined ? tooltip(label) : {})}
        aria-label={label}
        className={classNames(trigger === undefined && buttonStyles.iconButton, className)}
      >
        {trigger ?? icon}
      </BasePopover.Trigger>
      <BasePopover.Portal>
        <BasePopover.Positioner
          side={side}
          align={align}
          sideOffset={6}
          className={menu.positioner ?? ''}
        >
          <BasePopover.Popup
            aria-label={title}
            className={classNames(list.popup, styles.popup, wide && styles.wide)}
            {...(finalFocus === undefined ? {} : { finalFocus })}
          >
            {props.children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
