import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactNode, RefObject } from 'react';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.ts';
import { MoreIcon } from './icons/actions.tsx';
import { Kbd } from './kbd.tsx';
import list from './list-box.module.css';
import { useFocusPassing } from './pass-focus.ts';
import { Tooltip } from './tooltip.tsx';

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

interface MenuProps {
  label: string;
  items: readonly MenuEntry[];
  /** The trigger's content; defaults to an icon button with three dots. */
  trigger?: ReactNode;
  icon?: ReactNode;
  size?: 'normal' | 'small';
  align?: 'start' | 'end';
  className?: string;
  /** Use -1 inside a row of a roving list. */
  tabIndex?: number;
  /** Receives focus when the menu closes; defaults to the trigger. */
  finalFocus?: RefObject<HTMLElement | null>;
}

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
  const small = size === 'small';
  return (
    <BaseMenu.Root modal={false}>
      <Tooltip text={content === undefined ? label : null}>
        <BaseMenu.Trigger
          ref={useFocusPassing()}
          aria-label={label}
          tabIndex={tabIndex}
          className={classNames(
            content === undefined
              ? classNames(buttonStyles.iconButton, small && buttonStyles.iconSmall)
              : classNames(buttonStyles.button, buttonStyles.quiet, small && buttonStyles.small),
            className,
          )}
        >
          {content ?? icon}
        </BaseMenu.Trigger>
      </Tooltip>
      <BaseMenu.Portal>
        <BaseMenu.Positioner
          align={align}
          sideOffset={4}
          positionMethod="fixed"
          className={list.positioner}
        >
          <BaseMenu.Popup
            aria-label={label}
            className={classNames(list.popup, list.menu)}
            {...(finalFocus === undefined ? {} : { finalFocus })}
          >
            {items.map((item, index) =>
              item === 'separator' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have no other identity
                <BaseMenu.Separator key={`separator-${index}`} className={list.separator} />
              ) : (
                <Item key={item.id} item={item} />
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function Item({ item }: { item: MenuItem }) {
  const { label, icon, shortcut, danger = false, disabled = false, onSelect } = item;
  return (
    <BaseMenu.Item
      disabled={disabled}
      aria-keyshortcuts={shortcut?.replace('Mod', 'Control')}
      className={classNames(list.option, list.item, danger && list.danger)}
      onClick={onSelect}
    >
      {icon}
      <span className="grow truncate">{label}</span>
      {shortcut !== undefined && (
        <span aria-hidden="true">
          <Kbd shortcut={shortcut} />
        </span>
      )}
    </BaseMenu.Item>
  );
}
