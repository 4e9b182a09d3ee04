import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import { cloneElement, isValidElement, type ReactNode, useEffect, useState } from 'react';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

interface TooltipProps {
  /** If null, the tooltip shows only the shortcut, or nothing if there is none. */
  text?: string | null | undefined;
  shortcut?: string | undefined;
  side?: 'bottom' | 'right';
  /** Text, or an element that accepts `data-` attributes. */
  children: ReactNode;
}

/** Shows a hint on hover and keyboard focus. The hint must repeat the accessible name. */
export function Tooltip({ text = null, shortcut, side = 'bottom', children }: TooltipProps) {
  const hint = {
    'data-tooltip': text ?? undefined,
    'data-shortcut': shortcut,
    'data-tooltip-side': side === 'bottom' ? undefined : side,
  };
  if (isValidElement<object>(children)) return cloneElement(children, hint);
  return <span {...hint}>{children}</span>;
}

const HINTED = '[data-tooltip], [data-shortcut]';
const HOVER_MS = 450;
const MOVING_KEYS = /^(Tab|Arrow|Home|End|Page)/;

function findHinted(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(HINTED) : null;
}

/**
 * Renders the popup that all tooltips share. It listens on the document, because hundreds of
 * elements have a hint, and a listener on each would delay the first render.
 */
export function TooltipPopup() {
  const anchor = useHintedElement();
  useChangedHint(anchor);
  const { tooltip, shortcut, tooltipSide } = anchor?.dataset ?? {};
  const isOpen = tooltip !== undefined || shortcut !== undefined;
  return (
    <BaseTooltip.Root open={isOpen} disableHoverablePopup>
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner
          anchor={anchor}
          side={tooltipSide === 'right' ? 'right' : 'bottom'}
          sideOffset={6}
          collisionPadding={6}
          className={styles.positioner}
        >
          <BaseTooltip.Popup className={styles.tooltip} aria-hidden="true">
            {tooltip}
            {shortcut !== undefined && <Kbd shortcut={shortcut} />}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}

/** Returns the element whose hint is shown, or null. */
function useHintedElement(): HTMLElement | null {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => {
    let hovered: HTMLElement | null = null;
    let isMovingByKey = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (element: HTMLElement | null) => {
      clearTimeout(timer);
      setAnchor(element);
    };
    const stop = new AbortController();
    const listen = <Name extends keyof DocumentEventMap>(
      name: Name,
      handle: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, handle, { capture: true, signal: stop.signal });

    listen('pointerover', ({ target, pointerType }) => {
      const element = pointerType === 'touch' ? null : findHinted(target);
      if (element === hovered) return;
      hovered = element;
      show(null);
      if (element !== null) timer = setTimeout(() => setAnchor(element), HOVER_MS);
    });
    listen('pointerdown', () => {
      isMovingByKey = false;
      show(null);
    });
    listen('keydown', ({ key }) => {
      isMovingByKey = MOVING_KEYS.test(key);
      // The key may also close a dialog or stop the run.
      if (key === 'Escape') show(null);
    });
    // Clicks and other actions move the focus too, but only keys ask what the element is.
    listen('focusin', ({ target }) => show(isMovingByKey ? findHinted(target) : null));
    listen('focusout', () => show(null));
    document.documentElement.addEventListener('pointerleave', () => show(null), {
      signal: stop.signal,
    });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, []);
  return anchor;
}

/** Renders again when the shown hint changes, such as from Copy to Copied. */
function useChangedHint(anchor: HTMLElement | null): void {
  const [, render] = useState({});
  useEffect(() => {
    if (anchor === null) return;
    const observer = new MutationObserver(() => render({}));
    observer.observe(anchor, { attributeFilter: ['data-tooltip', 'data-shortcut'] });
    return () => observer.disconnect();
  }, [anchor]);
}
