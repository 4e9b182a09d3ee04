import { Popover as BasePopover } from '@base-ui/react/popover';
import { type ReactNode, type RefObject, useRef } from 'react';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.ts';
import list from './list-box.module.css';
import { useFocusPassing } from './pass-focus.ts';
import { Tooltip } from './tooltip.tsx';

interface PopoverProps {
  label: string;
  /** The popover's accessible name; defaults to the trigger's. */
  title?: string;
  /** The trigger's content; use `icon` for an icon button, or `anchor` for no trigger. */
  trigger?: ReactNode;
  icon?: ReactNode;
  /** Opens the popover next to this control instead of a trigger. */
  anchor?: RefObject<HTMLElement | null>;
  /** Makes the popover wide enough for a form. */
  wide?: boolean;
  side?: 'top' | 'bottom';
  align?: 'start' | 'center' | 'end';
  className?: string | undefined;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Receives focus when the popover closes; defaults to the trigger. */
  finalFocus?: RefObject<HTMLElement | null>;
  /** Returns the element that receives focus first; defaults to the first control. */
  initialFocus?: ((popup: HTMLElement) => HTMLElement | null) | undefined;
  children: ReactNode;
}

export function Popover({ trigger: content, ...props }: PopoverProps) {
  const { label, title = label, icon, wide = false, side = 'top', align = 'end' } = props;
  const { className, open, onOpenChange, finalFocus, initialFocus, anchor, children } = props;
  const popup = useRef<HTMLDivElement>(null);
  const triggerRef = useFocusPassing<HTMLButtonElement>();
  return (
    <BasePopover.Root open={open} onOpenChange={(isOpen) => onOpenChange?.(isOpen)}>
      {anchor === undefined && (
        <Tooltip text={content === undefined ? label : null}>
          <BasePopover.Trigger
            ref={triggerRef}
            aria-label={label}
            className={classNames(content === undefined && buttonStyles.iconButton, className)}
          >
            {content ?? icon}
          </BasePopover.Trigger>
        </Tooltip>
      )}
      <BasePopover.Portal>
        <BasePopover.Positioner
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={6}
          positionMethod="fixed"
          className={list.positioner}
        >
          <BasePopover.Popup
            ref={popup}
            aria-label={title}
            className={classNames('stack-12', list.popup, list.popover, wide && list.wide)}
            {...(finalFocus === undefined ? {} : { finalFocus })}
            {...(initialFocus !== undefined && {
              initialFocus: () => popup.current && initialFocus(popup.current),
            })}
          >
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
