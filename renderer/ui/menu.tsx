import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactNode, RefObject } from 'react';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.ts';
import { MoreIcon } from './icons/actions.tsx';
import { Kbd } from './kbd.tsx';
import list from './list-box.module.css';
import styles from './menu.module.css';
import { tooltip } from './tooltip.ts';

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

export function Menu({
  label,
  items,
  trigger,
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
      <BaseMenu.Trigger
        {...(trigger === undefined ? tooltip(label) : {})}
        aria-label={label}
        tabIndex={tabIndex}
        className={classNames(
          trigger === undefined
            ? classNames(buttonStyles.iconButton, small && buttonStyles.iconSmall)
            : classNames(buttonStyles.button, buttonStyles.quiet, small && buttonStyles.small),
          className,
        )}
      >
        {trigger ?? icon}
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner align={align} sideOffset={4} className={styles.positioner}>
          <BaseMenu.Popup
            className={classNames(list.popup, styles.popup)}
            {...(finalFocus === undefined ? {} : { finalFocus })}
          >
            {items.map((item, index) =>
              item === 'separator' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have no other identity
                <BaseMenu.Separator key={`separator-${index}`} className={list.separator} />
              ) : (
                <BaseMenu.Item
                  key={item.id}
                  disabled={item.disabled ?? false}
                  aria-keyshortcuts={item.shortcut?.replace('Mod', 'Control')}
                  className={classNames(list.option, styles.item, item.danger && list.danger)}
                  onClick={item.onSelect}
                >
                  {item.icon}
                  <span className={list.optionText}>{item.label}</span>
                  {item.shortcut !== undefined && (
                    <span aria-hidden="true">
                      <Kbd shortcut={item.shortcut} />
                    </span>
                  )}
                </BaseMenu.Item>
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
