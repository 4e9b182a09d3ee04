import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import {
  isValidElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

interface Hint {
  text: string | null;
  shortcut: string | undefined;
  side: 'bottom' | 'right';
}

const handle = BaseTooltip.createHandle<Hint>();

interface TooltipProps {
  /** If null, the tooltip shows only the shortcut, or nothing if there is none. */
  text?: string | null | undefined;
  shortcut?: string | undefined;
  side?: Hint['side'];
  /** Text, or an element that accepts a ref. */
  children: ReactNode;
}

/** Shows a hint on hover and keyboard focus. The hint must repeat the accessible name. */
export function Tooltip({ text = null, shortcut, side = 'bottom', children }: TooltipProps) {
  return (
    <BaseTooltip.Trigger
      handle={handle}
      payload={{ text, shortcut, side }}
      disabled={text === null && shortcut === undefined}
      data-tooltip={text ?? undefined}
      data-shortcut={shortcut}
      render={isValidElement(children) ? children : <span>{children}</span>}
    />
  );
}

const MOVING_KEYS = /^(Tab|Arrow|Home|End|Page)/;

/** Wraps the page and renders a popup that all tooltips share. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const isMovingByKey = useRef(false);
  const [isAttached, setAttached] = useState(false);
  // Triggers that mount before the handle has its root render twice.
  useLayoutEffect(() => setAttached(true), []);
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      isMovingByKey.current = MOVING_KEYS.test(key);
    };
    const onPointerDown = () => {
      isMovingByKey.current = false;
    };
    document.addEventListener('keydown', onKeyDown, true);
    document.addEventListener('pointerdown', onPointerDown, true);
    return () => {
      document.removeEventListener('keydown', onKeyDown, true);
      document.removeEventListener('pointerdown', onPointerDown, true);
    };
  }, []);
  return (
    <BaseTooltip.Provider delay={450}>
      {isAttached && children}
      <BaseTooltip.Root
        handle={handle}
        disableHoverablePopup
        onOpenChange={(open, details) => {
          // Show hints only for keyboard focus, because clicks and other actions move focus too.
          if (open && details.reason === 'trigger-focus' && !isMovingByKey.current) {
            details.cancel();
          }
          if (details.reason !== 'escape-key') return;
          // Let Esc also close the dialog or stop the run.
          details.cancel();
          details.allowPropagation();
          handle.close();
        }}
      >
        {({ payload }) => (
          <BaseTooltip.Portal>
            <BaseTooltip.Positioner
              side={payload?.side ?? 'bottom'}
              sideOffset={6}
              collisionPadding={6}
              className={styles.positioner}
            >
              <BaseTooltip.Popup className={styles.tooltip} aria-hidden="true">
                {payload?.text}
                {payload?.shortcut !== undefined && <Kbd shortcut={payload.shortcut} />}
              </BaseTooltip.Popup>
            </BaseTooltip.Positioner>
          </BaseTooltip.Portal>
        )}
      </BaseTooltip.Root>
    </BaseTooltip.Provider>
  );
}
