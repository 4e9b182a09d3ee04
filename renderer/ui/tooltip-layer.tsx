import { useEffect, useRef, useState } from 'react';
import { type Note, noteEvent } from './inline-note.ts';
import { Kbd } from './kbd.tsx';
import styles from './tooltip-layer.module.css';

const delayMs = 450;
const noteMs = 2000;

interface Shown {
  text: string;
  shortcut: string | null;
  anchor: DOMRect;
  /** Followed while it is shown; null for what stays where it was done. */
  element: Element | null;
  side: 'bottom' | 'right';
  /** What has just been done there: it stays for its time. */
  isNote: boolean;
}

/** Mounted once by the app. Tooltips repeat what the accessible name says, so they are not read out. */
export function TooltipLayer() {
  const [shown, setShown] = useState<Shown | null>(null);
  const layer = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer: number | undefined;
    let noteTimer: number | undefined;
    let noted: Element | null = null;
    // Where a press does not focus a button, as in Safari, or its menu has closed.
    let pressed: Element | null = null;
    const press = ({ target }: Event) => {
      pressed = target instanceof Element ? target : null;
    };
    // The pointer stays where it is while the page changes below it; the focus may be moved by what a key did.
    let pointer = { x: -1, y: -1 };
    let hovered: Element | null = null;
    let wentByKey = false;
    const hide = () => {
      clearTimeout(timer);
      setShown((shown) => (shown?.isNote ? shown : null));
    };
    const note = (event: CustomEvent<Note>) => {
      const { text, element } = event.detail;
      clearTimeout(timer);
      if (text === '' && element !== noted) return;
      clearTimeout(noteTimer);
      noted = element;
      if (text === '') return setShown((shown) => (shown?.isNote ? null : shown));
      const isSomewhere = element !== document.body || !pressed?.isConnected;
      const anchor = (isSomewhere ? element : (pressed ?? element)).getBoundingClientRect();
      setShown({ text, shortcut: null, anchor, element: null, side: 'bottom', isNote: true });
      noteTimer = window.setTimeout(() => setShown(null), noteMs);
    };
    const getAnchor = ({ target }: Event) =>
      target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;
    const point = (event: PointerEvent) => {
      const { clientX: x, clientY: y } = event;
      const isStill = x === pointer.x && y === pointer.y;
      pointer = { x, y };
      const target = getAnchor(event);
      if (isStill || target === hovered) return;
      hovered = target;
      consider(target);
    };
    const focus = (event: FocusEvent) => {
      const target = getAnchor(event);
      if (target !== null && !wentByKey) return;
      consider(target);
    };
    const consider = (target: HTMLElement | null) => {
      clearTimeout(timer);
      if (target === null) return hide();
      timer = window.setTimeout(() => {
        const text = target.dataset.tooltip ?? '';
        const shortcut = target.dataset.shortcut ?? null;
        if (!target.isConnected || (text === '' && shortcut === null)) return;
        const side = target.dataset.tooltipSide === 'right' ? 'right' : 'bottom';
        const anchor = target.getBoundingClientRect();
        setShown((shown) =>
          shown?.isNote ? shown : { text, shortcut, anchor, element: target, side, isNote: false },
        );
      }, delayMs);
    };
    const noteKey = ({ key }: KeyboardEvent) => {
      wentByKey = movingKeys.test(key);
    };
    const notePress = ({ clientX: x, clientY: y }: PointerEvent) => {
      wentByKey = false;
      pointer = { x, y };
    };
    document.addEventListener('pointermove', point);
    document.addEventListener('focusin', focus);
    document.addEventListener('keydown', noteKey, true);
    document.addEventListener('pointerdown', notePress, true);
    document.addEventListener(noteEvent, note);
    document.addEventListener('click', press, true);
    for (const type of hidingEvents) document.addEventListener(type, hide, true);
    return () => {
      clearTimeout(timer);
      clearTimeout(noteTimer);
      document.removeEventListener(noteEvent, note);
      document.removeEventListener('click', press, true);
      document.removeEventListener('pointermove', point);
      document.removeEventListener('focusin', focus);
      document.removeEventListener('keydown', noteKey, true);
      document.removeEventListener('pointerdown', notePress, true);
      for (const type of hidingEvents) document.removeEventListener(type, hide, true);
    };
  }, []);

  useEffect(() => {
    const element = layer.current;
    if (element === null || shown === null) return;
    element.showPopover();
    place(element, shown.anchor, shown.side);
    const stop = watchAnchor(shown, () => setShown((now) => (now === shown ? null : now)));
    return () => {
      stop();
      element.hidePopover();
    };
  }, [shown]);

  return (
    <div ref={layer} popover="manual" className={styles.tooltip} aria-hidden="true">
      {shown?.text}
      {shown?.shortcut != null && <Kbd shortcut={shown.shortcut} />}
    </div>
  );
}

const hidingEvents = ['pointerdown', 'keydown', 'scroll', 'focusout', 'wheel'] as const;

/** Keys that move the focus; others do something, which may move it too. */
const movingKeys = /^(Tab|Arrow|Home|End|Page)/;

/** Calls `onGone` when the anchor is no longer where the tooltip points. */
function watchAnchor({ element, anchor }: Shown, onGone: () => void): () => void {
  if (element === null) return () => undefined;
  let frame = requestAnimationFrame(function look() {
    const { left, top, width } = element.getBoundingClientRect();
    const stays = left === anchor.left && top === anchor.top && width === anchor.width;
    if (element.isConnected && stays) frame = requestAnimationFrame(look);
    else onGone();
  });
  return () => cancelAnimationFrame(frame);
}

const gap = 6;

/** At the requested side of the anchor, above it where there is no room below; always in the window. */
function place(element: HTMLElement, anchor: DOMRect, side: Shown['side']): void {
  const { width, height } = element.getBoundingClientRect();
  const below = anchor.bottom + gap + height <= window.innerHeight;
  const top = below ? anchor.bottom + gap : anchor.top - gap - height;
  const left = anchor.left + anchor.width / 2 - width / 2;
  const beside = side === 'right';
  const middle = anchor.top + anchor.height / 2 - height / 2;
  element.style.top = `${Math.max(gap, beside ? middle : top)}px`;
  element.style.left = `${
    beside ? anchor.right + gap : Math.min(Math.max(gap, left), window.innerWidth - width - gap)
  }px`;
}
