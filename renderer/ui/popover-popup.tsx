import { Popover } from '@base-ui/react/popover';
import { classNames } from './class-names.ts';
import popupStyles from './late-popup.module.css';
import type { LatePopupProps } from './late-trigger.ts';
import { dialogAround, LinkedTrigger, useEarlyEvent } from './linked-trigger.tsx';
import list from './list-box.module.css';
import styles from './popover.module.css';
import type { PopoverProps } from './popover.tsx';

type Given = Required<Pick<PopoverProps, 'title' | 'wide' | 'side' | 'align' | 'children'>>;

interface PopoverPopupProps extends Given, LatePopupProps {
  id: string;
  finalFocus: PopoverProps['finalFocus'] | undefined;
}

/** What a button opens, and what the button does. */
export function PopoverPopup(props: PopoverPopupProps) {
  const { trigger, id, title, wide, side, align, finalFocus, open, onOpenChange } = props;
  useEarlyEvent(props);
  return (
    <Popover.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <span className={popupStyles.guards}>
        <Popover.Trigger render={(given) => <LinkedTrigger trigger={trigger} props={given} />} />
      </span>
      <Popover.Portal container={dialogAround(trigger)}>
        <Popover.Positioner
          side={side}
          align={align}
          sideOffset={6}
          positionMethod="fixed"
          className={popupStyles.positioner}
        >
          <Popover.Popup
            id={id}
            aria-label={title}
            className={classNames(list.popup, styles.popup, wide && styles.wide)}
            {...(finalFocus === undefined ? {} : { finalFocus })}
          >
            {props.children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
