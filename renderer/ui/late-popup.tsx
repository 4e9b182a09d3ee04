import {
  type ComponentType,
  type CSSProperties,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { latePart } from './late-part.tsx';
import styles from './late-popup.module.css';
import type { LatePopupProps, LateTrigger } from './late-trigger.ts';

/** What a button opens, as a late part: where it does not load, that is said at the button once it is pressed. */
export function latePopup<Props extends LatePopupProps>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return latePart(load, { failed: Around });
}

interface AroundProps extends LatePopupProps {
  children: ReactNode;
}

function Around({ trigger, early, onEarlyDone, open, onOpenChange, children }: AroundProps) {
  const wasPressed = open || early !== null;
  const close = () => {
    onEarlyDone();
    if (open) onOpenChange(false);
  };
  // It loads by itself meanwhile.
  if (!wasPressed) return <div hidden>{children}</div>;
  return (
    <AtButton trigger={trigger} onClose={close}>
      {children}
    </AtButton>
  );
}

interface AtButtonProps {
  trigger: LateTrigger;
  onClose: () => void;
  children: ReactNode;
}

/** Without Base UI, which has not come either. */
function AtButton({ trigger: { button }, onClose, children }: AtButtonProps) {
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<CSSProperties>({});
  useLayoutEffect(() => {
    box.current?.showPopover();
    if (button.current !== null) setPlace(placeAt(button.current.getBoundingClientRect()));
  }, [button]);
  return (
    <div
      ref={box}
      popover="auto"
      className={styles.failed}
      style={place}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      {children}
    </div>
  );
}

/** Below it, or above where it is in the lower half; to the side that has more room. */
function placeAt({ top, right, bottom, left }: DOMRect): CSSProperties {
  const { innerWidth, innerHeight } = window;
  return {
    ...(bottom < innerHeight / 2 ? { top: bottom + 4 } : { bottom: innerHeight - top + 4 }),
    ...(left < innerWidth / 2 ? { left } : { right: innerWidth - right }),
  };
}
