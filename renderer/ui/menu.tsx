import { type ReactNode, type RefObject, useId, useState } from 'react';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.ts';
import { MoreIcon } from './icons/actions.tsx';
import { latePopup } from './late-popup.tsx';
import { useLateTrigger } from './late-trigger.ts';
import { tooltip } from './tooltip.ts';

const MenuPopup = latePopup(async () => (await import('./menu-popup.tsx')).MenuPopup);

export interface MenuItem {
  id: string;
  label: string;
  icon?: ReactNode;
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}
export type MenuEntry = MenuItem | 'separator';

export interface MenuProps {
  /** The trigger's accessible name. */
  label: string;
  items: readonly MenuEntry[];
  /** The trigger's content; an icon button with three dots unless given. */
  trigger?: ReactNode;
  icon?: ReactNode;
  size?: 'normal' | 'small';
  align?: 'start' | 'end';
  className?: string;
  /** -1 in a row of a roving list. */
  tabIndex?: number;
  /** What takes the focus when it closes; the trigger unless given. */
  finalFocus?: RefObject<HTMLElement | null>;
}

const openingKeys = ['ArrowDown', 'ArrowUp'];

/** A button that is there at once; its menu, on Base UI, is loaded as it is approached. */
export function Menu({
  label,
  items,
  trigger: content,
  icon = <MoreIcon />,
  size = 'normal',
  align = 'end',
  className,
  tabIndex = 0,
  finalFocus,
}: MenuProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { popupProps, isNear, buttonProps } = useLateTrigger({
    ...{ keys: openingKeys, open },
    onOpenChange: setOpen,
  });
  const small = size === 'small';
  return (
    <>
      <button
        {...(content === undefined ? tooltip(label) : {})}
        {...buttonProps}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        tabIndex={tabIndex}
        className={classNames(
          content === undefined
            ? classNames(buttonStyles.iconButton, small && buttonStyles.iconSmall)
            : classNames(buttonStyles.button, buttonStyles.quiet, small && buttonStyles.small),
          className,
        )}
      >
        {content ?? icon}
      </button>
      {isNear && <MenuPopup {...popupProps} {...{ id, label, items, align, finalFocus }} />}
    </>
  );
}
