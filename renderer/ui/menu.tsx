import { ContextMenu as BaseContextMenu } from '@base-ui/react/context-menu';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { type ReactNode, type RefObject, useState } from 'react';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.ts';
import { MoreIcon } from './icons/actions.tsx';
import { ChevronRightIcon } from './icons/status.tsx';
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
export interface Submenu {
  id: string;
  label: string;
  icon?: ReactNode;
  items: readonly MenuEntry[];
}
export type MenuEntry = MenuItem | Submenu | 'separator';

interface MenuProps {
  label: string;
  items: readonly MenuEntry[];
  /** The trigger's content; defaults to an icon button with three dots. */
  trigger?: ReactNode;
  icon?: ReactNode;
  size?: 'normal' | 'small';
  align?: 'start' | 'end';
  className?: string | undefined;
  /** Use -1 inside a row of a roving list. */
  tabIndex?: number;
  /** Receives focus when the menu closes; defaults to the trigger. */
  finalFocus?: RefObject<HTMLElement | null>;
  triggerRef?: RefObject<HTMLButtonElement | null>;
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
  triggerRef,
}: MenuProps) {
  const small = size === 'small';
  return (
    <BaseMenu.Root modal={false}>
      <Tooltip text={content === undefined ? label : null}>
        <BaseMenu.Trigger
          ref={useFocusPassing(triggerRef)}
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
            <Entries items={items} />
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface ContextMenuProps {
  label: string;
  /** Called when the menu opens, with the element that was clicked. */
  getItems: (target: Element) => readonly MenuEntry[];
  className?: string | undefined;
  children: ReactNode;
}

/** Opens on a right click or a long press; offer the same items in a menu that a key can open. */
export function ContextMenu({ label, getItems, className, children }: ContextMenuProps) {
  const [items, setItems] = useState<readonly MenuEntry[]>([]);
  return (
    <BaseContextMenu.Root>
      <BaseContextMenu.Trigger
        className={className}
        onContextMenuCapture={({ target }) => {
          if (target instanceof Element) setItems(getItems(target));
        }}
        onTouchStartCapture={({ target }) => {
          if (target instanceof Element) setItems(getItems(target));
        }}
      >
        {children}
      </BaseContextMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner positionMethod="fixed" className={list.positioner}>
          <BaseMenu.Popup aria-label={label} className={classNames(list.popup, list.menu)}>
            <Entries items={items} />
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseContextMenu.Root>
  );
}

function Entries({ items }: { items: readonly MenuEntry[] }) {
  return items.map((item, index) => {
    if (item === 'separator') {
      // biome-ignore lint/suspicious/noArrayIndexKey: separators have no other identity
      return <BaseMenu.Separator key={`separator-${index}`} className={list.separator} />;
    }
    return 'items' in item ? (
      <SubmenuItem key={item.id} submenu={item} />
    ) : (
      <Item key={item.id} item={item} />
    );
  });
}

function SubmenuItem({ submenu: { label, icon, items } }: { submenu: Submenu }) {
  return (
    <BaseMenu.SubmenuRoot>
      <BaseMenu.SubmenuTrigger className={classNames(list.option, list.item)}>
        {icon}
        <span className="grow truncate">{label}</span>
        <ChevronRightIcon size={14} />
      </BaseMenu.SubmenuTrigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={2} positionMethod="fixed" className={list.positioner}>
          <BaseMenu.Popup aria-label={label} className={classNames(list.popup, list.menu)}>
            <Entries items={items} />
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.SubmenuRoot>
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
