import {
  type ComponentType,
  type CSSProperties,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type Failed, latePart, Unsaid } from './late-part.tsx';
import styles from './late-popup.module.css';
import type { LatePopupProps, LateTrigger } from './late-trigger.ts';

/** What a button opens, as a late part: where it does not load, that is said at the button once it is pressed. */
export function latePopup<Props extends LatePopupProps>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return latePart(load, { failed: Around });
}

function Around(props: LatePopupProps & Failed) {
  const { trigger, early, onEarlyDone, open, onOpenChange, onRetry, children } = props;
  const press = early ?? open;
  const wasPressed = press !== false;
  const attempted = useRef(press);
  useEffect(() => {
    // What failed as the button was approached, or at an earlier press, says nothing about this one.
    if (wasPressed && press !== attempted.current) onRetry();
    attempted.current = press;
  }, [press, wasPressed, onRetry]);
  const close = () => {
    onEarlyDone();
    if (open) onOpenChange(false);
  };
  if (!wasPressed) return <Unsaid>{children}</Unsaid>;
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

/** Without Base UI, which did not load either. */
function AtButton({ trigger: { button }, onClose, children }: AtButtonProps) {
  const box = useRef<HTMLDivElement>(null);
  /** The platform closes it for a press of its button too, which tries again. */
  const isPress = useRef(false);
  const [place, setPlace] = useState<CSSProperties>({});
  useLayoutEffect(() => {
    box.current?.showPopover();
    if (button.current !== null) setPlace(placeAt(button.current.getBoundingClientRect()));
  }, [button]);
  useEffect(() => {
    // The platform closes it. Nothing else that Escape would close or stop is meant.
    const keep = (event: KeyboardEvent) => event.key === 'Escape' && event.stopPropagation();
    let isDown = false;
    const notePress = ({ type, target, button: which }: PointerEvent) => {
      const isHere = target instanceof Node && button.current?.contains(target) === true;
      isPress.current = type === 'pointerup' && isDown && isHere;
      isDown = type === 'pointerdown' && isHere && which === 0;
    };
    document.addEventListener('keydown', keep, true);
    document.addEventListener('pointerdown', notePress, true);
    document.addEventListener('pointerup', notePress, true);
    return () => {
      document.removeEventListener('keydown', keep, true);
      document.removeEventListener('pointerdown', notePress, true);
      document.removeEventListener('pointerup', notePress, true);
    };
  }, [button]);
  return (
    <div
      ref={box}
      popover="auto"
      className={styles.failed}
      style={place}
      onToggle={({ newState }) => newState === 'closed' && !isPress.current && onClose()}
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
