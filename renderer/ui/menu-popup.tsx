import { Menu } from '@base-ui/react/menu';
import { classNames } from './class-names.ts';
import { Kbd } from './kbd.tsx';
import popupStyles from './late-popup.module.css';
import type { LatePopupProps } from './late-trigger.ts';
import { dialogAround, LinkedTrigger, useEarlyEvent } from './linked-trigger.tsx';
import list from './list-box.module.css';
import styles from './menu.module.css';
import type { MenuProps } from './menu.tsx';

type Given = Required<Pick<MenuProps, 'label' | 'items' | 'align'>>;

interface MenuPopupProps extends Given, LatePopupProps {
  id: string;
  finalFocus: MenuProps['finalFocus'] | undefined;
}

/** The menu of a button, and what the button does. */
export function MenuPopup(props: MenuPopupProps) {
  const { trigger, id, label, items, align, finalFocus, open, onOpenChange } = props;
  useEarlyEvent(props);
  return (
    <Menu.Root modal={false} open={open} onOpenChange={(next) => onOpenChange(next)}>
      <span className={popupStyles.guards}>
        <Menu.Trigger render={(given) => <LinkedTrigger trigger={trigger} props={given} />} />
      </span>
      <Menu.Portal container={dialogAround(trigger)}>
        <Menu.Positioner
          align={align}
          sideOffset={4}
          positionMethod="fixed"
          className={popupStyles.positioner}
        >
          <Menu.Popup
            id={id}
            aria-label={label}
            className={classNames(list.popup, styles.popup)}
            {...(finalFocus === undefined ? {} : { finalFocus })}
          >
            {items.map((item, index) =>
              item === 'separator' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have no other identity
                <Menu.Separator key={`separator-${index}`} className={list.separator} />
              ) : (
                <Menu.Item
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
                </Menu.Item>
              ),
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
