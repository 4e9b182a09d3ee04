import { Popover as BasePopover } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.ts';
import list from './list-box.module.css';
import menu from './menu.module.css';
import styles from './popover.module.css';
import { tooltip } from './tooltip.ts';

export interface PopoverProps {
  /** The trigger's accessible name and that of what it opens. */
  label: string;
  icon: ReactNode;
  align?: 'start' | 'center' | 'end';
  className?: string | undefined;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** What takes the focus when it closes; the trigger unless given. */
  finalFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** A few controls behind an icon button; Escape and a click beside it close it. */
export function Popover(props: PopoverProps) {
  const { label, icon, align = 'end', className, open, onOpenChange } = props;
  const { finalFocus } = props;
  return (
    <BasePopover.Root
      {...(open === undefined ? {} : { open })}
      onOpenChange={(next) => onOpenChange?.(next)}
    >
      <BasePopover.Trigger
        {...tooltip(label)}
        aria-label={label}
        className={classNames(buttonStyles.iconButton, className)}
      >
        {icon}
      </BasePopover.Trigger>
      <BasePopover.Portal>
        <BasePopover.Positioner
          side="top"
          align={align}
          sideOffset={6}
          className={menu.positioner ?? ''}
        >
          <BasePopover.Popup
            aria-label={label}
            className={classNames(list.popup, styles.popup)}
            {...(finalFocus === undefined ? {} : { finalFocus })}
          >
            {props.children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
