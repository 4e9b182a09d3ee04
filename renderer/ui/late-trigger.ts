import {
  type DOMAttributes,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';

type Handlers = DOMAttributes<HTMLButtonElement>;

/** What a button that is there at once shares with a popup that is loaded after the first screen. */
export interface LateTrigger {
  button: RefObject<HTMLButtonElement | null>;
  /** Of Base UI's trigger; null until that is loaded. */
  handlers: RefObject<Handlers | null>;
}

/** What a popup has of its button. */
export interface LatePopupProps {
  trigger: LateTrigger;
  /** What opens the popup, done before that was loaded: it is done again then. */
  early: Event | null;
  /** It was done again, or is not wanted any longer. */
  onEarlyDone: () => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

type Heard =
  | 'onPointerEnter'
  | 'onFocus'
  | 'onPointerDown'
  | 'onMouseDown'
  | 'onMouseMove'
  | 'onClick'
  | 'onKeyDown'
  | 'onKeyUp';

interface LateTriggerButton {
  popupProps: LatePopupProps;
  /** The popup is about to be opened: time to load it. */
  isNear: boolean;
  buttonProps: { ref: LateTrigger['button'] } & Required<Pick<Handlers, Heard>>;
}

interface LateTriggerOptions {
  /** Those that open the popup, beside a press. */
  keys: readonly string[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const openPopups = new Set<() => void>();

/** Before something opens over all of the page: what closes after that would lose the focus. */
export function closePopups(): void {
  for (const close of openPopups) close();
}

export function useLateTrigger(options: LateTriggerOptions): LateTriggerButton {
  const { keys, open, onOpenChange } = options;
  const button = useRef<HTMLButtonElement>(null);
  const handlers = useRef<Handlers>(null);
  const [trigger] = useState<LateTrigger>({ button, handlers });
  const [early, setEarly] = useState<Event | null>(null);
  const [isNear, setNear] = useState(false);

  const closeIt = useEffectEvent(() => onOpenChange(false));
  useEffect(() => {
    if (!open) return;
    const close = () => {
      button.current?.focus();
      closeIt();
    };
    openPopups.add(close);
    return () => {
      openPopups.delete(close);
    };
  }, [open]);

  function doLater(event: { nativeEvent: Event; preventDefault(): void; stopPropagation(): void }) {
    setEarly(event.nativeEvent);
    event.preventDefault();
    event.stopPropagation();
    setNear(true);
  }

  return {
    popupProps: { trigger, early, onEarlyDone: () => setEarly(null), open, onOpenChange },
    isNear,
    buttonProps: {
      ref: button,
      onPointerEnter: (event) => {
        setNear(true);
        handlers.current?.onPointerEnter?.(event);
      },
      onFocus: (event) => {
        setNear(true);
        handlers.current?.onFocus?.(event);
      },
      onPointerDown: (event) => handlers.current?.onPointerDown?.(event),
      onMouseDown: (event) => handlers.current?.onMouseDown?.(event),
      onMouseMove: (event) => handlers.current?.onMouseMove?.(event),
      onClick: (event) => {
        if (handlers.current === null) doLater(event);
        else handlers.current.onClick?.(event);
      },
      onKeyDown: (event) => {
        if (handlers.current !== null) handlers.current.onKeyDown?.(event);
        else if (keys.includes(event.key)) doLater(event);
      },
      onKeyUp: (event) => handlers.current?.onKeyUp?.(event),
    },
  };
}
