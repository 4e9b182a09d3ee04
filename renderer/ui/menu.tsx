import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useAnchoredPopup } from './anchored-popup.ts';
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

/** What has the focus as it opens: the menu itself where it was opened with the mouse. */
type FirstFocus = 'menu' | 'first' | 'last';

/** A button, and while it is open its menu on the platform's popover. */
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
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [open, setOpen] = useState<FirstFocus | null>(null);
  const small = size === 'small';
  const toggle = (focus: FirstFocus) => setOpen(open === null ? focus : null);
  return (
    <>
      <button
        {...(trigger === undefined ? tooltip(label) : {})}
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open !== null}
        aria-controls={open === null ? undefined : id}
        tabIndex={tabIndex}
        className={classNames(
          trigger === undefined
            ? classNames(buttonStyles.iconButton, small && buttonStyles.iconSmall)
            : classNames(buttonStyles.button, buttonStyles.quiet, small && buttonStyles.small),
          className,
        )}
        // As it is pressed, so that the press can go on to an item and choose it there.
        onMouseDown={(event) => {
          if (event.button !== 0) return;
          event.preventDefault();
          event.currentTarget.focus();
          toggle('menu');
        }}
        // By a key or a script: a press has opened it already.
        onClick={({ detail }) => detail === 0 && toggle('first')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          event.stopPropagation();
          setOpen(event.key === 'ArrowDown' ? 'first' : 'last');
        }}
      >
        {trigger ?? icon}
      </button>
      {open !== null && (
        <MenuPopup
          {...{ id, label, items, align, finalFocus }}
          anchor={button}
          focus={open}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

interface MenuPopupProps extends Pick<MenuProps, 'label' | 'items'> {
  finalFocus: MenuProps['finalFocus'] | undefined;
  id: string;
  align: 'start' | 'end';
  anchor: RefObject<HTMLButtonElement | null>;
  focus: FirstFocus;
  onClose: () => void;
}

const gap = 4;
/** A shorter press has only opened the menu. */
const dragMs = 200;
const typingPauseMs = 750;

function MenuPopup(props: MenuPopupProps) {
  const { id, label, items, align, anchor, focus, finalFocus, onClose } = props;
  const popup = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY });
  useAnchoredPopup({ anchor, popup, side: 'bottom', align, gap, onClose, finalFocus });
  useReleasedPress(focus === 'menu', popup, anchor, onClose);

  useLayoutEffect(() => {
    const all = itemsOf(popup.current);
    const target = focus === 'menu' ? popup.current : all.at(focus === 'first' ? 0 : -1);
    target?.focus({ preventScroll: true });
  }, [focus]);

  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // What it is in, such as a list, has keys of its own.
    event.stopPropagation();
    const all = itemsOf(popup.current);
    const at = all.findIndex((item) => item.contains(document.activeElement));
    if (key === 'Tab') {
      // The platform goes on from there.
      anchor.current?.focus();
      if (event.shiftKey) event.preventDefault();
      return onClose();
    }
    const isTyped = key.length === 1 && (key !== ' ' || isTyping(typed.current, event.timeStamp));
    const next = isTyped
      ? findTyped(all, at, typed.current, event)
      : all.at(targetOf(key, at, all.length) ?? all.length);
    if (next === undefined && key !== 'Escape' && !isTyped) return;
    event.preventDefault();
    if (key === 'Escape') onClose();
    else next?.focus();
  }

  return (
    <div
      ref={popup}
      id={id}
      popover="manual"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className={classNames(list.popup, styles.popup)}
      onKeyDown={onKeyDown}
      onPointerLeave={() => popup.current?.focus({ preventScroll: true })}
    >
      {items.map((item, index) =>
        item === 'separator' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: separators have no other identity
          <hr key={`separator-${index}`} className={list.separator} />
        ) : (
          <button
            key={item.id}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={item.disabled || undefined}
            aria-keyshortcuts={item.shortcut?.replace('Mod', 'Control')}
            className={classNames(list.option, styles.item, item.danger && list.danger)}
            onPointerMove={({ currentTarget, movementX, movementY }) => {
              // Items that come under a pointer at rest are not pointed at.
              if (movementX !== 0 || movementY !== 0) currentTarget.focus({ preventScroll: true });
            }}
            onClick={() => {
              if (item.disabled) return;
              // Before what it does, which may take the focus elsewhere.
              (finalFocus?.current ?? anchor.current)?.focus();
              onClose();
              item.onSelect();
            }}
          >
            {item.icon}
            <span className={list.optionText}>{item.label}</span>
            {item.shortcut !== undefined && (
              <span aria-hidden="true">
                <Kbd shortcut={item.shortcut} />
              </span>
            )}
          </button>
        ),
      )}
    </div>
  );
}

/** The press that has opened it, released on an item, chooses that; elsewhere it closes the menu. */
function useReleasedPress(
  isPressed: boolean,
  popup: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    if (!isPressed) return undefined;
    const openedAt = performance.now();
    const release = ({ target }: MouseEvent) => {
      if (performance.now() - openedAt < dragMs || !(target instanceof Element)) return;
      if (popup.current?.contains(target)) {
        target.closest<HTMLElement>('[role="menuitem"]')?.click();
      } else if (!anchor.current?.contains(target)) close();
    };
    document.addEventListener('mouseup', release, { once: true });
    return () => document.removeEventListener('mouseup', release);
  }, [isPressed, popup, anchor]);
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

/** Round the ends; null for a key that does not move. */
function targetOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (Math.max(at, 0) - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

interface Typed {
  text: string;
  at: number;
}

function isTyping({ text, at }: Typed, now: number): boolean {
  return text !== '' && now - at < typingPauseMs;
}

/** The next item that begins with what is typed; the same letter again moves on. */
function findTyped(
  all: readonly HTMLElement[],
  at: number,
  typed: Typed,
  { key, timeStamp }: KeyboardEvent,
): HTMLElement | undefined {
  const letter = key.toLowerCase();
  const before = isTyping(typed, timeStamp) ? typed.text : '';
  typed.text = before === letter ? before : before + letter;
  typed.at = timeStamp;
  const first = typed.text.length === 1 ? at + 1 : Math.max(at, 0);
  const order = all.map((_, step) => all[(first + step) % all.length]);
  return order.find((item) => item?.textContent?.trim().toLowerCase().startsWith(typed.text));
}
